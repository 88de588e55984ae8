# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a time amounted to, in a form that adds up: the tally of a window is the sum of those of its parts.

So a live view counts each bin once, when it is over, and not the whole window again for every figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.views.batching import size_table, sizes_of_table
from workbench.views.facts import ModelFacts
from workbench.views.latency import SPLIT_STEPS, Split, between_ns, distribution, latency_ns, step_ns
from workbench.views.records import Records, select
from workbench.views.view import Totals

# Of one time, and of a window: enough for a p99 that is right to a hundredth, and little enough to sort while looking.
MOST_SAMPLES: Final = 8192
MOST_OF_WINDOW: Final = 1 << 15

Floats = NDArray[np.float64]
Samples = NDArray[np.float32]  # half the bytes to sort; seven digits are enough for a latency
NO_STEPS: Final[Floats] = np.zeros((0, 3))
NOT_HELD: Final[Floats] = np.zeros(3)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Tally:
    """Sums and samples of some requests, refusals and batches.

    Attributes:
        answered: successful requests.
        refused: requests that never reached a backend.
        failed: requests whose execution failed.
        longest_ns: the longest latency.
        latencies_ns: (n,) of the successful requests; of very many, every second, or every third, and so on.
        waits_ns: (n,) their time in the queue.
        step_sums_ns: (4,) their time in queue, input, compute and output, summed.
        arrivals_ns: when requests came, refused and failed ones too: arrays, each ascending.
        sizes: (sizes, reasons) number of batches, by rows - 1.
        busy_ns: (instances,) time that each executed.
        refused_by: (statuses,) refused requests by status.
        failed_by: (statuses,) failed requests by status.
        priority_counts: (priorities,) successful requests.
        priority_waits_ns: (priorities,) their time in the queue, summed.
        steps: (steps, 3) of an ensemble: requests of each step, their time waiting and after that, summed.
        held: (3,) of sequences: requests, and how long they waited for a slot and for the request before, summed.
    """

    answered: int
    refused: int
    failed: int
    longest_ns: float
    latencies_ns: Samples
    waits_ns: Samples
    step_sums_ns: Floats
    arrivals_ns: tuple[NDArray[np.int64], ...]
    sizes: NDArray[np.int64]
    busy_ns: Floats
    refused_by: NDArray[np.int64]
    failed_by: NDArray[np.int64]
    priority_counts: NDArray[np.int64]
    priority_waits_ns: Floats
    steps: Floats
    held: Floats

    @property
    def requests(self) -> int:
        """All that came."""
        return self.answered + self.refused + self.failed

    @property
    def byte_size(self) -> int:
        """Bytes of the samples and times."""
        arrivals = sum(times.nbytes for times in self.arrivals_ns)
        return self.latencies_ns.nbytes + self.waits_ns.nbytes + arrivals


def tally(
    requests: Records, refusals: Records, batches: Records, *, steps: Floats = NO_STEPS, held: Floats = NOT_HELD
) -> Tally:
    """The tally of events; `steps` as `step_figures` has them, `held` as `held_figures`."""
    good = select(requests, requests["status"] == 0)
    steps_ns = [step_ns(good, name) for name, _, _ in SPLIT_STEPS]
    executed = between_ns(batches, "start_ns", "end_ns")
    latencies, every = latency_ns(good), len(good) // MOST_SAMPLES + 1
    return Tally(
        answered=len(good),
        refused=len(refusals),
        failed=len(requests) - len(good),
        longest_ns=float(latencies.max(initial=0.0)),
        latencies_ns=latencies[::every].astype(np.float32),
        waits_ns=steps_ns[0][::every].astype(np.float32),
        step_sums_ns=np.array([step.sum() for step in steps_ns]),
        arrivals_ns=(np.sort(np.concatenate([requests["arrival_ns"], refusals["arrival_ns"]]).astype(np.int64)),),
        sizes=size_table(batches),
        busy_ns=np.bincount(batches["instance"], weights=executed).astype(np.float64),
        refused_by=np.bincount(refusals["status"]),
        failed_by=np.bincount(requests["status"][requests["status"] != 0]),
        priority_counts=np.bincount(good["priority"]),
        priority_waits_ns=np.bincount(good["priority"], weights=steps_ns[0]).astype(np.float64),
        steps=steps,
        held=held,
    )


def combined(parts: Sequence[Tally]) -> Tally:
    """The tally of all parts together; at least one. Of very many samples every second is kept, or third, and so on."""
    every = sum(len(part.latencies_ns) for part in parts) // MOST_OF_WINDOW + 1
    return Tally(
        answered=sum(part.answered for part in parts),
        refused=sum(part.refused for part in parts),
        failed=sum(part.failed for part in parts),
        longest_ns=max(part.longest_ns for part in parts),
        latencies_ns=np.concatenate([part.latencies_ns for part in parts])[::every],
        waits_ns=np.concatenate([part.waits_ns for part in parts])[::every],
        step_sums_ns=np.sum([part.step_sums_ns for part in parts], axis=0),
        arrivals_ns=tuple(came for part in parts for came in part.arrivals_ns if len(came)),
        sizes=_added([part.sizes for part in parts]),
        busy_ns=_added([part.busy_ns for part in parts]),
        refused_by=_added([part.refused_by for part in parts]),
        failed_by=_added([part.failed_by for part in parts]),
        priority_counts=_added([part.priority_counts for part in parts]),
        priority_waits_ns=_added([part.priority_waits_ns for part in parts]),
        steps=_added([part.steps for part in parts]),
        held=np.sum([part.held for part in parts], axis=0),
    )


def totals_of(found: Tally, *, facts: ModelFacts, start_ns: int, end_ns: int) -> Totals:
    """The figures of the time from `start_ns` to `end_ns`, or of the part of it that has events."""
    start_ns = max(start_ns, min((int(came[0]) for came in found.arrivals_ns if len(came)), default=start_ns))
    span_ns = max(end_ns - start_ns, 1)
    seconds, answered = span_ns / 1e9, found.answered
    busy = np.zeros(len(facts.instances))
    known = found.busy_ns[: len(busy)]
    busy[: len(known)] = known
    return Totals(
        covered_s=seconds,
        answered_per_s=answered / seconds,
        offered_per_s=_offered_per_s(found, start_ns, end_ns),
        refused_per_s=found.refused / seconds,
        failed_per_s=found.failed / seconds,
        latency=replace(distribution(found.latencies_ns), count=answered, max_ns=found.longest_ns or None),
        queue=replace(distribution(found.waits_ns), count=answered),
        split=Split(*(float(total) / max(answered, 1) for total in found.step_sums_ns)),
        instance_wait_share=_instance_wait_share(found.waits_ns, facts),
        sizes=sizes_of_table(found.sizes, max_batch_size=facts.max_batch_size),
        busy=tuple(float(share) for share in np.minimum(busy / span_ns, 1.0)),
        lost=_lost(found),
        priorities=_priorities(found),
        steps=tuple(
            (int(count), float(waits / max(count, 1)), float(rest / max(count, 1)))
            for count, waits, rest in found.steps
        ),
        held_ns=(found.held[1] / max(found.held[0], 1), found.held[2] / max(found.held[0], 1)),
    )


def _lost(found: Tally) -> tuple[tuple[int, int, int], ...]:
    statuses = max(len(found.refused_by), len(found.failed_by))
    both = [np.pad(counts, (0, statuses - len(counts))) for counts in (found.refused_by, found.failed_by)]
    order = np.argsort(-(both[0] + both[1]), kind="stable")
    return tuple((int(code), int(both[0][code]), int(both[1][code])) for code in order if both[0][code] + both[1][code])


def _priorities(found: Tally) -> tuple[tuple[int, int, float], ...]:
    used = np.flatnonzero(found.priority_counts)
    if len(used) < 2:
        return ()
    means = found.priority_waits_ns[used] / found.priority_counts[used]
    return tuple(
        (int(level), int(found.priority_counts[level]), float(mean)) for level, mean in zip(used, means, strict=True)
    )


def _offered_per_s(found: Tally, start_ns: int, end_ns: int) -> float:
    """Arrivals a second, up to the time after which some may still be on their way without an event."""
    until_ns = end_ns - int(min(found.longest_ns, (end_ns - start_ns) / 2))
    came = sum(_count_between(times, start_ns, until_ns) for times in found.arrivals_ns)
    return came / max(until_ns - start_ns, 1) * 1e9


def _count_between(ascending: NDArray[np.int64], start_ns: int, until_ns: int) -> int:
    if len(ascending) and ascending[0] >= start_ns and ascending[-1] < until_ns:
        return len(ascending)
    return int(np.searchsorted(ascending, until_ns) - np.searchsorted(ascending, start_ns))


def _instance_wait_share(waits_ns: Samples, facts: ModelFacts) -> float:
    delay_ns = facts.max_queue_delay_microseconds * 1e3 if facts.dynamic else 0.0
    beyond = np.maximum(waits_ns - np.float32(delay_ns), 0).sum(dtype=np.float64)
    return float(beyond / max(waits_ns.sum(dtype=np.float64), 1.0))


def _added(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Their sum, where the shorter ones stand for zeros behind their end."""
    by_length: dict[int, list[NDArray[Any]]] = {}
    for array in arrays:
        by_length.setdefault(len(array), []).append(array)
    total = np.zeros_like(max(arrays, key=len))
    for length, alike in by_length.items():
        total[:length] += np.sum(alike, axis=0)
    return total
