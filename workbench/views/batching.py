# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How large batches were, and why they left. Pure functions over the batches of an event log."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from workbench.views.colours import REASONS
from workbench.views.records import Records

_MOST_BARS = 16


@dataclass(frozen=True, slots=True)
class SizeBar:
    """Batches of `first` to `last` rows, counted by reason (in the order of the reasons' codes)."""

    first: int
    last: int
    by_reason: tuple[int, ...]

    @property
    def count(self) -> int:
        """Batches of these sizes."""
        return sum(self.by_reason)


@dataclass(frozen=True, slots=True)
class BatchSizes:
    """Batch sizes of a window: a bar per size (or range of sizes), and how many batches left for which reason."""

    bars: tuple[SizeBar, ...] = ()
    by_reason: tuple[int, ...] = field(default=(0,) * len(REASONS))
    mean_rows: float = 0.0

    @property
    def count(self) -> int:
        """Batches of the window."""
        return sum(self.by_reason)


def reasons_of(batches: Records) -> NDArray[np.int64]:
    """The reason code of each batch; codes that are not known become 0."""
    codes = batches["detail"].astype(np.int64)
    return np.where(codes < len(REASONS), codes, 0)


def size_table(batches: Records) -> NDArray[np.int64]:
    """(largest size, reasons) how many batches had so many rows and left for that reason; row 0 is size 1."""
    rows = np.maximum(batches["rows"].astype(np.int64), 1)
    kinds = len(REASONS)
    cells = np.bincount((rows - 1) * kinds + reasons_of(batches))
    return np.pad(cells, (0, -len(cells) % kinds)).reshape(-1, kinds)


def sizes_of_table(table: NDArray[np.int64], *, max_batch_size: int) -> BatchSizes:
    """The histogram from 1 to the largest possible (or seen) size, in at most 16 bars of equal width."""
    counts = table.sum(axis=1)
    total = int(counts.sum())
    if total == 0:
        return BatchSizes()
    largest = max(max_batch_size, len(table), 1)
    width = -(-largest // _MOST_BARS)
    bar_count = -(-largest // width)
    bars = np.pad(table, ((0, bar_count * width - len(table)), (0, 0))).reshape(bar_count, width, -1).sum(axis=1)
    return BatchSizes(
        bars=tuple(
            SizeBar(first=i * width + 1, last=min((i + 1) * width, largest), by_reason=tuple(map(int, cells)))
            for i, cells in enumerate(bars)
        ),
        by_reason=tuple(map(int, table.sum(axis=0))),
        mean_rows=float(counts @ np.arange(1, len(table) + 1)) / total,
    )
