# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which cell of a notebook built which shared object, so that a running model can be traced back to its cell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_CELLS: Final[dict[Path, str]] = {}


def remember_cell(library: Path, cell_id: str) -> None:
    """Notes the cell that built an object last; an empty id is none."""
    if cell_id:
        _CELLS[library] = cell_id


def cell_of(library: Path) -> str:
    """The id of the cell that built it in this kernel; "" where none did."""
    return _CELLS.get(library, "")
