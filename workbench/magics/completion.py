# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Completion of model names in the lines of magics."""

from __future__ import annotations

import re
from typing import Any, Final

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from workbench.errors import WorkbenchError

_MODEL_LINE: Final = re.compile(
    r"^\s*%%?(infer|stats|model|drive|watch|sweep|export)\s+(?:--?\S+(?:\s+[^-\s]\S*)?\s+)*(\w*)$"
)


def _complete(context: CompletionContext) -> dict[str, Any]:
    line = context.text_until_cursor.rsplit("\n", 1)[-1]
    wanted = _MODEL_LINE.match(line)
    names = [name for name in _names() if name.startswith(wanted[2])] if wanted else []
    return {"completions": [SimpleCompletion(name) for name in names], "suppress": bool(names)}


complete_models: Final[Any] = context_matcher(identifier="workbench.models")(_complete)
"""A matcher that offers the models of the running server where a magic wants one."""


def _names() -> list[str]:
    from workbench.server import current

    try:
        return sorted({entry.name for entry in current().index()})
    except WorkbenchError:
        return []
