# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The index of a server's models, as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from workbench.build import cell_of
from workbench.display import Table
from workbench.repository import IndexEntry
from workbench.server.rendering import html_table, link_to_cell, text_table

_COLUMNS: Final = ("model", "version", "state", "reason", "backend object", "digest")
_FACTS: Final = tuple(column.replace(" ", "_") for column in _COLUMNS)


@dataclass(frozen=True, slots=True)
class ModelIndex(Sequence[IndexEntry]):
    """Every version of every model with its state, and the shared object that really runs."""

    entries: tuple[IndexEntry, ...]

    @overload
    def __getitem__(self, index: int) -> IndexEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[IndexEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> IndexEntry | tuple[IndexEntry, ...]:
        return self.entries[index]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[IndexEntry]:
        return iter(self.entries)

    def __str__(self) -> str:
        return text_table(_COLUMNS, self._rows())

    def table(self) -> Table:
        """One version of a model a row."""
        return Table(_COLUMNS, tuple(tuple(map(str, row)) for row in self._rows()))

    def facts(self) -> list[dict[str, str]]:
        """For JSON: one version of a model an entry."""
        return [dict(zip(_FACTS, map(str, row), strict=True)) for row in self._rows()]

    def _rows(self) -> list[tuple[object, ...]]:
        return [
            (e.name, e.version or "", e.state or "not loaded", e.reason, e.library.name if e.library else "", e.digest)
            for e in self.entries
        ]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        return html_table(_COLUMNS, self._linked_rows())

    def _linked_rows(self) -> list[tuple[object, ...]]:
        """An object that a cell of this notebook built leads to that cell."""
        return [
            (*row[:4], link_to_cell(str(row[4]), cell_of(entry.library) if entry.library else ""), row[5])
            for row, entry in zip(self._rows(), self.entries, strict=True)
        ]
