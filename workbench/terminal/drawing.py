# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What rich draws on a terminal, and nowhere else: tables, and how far a long command is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as Drawn
from rich.text import Text

from workbench.display import Report, Table

_MARKS: Final = {"ok": "green", "READY": "green", "steady": "green", "missing": "yellow", "broken": "bold red"}
"""Colours of words that judge; the word stands there, too."""


def is_watched(stream: TextIO) -> bool:
    """Whether a person reads along, as rich finds it: a terminal, or FORCE_COLOR."""
    return Console(file=stream).is_terminal


def draw(table: Table, stream: TextIO) -> None:
    """The table, as wide as the terminal."""
    drawn = Drawn(
        title=Text(table.caption) if table.caption else None, title_justify="left", show_header=any(table.columns)
    )
    for column in table.columns:
        drawn.add_column(Text(column), overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell, style=_MARKS.get(cell, "")) for cell in row))
    Console(file=stream).print(drawn)


@contextmanager
def progress(title: str) -> Iterator[Report | bool]:
    """For an argument `progress`: a bar with remaining time on standard error where that is a terminal; else false."""
    if not is_watched(sys.stderr):
        yield False
        return
    shown = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    columns = (*shown, TimeRemainingColumn(), TextColumn("{task.fields[words]}"))
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=None, words="")

        def report(done: float, total: float, words: str) -> None:
            bar.update(task, completed=min(done, total), total=total, words=words)

        yield report


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """Words and a sign of life on standard error while something is waited for, where that is a terminal."""
    if not is_watched(sys.stderr):
        yield
        return
    with Console(file=sys.stderr).status(words):
        yield
