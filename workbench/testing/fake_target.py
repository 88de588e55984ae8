# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A target in virtual time: a run of seconds is over at once, and the same every time."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.load import OBSERVATION_DTYPE, RECORD_DTYPE, Workload


@dataclass(frozen=True, slots=True)
class FakeDuration:
    """A counter of the statistics."""

    count: int = 0
    ns: int = 0


@dataclass(frozen=True, slots=True)
class FakeStatistics:
    """What a measurement reads of a model's statistics."""

    success: FakeDuration = FakeDuration()
    queue: FakeDuration = FakeDuration()
    compute_input: FakeDuration = FakeDuration()
    compute_infer: FakeDuration = FakeDuration()
    compute_output: FakeDuration = FakeDuration()
    batches: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FakeProgress:
    """How far a finished run is."""

    planned: int
    sent: int
    answered: int
    failed: int
    elapsed_ns: int


class FakeRun:
    """A run that has already happened."""

    def __init__(self, records: NDArray[Any], observations: NDArray[Any]) -> None:
        self._records = records
        self._observations = observations
        self.is_stopped = False

    def wait(self, timeout_s: float) -> bool:  # noqa: ARG002 - nothing to wait for
        """Is over."""
        return True

    def stop(self) -> None:
        """Notes that it was stopped."""
        self.is_stopped = True

    def progress(self) -> FakeProgress:
        """All done."""
        count = len(self._records)
        return FakeProgress(count, count, count, 0, int(self._records["done_ns"].max(initial=0)))

    def records(self) -> NDArray[Any]:
        """One for each request."""
        return self._records

    def observations(self) -> NDArray[Any]:
        """One for each millisecond."""
        return self._observations


class FakeTarget:
    """Serves in batches, first come first served, in virtual time.

    Args:
        name: of the model.
        fixed_ns, row_ns: a batch of b takes `fixed_ns + b * row_ns`.
        max_batch_size: most requests in a batch.
        instances: how many batches run at once.
        max_queue_delay_ns: how long a request waits for others to make a full batch.
        stall_ns: (start, length) of a time in which the machine stands still; None for none.
    """

    def __init__(
        self,
        name: str = "fake",
        *,
        fixed_ns: int = 1_000_000,
        row_ns: int = 0,
        max_batch_size: int = 1,
        instances: int = 1,
        max_queue_delay_ns: int = 0,
        stall_ns: tuple[int, int] | None = None,
    ) -> None:
        self.name = name
        self.fixed_ns = fixed_ns
        self.row_ns = row_ns
        self.max_batch_size = max_batch_size
        self.instances = instances
        self.max_queue_delay_ns = max_queue_delay_ns
        self.stall_ns = stall_ns
        self.runs: list[Workload] = []
        self._statistics = FakeStatistics()

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> FakeRun:
        """Serves the whole workload."""
        self.runs.append(workload)
        arrivals = schedule_ns if workload.is_open_loop else self._closed_loop_arrivals(workload)
        starts, dones, sizes = self._serve(arrivals.astype(np.int64))
        self._count(arrivals, starts, dones, sizes)
        records = np.zeros(len(arrivals), RECORD_DTYPE)
        records["intended_ns"] = records["sent_ns"] = arrivals
        records["done_ns"] = dones
        return FakeRun(records, self._observations(arrivals, dones))

    def statistics(self) -> FakeStatistics:
        """Of all runs."""
        return self._statistics

    def _batch_ns(self, size: int) -> int:
        return self.fixed_ns + size * self.row_ns

    def _closed_loop_arrivals(self, workload: Workload) -> NDArray[np.int64]:
        # Everyone is answered a full round after sending: the two batches of each instance alternate.
        size = min(self.max_batch_size, max(1, workload.concurrency // self.instances))
        round_ns = self._batch_ns(size) * max(1, workload.concurrency // (size * self.instances))
        rounds = max(1, int(workload.duration_s * 1e9) // round_ns)
        return np.repeat(np.arange(rounds) * round_ns, workload.concurrency)

    def _serve(self, arrivals: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], list[int]]:
        free = [0] * self.instances
        starts, dones, sizes = np.zeros_like(arrivals), np.zeros_like(arrivals), []
        first = 0
        while first < len(arrivals):
            free_ns = heapq.heappop(free)
            start_ns = self._leave_ns(arrivals, first, max(free_ns, int(arrivals[first])))
            here = int(np.searchsorted(arrivals, start_ns, side="right"))
            last = max(first + 1, min(first + self.max_batch_size, here))
            done_ns = self._after_stall(start_ns, start_ns + self._batch_ns(last - first))
            starts[first:last], dones[first:last] = start_ns, done_ns
            sizes.append(last - first)
            heapq.heappush(free, done_ns)
            first = last
        return starts, dones, sizes

    def _leave_ns(self, arrivals: NDArray[np.int64], first: int, ready_ns: int) -> int:
        """When the batch that begins with `first` leaves: when it is full, or its delay is over."""
        full = first + self.max_batch_size - 1
        full_ns = int(arrivals[full]) if full < len(arrivals) else 2**62
        return max(ready_ns, min(full_ns, int(arrivals[first]) + self.max_queue_delay_ns))

    def _after_stall(self, start_ns: int, done_ns: int) -> int:
        if self.stall_ns is None or not start_ns <= self.stall_ns[0] < done_ns:
            return done_ns
        return done_ns + self.stall_ns[1]

    def _count(
        self, arrivals: NDArray[np.int64], starts: NDArray[np.int64], dones: NDArray[np.int64], sizes: list[int]
    ) -> None:
        count, old = len(arrivals), self._statistics

        def grown(before: FakeDuration, ns: int) -> FakeDuration:
            return FakeDuration(before.count + count, before.ns + ns)

        self._statistics = FakeStatistics(
            success=grown(old.success, int((dones - arrivals).sum())),
            queue=grown(old.queue, int((starts - arrivals).sum())),
            compute_infer=grown(old.compute_infer, int((dones - starts).sum())),
            batches=dict(Counter(sizes) + Counter(old.batches)),
        )

    def _observations(self, arrivals: NDArray[np.int64], dones: NDArray[np.int64]) -> NDArray[Any]:
        times = np.arange(0, int(arrivals[-1]) + 1, 1_000_000) + 500_000
        looks = np.zeros(len(times), OBSERVATION_DTYPE)
        looks["at_ns"] = times
        ended = np.searchsorted(np.sort(dones), times, side="right")
        looks["in_flight"] = np.searchsorted(arrivals, times, side="right") - ended
        if self.stall_ns is None:
            return looks
        begin, length = self.stall_ns
        looks = looks[(times < begin) | (times >= begin + length)]
        looks["late_ns"][looks["at_ns"] >= begin + length][:1] = length
        after = np.flatnonzero(looks["at_ns"] >= begin + length)
        looks["late_ns"][after[:1]] = length
        return looks
