# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where the text of a model came from: a file, or a cell whose lines its messages shall count."""

from __future__ import annotations

import linecache
from collections import OrderedDict
from hashlib import sha256
from typing import Final

_KEPT: Final = 256
_CELLS: OrderedDict[str, tuple[str, int]] = OrderedDict()


def register_cell(text: str, *, label: str, first_line: int) -> None:
    """Let messages about a model of this text speak of `label`, whose line `first_line` is the text's first."""
    digest = _digest(text)
    _CELLS[digest] = (label, first_line)
    _CELLS.move_to_end(digest)
    while len(_CELLS) > _KEPT:
        _CELLS.popitem(last=False)


def place_of(text: str, path: str) -> tuple[str, int]:
    """What to call the text in messages, and the number of its first line."""
    return _CELLS.get(_digest(text), (path, 1))


def remember_lines(text: str, label: str, first_line: int) -> None:
    """Let tracebacks show the lines of a text that is no file."""
    lines = ["\n"] * (first_line - 1) + text.splitlines(keepends=True)
    linecache.cache[label] = (len(text), None, lines, label)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
