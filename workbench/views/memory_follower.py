# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Follows the memory of a server: pools over time, who holds what, what fell back to where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns, EventKind
from workbench.server import MemoryStatistics, Pool
from workbench.views.blocks import BlockMap, block_map
from workbench.views.history import History
from workbench.views.memory import Mark, pool_bins, pool_marks
from workbench.views.records import Records
from workbench.views.units import byte_size, counted, percent

BINS: Final = 100


class MemorySource(Protocol):
    """What a memory view reads from: a server, a recording, a made-up one."""

    def events(self, since: int = 0) -> EventColumns:
        """The events from sequence number `since` on."""

    def memory(self) -> MemoryStatistics:
        """The pools and their blocks."""

    def now_ns(self) -> int:
        """The time now, on the clock of the events."""


@dataclass(frozen=True, slots=True)
class PoolRate:
    """What was asked of a pool in the window, a second."""

    allocations_per_s: float = 0.0
    bytes_per_s: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class MemoryLook:
    """One look at the memory of a server.

    Attributes:
        now_ns, window_ns, bin_ns: the time axis.
        pools: the pools now.
        rates: what was asked of each.
        bins: records of `POOL_BIN_DTYPE` over the window.
        blocks: who holds what now.
        models, tensors: names by the numbers of the blocks.
        marks: fallbacks and failures.
        sentence: what a stranger should know first.
        dropped: events lost so far.
    """

    now_ns: int
    window_ns: int
    bin_ns: int
    pools: tuple[Pool, ...]
    rates: tuple[PoolRate, ...]
    bins: NDArray[np.void]
    blocks: BlockMap
    models: tuple[tuple[str, int], ...]
    tensors: tuple[str, ...]
    marks: tuple[Mark, ...]
    sentence: str
    dropped: int


class MemoryFollower:
    """The reader behind a memory view. One thread calls it."""

    def __init__(self, source: MemorySource, *, window_s: float = 30.0) -> None:
        self.source = source
        self.window_ns = round(window_s * 1e9)
        self.bin_ns = self.window_ns // BINS
        self._history = History(window_ns=self.window_ns + 2 * self.bin_ns)
        self._next_since = 0
        self._dropped = 0

    def look(self) -> MemoryLook:
        """What is known now."""
        columns = self.source.events(since=self._next_since)
        self._next_since, now_ns = columns.next_since, self.source.now_ns()
        self._dropped += columns.dropped
        self._history.add(columns, now_ns=now_ns)
        memory = self.source.memory()
        last = now_ns // self.bin_ns - 1
        told = self._history.records("memory")
        events = columns.memory[:0] if told is None else told
        events = events[events["arrival_ns"] >= now_ns - self.window_ns]
        marks = pool_marks(events, memory.pools, bin_ns=self.bin_ns)
        return MemoryLook(
            now_ns=now_ns,
            window_ns=self.window_ns,
            bin_ns=self.bin_ns,
            pools=memory.pools,
            rates=pool_rates(events, len(memory.pools), seconds=self.window_ns / 1e9),
            bins=pool_bins(events, memory.pools, bin_ns=self.bin_ns, first=last - BINS + 1, last=last),
            blocks=(blocks := block_map(memory)),
            models=tuple(memory.models),
            tensors=tuple(memory.tensors),
            marks=marks,
            sentence=memory_sentence(memory, marks, blocks),
            dropped=self._dropped,
        )


def pool_rates(events: Records, pools: int, *, seconds: float) -> tuple[PoolRate, ...]:
    """Allocations and their bytes a second, by pool."""
    asked = events[events["kind"] == EventKind.ALLOCATED]
    counts = np.bincount(asked["instance"], minlength=pools)
    sums = np.bincount(asked["instance"], weights=asked["start_ns"].astype(np.float64), minlength=pools)
    return tuple(PoolRate(float(counts[i]) / seconds, float(sums[i]) / seconds) for i in range(pools))


def memory_sentence(memory: MemoryStatistics, marks: tuple[Mark, ...], blocks: BlockMap) -> str:
    """What went wrong, else who holds most, else that nobody holds anything."""
    failed = sum(mark.count for mark in marks if mark.kind == "allocation_failed")
    if failed:
        return f"{counted(failed, 'allocation')} failed: raise the limit of the pool, or let fewer requests wait."
    fell = [mark for mark in marks if mark.kind == "fallback"]
    if fell:
        times = counted(sum(mark.count for mark in fell), "time")
        return f"{fell[-1].words}; {times} in this window. A larger pool would keep it."
    live = sum(pool.live_byte_size for pool in memory.pools)
    if not live:
        return "Nothing is in use; pools keep what they reserved."
    return f"{byte_size(live)} in use{_largest_holder(memory, blocks)}.{_scattered(memory)}"


def _largest_holder(memory: MemoryStatistics, blocks: BlockMap) -> str:
    owned = {number: held for number, held in blocks.owned_bytes.items() if 0 < number < len(memory.models)}
    if not owned:
        return ""
    most = max(owned, key=lambda number: owned[number])
    return f", most of it by {memory.models[most][0]} ({byte_size(owned[most])})"


def _scattered(memory: MemoryStatistics) -> str:
    worst = max(memory.pools, key=lambda pool: pool.fragmentation)
    if worst.fragmentation < 0.5 or worst.reserved_byte_size < 1 << 20:
        return ""
    return f" The free part of {worst.name} is scattered: {percent(worst.fragmentation)} fragmentation."
