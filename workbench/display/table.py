# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A result as rows, which each place draws as it can."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Texts in rows.

    Args:
        columns: what stands above each column; all empty for none.
        rows: as many texts each as there are columns.
        caption: what the rows are of.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
