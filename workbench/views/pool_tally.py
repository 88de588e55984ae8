# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What memory events amounted to, bin by bin: each is counted when it comes, not again at every look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.server import Pool
from workbench.views.memory import ALLOCATED, POOL_BIN_DTYPE, Mark, pool_bins, pool_marks
from workbench.views.records import Records, select


@dataclass(frozen=True, slots=True)
class PoolRate:
    """What was asked of a pool in the window, a second."""

    allocations_per_s: float = 0.0
    bytes_per_s: float = 0.0


class PoolTally:
    """The newest bins of pools. Not safe for two threads at once.

    Args:
        bin_ns: width of a bin; bin n begins at n times it.
        count: bins that are kept.
    """

    def __init__(self, *, bin_ns: int, count: int) -> None:
        self._bin_ns = bin_ns
        self._count = count
        self._sizes: dict[int, Records] = {}
        self._asked: dict[int, NDArray[np.float64]] = {}
        self._marks: dict[int, list[Mark]] = {}
        self._closed = 0
        self._bins: NDArray[np.void] | None = None
        self._asked_before: NDArray[np.float64] | None = None

    def first_to_count(self, news: Records, last: int) -> int:
        """The oldest bin that has to be counted, anew or for the first time: not yet closed, or of late events."""
        if last < self._closed:  # a replay that went back
            self._closed = 0
        first = self._closed + 1
        if len(news):
            first = min(first, int(news["arrival_ns"].min()) // self._bin_ns)
        return max(first, last - self._count + 1)

    def add(self, events: Records, pools: Sequence[Pool], *, first: int, last: int) -> None:
        """Counts the bins from `first` on; `last` is over, the one after it is not.

        Args:
            events: all memory events from bin `first` on; earlier ones do no harm.
            pools: the pools now.
            first: as `first_to_count` told.
            last: the newest bin that is over.
        """
        self._forget(first, last)
        if first <= last:
            self._bins = self._asked_before = None
            sizes = pool_bins(events, pools, bin_ns=self._bin_ns, first=first, last=last).reshape(len(pools), -1)
            self._sizes |= {first + i: sizes[:, i] for i in range(sizes.shape[1])}
        self._add_asked(events, len(pools), first, last + 1)
        for mark in pool_marks(events, pools, bin_ns=self._bin_ns):
            if (index := mark.when_ns // self._bin_ns) >= first:
                self._marks.setdefault(index, []).append(mark)
        self._closed = last

    def bins(self, pools: int) -> NDArray[np.void]:
        """Records of `POOL_BIN_DTYPE`, by pool, then by bin; a pool that was opened meanwhile held nothing before."""
        if self._bins is None or len(self._bins) != pools * len(self._sizes):
            self._bins = self._table(pools)
        return self._bins

    def _table(self, pools: int) -> NDArray[np.void]:
        table = np.zeros((pools, len(self._sizes)), POOL_BIN_DTYPE)
        table["pool"] = np.arange(pools)[:, None]
        for column, index in enumerate(sorted(self._sizes)):
            known = self._sizes[index][:pools]
            table["index"][:, column] = index
            table[: len(known), column] = known
        return table.ravel()

    def rates(self, pools: int) -> tuple[PoolRate, ...]:
        """Allocations and their bytes a second, by pool."""
        seconds = self._count * self._bin_ns / 1e9
        if self._asked_before is None or len(self._asked_before) != pools:
            self._asked_before = self._sum((asked for at, asked in self._asked.items() if at <= self._closed), pools)
        now = (asked for at, asked in self._asked.items() if at > self._closed)
        sums = self._asked_before + self._sum(now, pools)
        return tuple(PoolRate(float(allocations) / seconds, float(size) / seconds) for allocations, size in sums)

    @staticmethod
    def _sum(parts: Iterable[NDArray[np.float64]], pools: int) -> NDArray[np.float64]:
        sums = np.zeros((pools, 2))
        for asked in parts:
            sums[: len(asked)] += asked[:pools]
        return sums

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Fallbacks and failures, the oldest first."""
        return tuple(mark for index in sorted(self._marks) for mark in self._marks[index])

    def _forget(self, first: int, last: int) -> None:
        """What is too old, and what is counted anew."""
        for told in (self._sizes, self._asked, self._marks):
            for index in [index for index in told if index <= last - self._count or index >= first]:
                del told[index]

    def _add_asked(self, events: Records, pools: int, first: int, last: int) -> None:
        asked = select(events, (events["kind"] == ALLOCATED) & (events["instance"] < pools))
        places = asked["arrival_ns"].astype(np.int64) // self._bin_ns - first
        seen = (places >= 0) & (places <= last - first)
        places = places[seen] * pools + asked["instance"][seen]
        length = (last - first + 1) * pools
        counts = np.bincount(places, minlength=length)
        sizes = np.bincount(places, weights=asked["start_ns"][seen].astype(np.float64), minlength=length)
        table = np.stack([counts, sizes], axis=1).reshape(-1, pools, 2)
        self._asked |= {first + i: table[i] for i in range(len(table))}
