# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Tables that a notebook shows; plain text elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str = "") -> str:
    """An HTML table of `rows`; every cell is escaped, but for links."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in row)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Link(str):
    """HTML of a link, made by `link_to_cell`."""

    __slots__ = ()


def link_to_cell(words: str, cell_id: str) -> str:
    """Words that lead to a cell of the notebook, in JupyterLab; plain words without a cell."""
    if not cell_id:
        return words
    title = "to the cell that built it"
    return Link(f'<a href="#workbench-cell={quote(cell_id, safe="")}" title="{title}">{escape(words)}</a>')


def _shown(cell: object) -> str:
    return str(cell) if isinstance(cell, Link) else escape(str(cell))


def text_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The same as aligned text."""
    lines = [tuple(columns), *(tuple(map(str, row)) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(columns))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def format_bytes(byte_size: float) -> str:
    """A size with three digits and the unit that suits it: 3.1 MiB."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if byte_size >= size:
            return f"{_three_digits(byte_size / size)} {unit}"
    return f"{byte_size:.0f} B"


def _three_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
