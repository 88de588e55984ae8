# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Completion of model names and options in the lines of magics."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Final

from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

from workbench.errors import WorkbenchError

_MODEL_LINE: Final = re.compile(
    r"^\s*%%?(infer|stats|model|model_py|drive|watch|simulate|sweep|export)\s+(?:--?\S+(?:\s+[^-\s]\S*)?\s+)*(\w*)$"
)


_OPTION: Final = re.compile(r"^\s*%%?(\w+)\s(?:.*\s)?(-\S*)$")


def _complete(context: CompletionContext) -> dict[str, Any]:
    line = context.text_until_cursor.rsplit("\n", 1)[-1]
    if asked := _OPTION.match(line):
        return _told(_options(asked[1], asked[2]), fragment=asked[2])
    wanted = _MODEL_LINE.match(line)
    return _told([name for name in _names() if name.startswith(wanted[2])] if wanted else [])


def _told(words: list[str], *, fragment: str | None = None) -> dict[str, Any]:
    """What a matcher returns; `fragment` is what the words replace, where that is not the word at the cursor."""
    told = {"completions": [SimpleCompletion(word) for word in words], "suppress": bool(words)}
    return told if fragment is None else {**told, "matched_fragment": fragment}


complete_models: Final[Any] = context_matcher(identifier="workbench.models")(_complete)
"""A matcher that offers the models of the running server, or options, where a magic wants one."""


def _options(magic: str, begin: str) -> list[str]:
    """Options of a magic that begin so."""
    try:
        function = getattr(import_module(f"workbench.magics.{magic}"), magic)
    except (ImportError, AttributeError):
        return []
    parser = getattr(function, "parser", None)
    known = parser._option_string_actions if parser is not None else {}  # noqa: SLF001 - argparse has no public list
    return sorted(option for option in known if option.startswith(begin))


def _names() -> list[str]:
    from workbench.server import current

    try:
        return sorted({entry.name for entry in current().index()})
    except WorkbenchError:
        return []
