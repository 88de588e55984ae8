# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a compiler says about a cell, as values, and how they look as text and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePath
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler or linker.

    Attributes:
        line, column: where in the cell, counted from 1; 0 where no place of the cell is known.
        severity: `error`, `warning` or `note`.
        message: the compiler's words.
        file: the file that the compiler points at; `file_line` its line there. Other than the cell where the mistake
            shows inside a header: then `line` is the cell's line that led there.
        suggestion: what to write or do instead; empty where nobody knows.
        source_line: the text of the cell's line.
        notes: the compiler's further remarks, each on one line.
    """

    line: int
    column: int
    severity: Severity
    message: str
    file: str = ""
    file_line: int = 0
    suggestion: str = ""
    source_line: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join((self._head(), *self._excerpt(), *(f"    note: {note}" for note in self.notes)))

    def _repr_html_(self) -> str:
        colour = "#b00020" if self.severity == "error" else "#8a6d00"
        head, *rest = str(self).splitlines()
        body = "\n".join(rest)
        return (
            f'<pre style="margin:0"><b style="color:{colour}">{escape(head)}</b>'
            + (f"\n{escape(body)}" if body else "")
            + "</pre>"
        )

    def _head(self) -> str:
        place = f"line {self.line}" + (f", column {self.column}" if self.column else "") + ": " if self.line else ""
        shown_in = (
            f" (in {PurePath(self.file).name}:{self.file_line})"
            if self.file_line and self.file_line != self.line
            else ""
        )
        advice = f"; {self.suggestion}" if self.suggestion else ""
        return f"{place}{self.severity}: {self.message}{shown_in}{advice}"

    def _excerpt(self) -> tuple[str, ...]:
        if not self.line or not self.source_line.strip():
            return ()
        number = f"{self.line:>5} | "
        if not self.column:
            return (f"{number}{self.source_line}",)
        # Tabs stay tabs in the padding, so that the mark stands under its column.
        padding = "".join(c if c == "\t" else " " for c in self.source_line[: self.column - 1])
        return f"{number}{self.source_line}", f"      | {padding}^"


def errors_first(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Errors before warnings, each in the compiler's order, without repetitions."""
    distinct = tuple(dict.fromkeys(diagnostics))
    return tuple(sorted(distinct, key=lambda diagnostic: diagnostic.severity != "error"))


def as_text(diagnostics: Sequence[Diagnostic], *, limit: int = 10) -> str:
    """The first `limit` diagnostics as text, with a word about the rest."""
    shown = [str(diagnostic) for diagnostic in diagnostics[:limit]]
    if len(diagnostics) > limit:
        shown.append(f"... and {len(diagnostics) - limit} more")
    return "\n".join(shown)


def as_html(diagnostics: Sequence[Diagnostic]) -> str:
    """All diagnostics as HTML."""
    return "\n".join(diagnostic._repr_html_() for diagnostic in diagnostics)
