# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The browser's part as one module: anywidget takes a single file, the sources are small ones that tests import."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"

_IMPORT: Final = re.compile(r'^import\s+\{[^}]*\}\s+from\s+"\./([\w.-]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)


@cache
def module(entry: str = "dashboard.js") -> str:
    """The source of `entry` and of all that it imports, each file once, imported ones first.

    Files share one scope then, so no two of them declare the same name at their top level.
    """
    return "\n".join(_source(name) for name in _in_order(entry, []))


@cache
def stylesheet(name: str = "dashboard.css") -> str:
    """The text of a stylesheet."""
    return (STATIC / name).read_text()


def _in_order(name: str, found: list[str]) -> list[str]:
    for needed in _IMPORT.findall((STATIC / name).read_text()):
        if needed not in found:
            _in_order(needed, found)
    if name not in found:
        found.append(name)
    return found


def _source(name: str) -> str:
    text = (STATIC / name).read_text()
    return f"// --- {name}\n" + _EXPORT.sub("", _IMPORT.sub("", text))
