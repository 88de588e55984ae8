# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A made-up source: a dynamic batcher in virtual time, for demonstrations, tests and measurements of the views."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.events import EVENT_DTYPE, EventColumns, EventNames, columns
from workbench.server import MemoryStatistics, Pool
from workbench.views.facts import ModelFacts
from workbench.views.records import joined, select

_FULL, _PREFERRED, _DELAY, _FREE = 2, 3, 4, 5
_POOL_NAMES: Final = ("pinned", "pageable")
_ROW_BYTES: Final = 64 << 10
_LIMIT: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class Workload:
    """What the made-up model is asked to do: arrivals a second, and how long a batch executes."""

    rate: float = 2_000.0
    fixed_ns: int = 1_500_000
    row_ns: int = 250_000
    max_queue_size: int = 4_000


class SyntheticSource:
    """Requests that never were, as a `Source`: events up to now appear whenever they are asked for.

    Not safe for two threads at once, `reconfigure` aside.
    """

    def __init__(
        self,
        facts: ModelFacts,
        workload: Workload | None = None,
        *,
        seed: int = 1,
        clock: Callable[[], int] = time.monotonic_ns,
        since_s: float = 0.0,
    ) -> None:
        self._facts = facts
        self.workload = workload if workload is not None else Workload()
        self._random = np.random.default_rng(seed)
        self._clock = clock
        self._time_ns = clock() - round(since_s * 1e9)
        self._free_ns = np.full(len(facts.instances), self._time_ns, np.int64)
        self._queue: NDArray[np.int64] = np.empty(0, np.int64)
        self._serial = 0
        self._batch = 0
        self._written = 0
        self._live = 0
        self._fallbacks = 0
        self._late: list[NDArray[Any]] = []

    def now_ns(self) -> int:
        """The time now."""
        return self._clock()

    def facts(self) -> ModelFacts:
        """The made-up model as configured."""
        return replace(self._facts, queue_length=len(self._queue))

    def reconfigure(self, *, max_queue_delay_microseconds: int, preferred_batch_size: tuple[int, ...] = ()) -> None:
        """Changes the batcher from now on."""
        self._facts = replace(
            self._facts,
            max_queue_delay_microseconds=max_queue_delay_microseconds,
            preferred_batch_size=tuple(preferred_batch_size),
        )

    def memory(self) -> MemoryStatistics:
        """Two pools: a limited one, and the one that it falls back to."""
        return MemoryStatistics(
            (
                _pool(_POOL_NAMES[0], min(self._live, _LIMIT), limit=_LIMIT, fallbacks=self._fallbacks),
                _pool(_POOL_NAMES[1], max(self._live - _LIMIT, 0), limit=0, fallbacks=0),
            )
        )

    def events(self, since: int = 0) -> EventColumns:
        """What happened until now and was not read before; `since` is only counted on."""
        now_ns = self._clock()
        parts = [*self._late, *self._advance(now_ns)]
        records = joined(parts) if parts else np.zeros(0, EVENT_DTYPE)
        stamp = np.where(records["kind"] >= 4, records["arrival_ns"], records["end_ns"]).astype(np.int64)
        self._late = [records.take(np.flatnonzero(stamp > now_ns))]
        told = select(records, stamp <= now_ns)
        self._written = max(self._written, since) + len(told)
        names = EventNames(models=(("", 0), (self._facts.name, self._facts.version)), pools=_POOL_NAMES)
        return columns(told, names=names, next_since=self._written, dropped=0)

    def _advance(self, now_ns: int) -> list[NDArray[Any]]:
        span_ns = now_ns - self._time_ns
        count = self._random.poisson(self.workload.rate * span_ns / 1e9)
        arrivals = self._time_ns + np.sort(self._random.integers(0, max(span_ns, 1), count))
        self._time_ns = now_ns
        self._queue = np.concatenate([self._queue, arrivals])
        parts = [self._refuse()]
        while (batch := self._next_batch(now_ns)) is not None:
            parts.append(batch)
        return parts

    def _refuse(self) -> NDArray[Any]:
        late = self._queue[self.workload.max_queue_size :]
        self._queue = self._queue[: self.workload.max_queue_size]
        refused = np.zeros(len(late), EVENT_DTYPE)
        refused["kind"], refused["model"], refused["status"] = 2, 1, 5
        refused["arrival_ns"] = refused["end_ns"] = late
        return refused

    def _next_batch(self, now_ns: int) -> NDArray[Any] | None:
        """The next execution, if it starts before now."""
        if len(self._queue) == 0:
            return None
        lane = int(np.argmin(self._free_ns))
        start_ns, count, reason = self._decide(int(self._free_ns[lane]))
        if start_ns > now_ns:
            return None
        members, self._queue = self._queue[:count], self._queue[count:]
        return self._execute(members, lane, start_ns, reason)

    def _decide(self, free_ns: int) -> tuple[int, int, int]:
        """When the next batch starts, how many requests it takes, and why."""
        queue, facts = self._queue, self._facts
        most = max(facts.max_batch_size, 1)
        deadline = int(queue[0]) + facts.max_queue_delay_microseconds * 1_000
        if len(queue) >= most and queue[most - 1] <= max(deadline, free_ns):
            return max(int(queue[most - 1]), free_ns), most, _FULL
        there = int(np.searchsorted(queue, max(deadline, free_ns), side="right"))
        for size in sorted(facts.preferred_batch_size, reverse=True):
            if there >= size:
                return max(int(queue[size - 1]), free_ns), size, _PREFERRED
        if deadline <= free_ns:
            return max(free_ns, int(queue[0])), max(min(there, most), 1), _FREE
        return deadline, max(min(there, most), 1), _DELAY

    def _execute(self, members: NDArray[np.int64], lane: int, start_ns: int, reason: int) -> NDArray[Any]:
        count, work = len(members), self.workload
        noise = self._random.lognormal(0, 0.08)
        compute = int((work.fixed_ns + work.row_ns * count) * noise)
        stamps = np.cumsum([start_ns, 40_000 + 5_000 * count, compute, 30_000 + 3_000 * count])
        self._free_ns[lane] = stamps[3]
        self._batch += 1
        told = np.zeros(count + (count > 1), EVENT_DTYPE)
        told["kind"] = 1
        told["arrival_ns"][:count] = members
        for name, stamp in zip(("start_ns", "compute_start_ns", "compute_end_ns", "end_ns"), stamps, strict=True):
            told[name] = stamp
        told["id"][:count] = self._serial + np.arange(count)
        told["rows"], told["count"], told["batch"], told["detail"] = 1, count, self._batch, reason
        told["instance"], told["model"] = lane, 1
        if count > 1:
            told["kind"][-1], told["rows"][-1], told["arrival_ns"][-1] = 3, count, members[0]
        self._serial += count
        return joined([told, self._memory_events(count, stamps)])

    def _memory_events(self, count: int, stamps: NDArray[np.int64]) -> NDArray[Any]:
        before = self._live
        wanted = (count + len(self._queue[:400])) * _ROW_BYTES
        self._live = min(wanted, _LIMIT * 5 // 4)
        told = np.zeros(2, EVENT_DTYPE)
        told["model"], told["arrival_ns"] = 1, stamps[0]
        told["kind"] = 4 if self._live >= before else 5
        told["instance"] = (0, 1)
        told["start_ns"] = abs(self._live - before)
        told["compute_end_ns"] = (min(self._live, _LIMIT), max(self._live - _LIMIT, 0))
        told["end_ns"] = (max(_LIMIT * 3 // 4, min(self._live, _LIMIT)), max(self._live - _LIMIT, 0))
        if self._live <= _LIMIT or before > _LIMIT:
            return told
        self._fallbacks += 1
        fell = told[:1].copy()
        fell["kind"] = 8
        return joined([told, fell])


def _pool(name: str, live: int, *, limit: int, fallbacks: int) -> Pool:
    return Pool(
        name=name,
        live_byte_size=live,
        reserved_byte_size=max(live, limit * 3 // 4),
        peak_byte_size=_LIMIT if limit else _LIMIT // 4,
        limit_byte_size=limit,
        allocations=fallbacks,
        failures=0,
        fallbacks=fallbacks,
    )
