# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Follows the memory of a server: pools over time, who holds what, what fell back to where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns
from workbench.server import MemoryStatistics, Pool
from workbench.views.blocks import MOST_BLOCKS, BlockMap, block_map
from workbench.views.history import History
from workbench.views.memory import Mark
from workbench.views.pool_tally import PoolRate, PoolTally
from workbench.views.records import Records, joined
from workbench.views.transport import Transport
from workbench.views.units import byte_size, counted, percent

BINS: Final = 100
REPLAY_WINDOW_S: Final = 30.0


class MemorySource(Protocol):
    """What a memory view reads from: a server, a recording, a made-up one."""

    def events(self, since: int = 0) -> EventColumns:
        """The events from sequence number `since` on."""

    def memory(self) -> MemoryStatistics:
        """The pools and their blocks."""

    def now_ns(self) -> int:
        """The time now, on the clock of the events."""


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
        blocks_ago_s: how old the map of blocks is: a recording has one every half second.
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
    blocks_ago_s: float = 0.0


@runtime_checkable
class RecordedMemory(Protocol):
    """A source whose time may jump, and whose blocks are of a moment before now."""

    transport: Transport

    def memory_ns(self) -> int:
        """When the blocks were as `memory` tells."""


class MemoryFollower:
    """The reader behind a memory view. One thread calls it."""

    def __init__(self, source: MemorySource, *, window_s: float = 30.0) -> None:
        self.source = source
        self.window_ns = round(window_s * 1e9)
        self.bin_ns = self.window_ns // BINS
        self._recorded = source if isinstance(source, RecordedMemory) else None
        self._jumps = 0
        self._forget()

    def _forget(self) -> None:
        self._history = History(window_ns=2 * self.bin_ns)
        self._tally = PoolTally(bin_ns=self.bin_ns, count=BINS)
        self._next_since = 0
        self._dropped = 0

    def _follow_jumps(self) -> None:
        """Where a replay jumped, what was read before is of another time."""
        if self._recorded is not None and self._recorded.transport.jumps != self._jumps:
            self._jumps = self._recorded.transport.jumps
            self._forget()

    def look(self, *, most_blocks: int = MOST_BLOCKS) -> MemoryLook:
        """What is known now; with more blocks than so many, small ones beside each other are joined."""
        self._follow_jumps()
        columns = self.source.events(since=self._next_since)
        self._next_since, now_ns = columns.next_since, self.source.now_ns()
        self._dropped += columns.dropped
        memory = self.source.memory()
        self._count(columns.memory, memory.pools, now_ns)
        self._history.add(columns, now_ns=now_ns)
        marks = self._tally.marks
        return MemoryLook(
            now_ns=now_ns,
            window_ns=self.window_ns,
            bin_ns=self.bin_ns,
            pools=memory.pools,
            rates=self._tally.rates(len(memory.pools)),
            bins=self._tally.bins(len(memory.pools)),
            blocks=(blocks := block_map(memory, limit=most_blocks)),
            models=tuple(memory.models),
            tensors=tuple(memory.tensors),
            marks=marks,
            sentence=memory_sentence(memory, marks, blocks),
            dropped=self._dropped,
            blocks_ago_s=max(now_ns - self._recorded.memory_ns(), 0) / 1e9 if self._recorded is not None else 0.0,
        )

    def _count(self, news: Records, pools: Sequence[Pool], now_ns: int) -> None:
        last = now_ns // self.bin_ns - 1
        first = self._tally.first_to_count(news, last)
        before = self._history.records("memory", since_ns=first * self.bin_ns)
        self._tally.add(news if before is None else joined([before, news]), pools, first=first, last=last)


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
