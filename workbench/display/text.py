# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How results look where only text can be shown."""

from __future__ import annotations

from typing import Any


class ShownAsText:
    """Shows `str(self)` in a shell of IPython, instead of every field."""

    __slots__ = ()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))
