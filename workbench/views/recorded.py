# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model of a recording as the source of a view."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns, EventKind, Recording, Records, Snapshot, columns
from workbench.server import MemoryStatistics, Pool
from workbench.views.facts import ModelFacts, StepModel, instance_label, with_steps
from workbench.views.latency import latency_ns, percentile_per_bin
from workbench.views.queues import NO_SAMPLES, samples_of
from workbench.views.transport import Transport

OVERVIEW_BINS: Final = 240
AFTER_NS: Final = 250_000_000
"""A replay goes on this long after the last event, so that the last figures are in."""

SAMPLE_EVERY_NS: Final = 20_000_000
MOST_SAMPLES: Final = 5_000

_POOL_FIELDS: Final = frozenset(one.name for one in fields(Pool))


class Tape:
    """The records of a recording in the order in which a live view would have been told of them."""

    def __init__(self, recording: Recording) -> None:
        stamps = told_ns(recording.records)
        order = np.argsort(stamps, kind="stable")
        self.recording: Final = recording
        self.records: Final = recording.records.take(order)
        self.stamps: Final = stamps.take(order)
        first = int(self.stamps[0]) if len(order) else recording.began_ns
        self.start_ns: Final = min(first, recording.began_ns)
        self.end_ns: Final = max(int(self.stamps[-1]) if len(order) else 0, recording.end_ns) + AFTER_NS
        self._queues: dict[int, dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]]] = {}
        self._snapshot_ns = [snapshot.now_ns for snapshot in recording.snapshots]

    def snapshot(self, now_ns: int) -> Snapshot:
        """What was known last at that time; the first one before."""
        return self.recording.snapshots[max(bisect_right(self._snapshot_ns, now_ns) - 1, 0)]

    def dropped(self, after_ns: int, until_ns: int) -> int:
        """Events that were lost in that time."""
        snapshots = self.recording.snapshots
        first, last = bisect_right(self._snapshot_ns, after_ns), bisect_right(self._snapshot_ns, until_ns)
        return sum(snapshot.dropped for snapshot in snapshots[first:last])

    def waiting(self, model: Mapping[str, Any], times_ns: NDArray[np.int64]) -> dict[int, NDArray[np.int64]]:
        """Requests of a model that had come and were not taken at those times, by priority level."""
        number = int(model["number"])
        if number not in self._queues:
            self._queues[number] = _queues_of(_of_model(self.records, number), model)
        return {
            level: np.searchsorted(came, times_ns, side="right") - np.searchsorted(left, times_ns, side="right")
            for level, (came, left) in self._queues[number].items()
        }

    def models(self) -> dict[str, Mapping[str, Any]]:
        """Every model that ever served in it, as it was last."""
        told = (model for snapshot in self.recording.snapshots for model in snapshot.models)
        return {str(model["name"]): model for model in told}


class RecordingSource:
    """What a view reads of a model of a recording, at the time that a transport shows.

    Args:
        tape: the recording.
        name: the model.
        transport: says what time it is; several models may share one.
        window_s: how far back a view that begins to follow looks.
        objective_p99_ms: a latency that p99 shall stay below.
    """

    def __init__(
        self,
        tape: Tape,
        name: str,
        *,
        transport: Transport,
        window_s: float = 10.0,
        objective_p99_ms: float | None = None,
    ) -> None:
        self.tape: Final = tape
        self.transport: Final = transport
        self._name = name
        self._window_ns = round(window_s * 1.25e9)
        self._objective_p99_ms = objective_p99_ms
        self._told_ns = 0

    def at(self, transport: Transport) -> RecordingSource:
        """The same model by another clock."""
        return RecordingSource(
            self.tape,
            self._name,
            transport=transport,
            window_s=self._window_ns / 1.25e9,
            objective_p99_ms=self._objective_p99_ms,
        )

    def look_back(self, window_s: float) -> None:
        """Views that begin to follow from now on look that far back."""
        self._window_ns = round(window_s * 1.25e9)

    def now_ns(self) -> int:
        """The time that is shown."""
        return self.transport.now_ns()

    def facts(self) -> ModelFacts:
        """The model as it was configured then."""
        snapshot = self.tape.snapshot(self.now_ns())
        model = self._model(snapshot)
        facts = facts_of(model, queues=snapshot.queues)
        if model.get("steps"):
            facts = with_steps(facts, model["steps"], lambda name: self._step_model(name, snapshot))
        state = "READY" if model in snapshot.models else "UNAVAILABLE"
        return replace(facts, state=state, objective_p99_ms=self._objective_p99_ms)

    def _step_model(self, name: str, snapshot: Snapshot) -> StepModel | None:
        model = next((one for one in snapshot.models if one["name"] == name), self.tape.models().get(name))
        return None if model is None else StepModel(facts_of(model, queues={}), tuple(model.get("steps", ())))

    def queue_samples(self, since_ns: int) -> NDArray[np.void]:
        """Requests that waited, by priority level: those that had come and were not taken yet."""
        now_ns, model = self.now_ns(), self._model(self.tape.snapshot(self.now_ns()))
        if not model.get("priority_levels"):
            return NO_SAMPLES
        since_ns = max(since_ns, now_ns - self._window_ns)
        step_ns = max(SAMPLE_EVERY_NS, (now_ns - since_ns) // MOST_SAMPLES)
        times = np.arange(since_ns // step_ns + 1, now_ns // step_ns + 1, dtype=np.int64) * step_ns
        return samples_of(times, self.tape.waiting(model, times))

    def _model(self, snapshot: Snapshot) -> Mapping[str, Any]:
        """The model as it served then, or as it did last."""
        found = next((model for model in snapshot.models if model["name"] == self._name), None)
        return found or self.tape.models()[self._name]

    def memory(self) -> MemoryStatistics:
        """The pools as they were then, and who held which of their blocks."""
        return memory_at(self.tape.snapshot(self.now_ns()))

    def memory_ns(self) -> int:
        """When the pools were written down last before now."""
        return self.tape.snapshot(self.now_ns()).now_ns

    def events(self, since: int = 0) -> EventColumns:
        """What was told until now from record `since` on; 0 begins a window before now."""
        now_ns, stamps = self.now_ns(), self.tape.stamps
        last = int(np.searchsorted(stamps, now_ns, side="right"))
        if since == 0:
            since = int(np.searchsorted(stamps, now_ns - self._window_ns))
            self._told_ns = now_ns - self._window_ns
        dropped = self.tape.dropped(self._told_ns, now_ns)
        self._told_ns = max(now_ns, self._told_ns)
        records = self.tape.records[since : max(last, since)]
        return columns(records, names=self.tape.recording.names, next_since=max(last, since), dropped=dropped)

    def overview(self) -> dict[str, list[float | None]]:
        """The whole recording in a few hundred bins: answers and refusals a second, p99 or the largest latency."""
        return overview(self.tape, self.facts().number)


def memory_at(snapshot: Snapshot) -> MemoryStatistics:
    """What a snapshot tells of memory; pools without blocks where it is of a recording that kept none."""
    pools = ({name: value for name, value in pool.items() if name in _POOL_FIELDS} for pool in snapshot.pools)
    return MemoryStatistics(
        tuple(Pool(**pool) for pool in pools), snapshot.blocks, snapshot.names.models, snapshot.tensors
    )


def told_ns(records: Records) -> NDArray[np.int64]:
    """When a live view hears of each record: at its end, if it has one."""
    has_end = records["kind"] <= EventKind.BATCH
    return np.where(has_end, records["end_ns"], records["arrival_ns"]).astype(np.int64)


def facts_of(model: Mapping[str, Any], *, queues: Mapping[int, int]) -> ModelFacts:
    """The facts of a model as a recording tells them."""
    instances = [(str(kind), int(device)) for kind, device in model["instances"]]
    labels = [instance_label(number, kind, device) for number, (kind, device) in enumerate(instances)]
    return ModelFacts(
        name=str(model["name"]),
        version=int(model["version"]),
        instances=tuple(labels) or ("steps",),
        kind="+".join(sorted({kind for kind, _ in instances})) or "ensemble",
        max_batch_size=int(model["max_batch_size"]),
        dynamic=bool(model["dynamic"]),
        max_queue_delay_microseconds=int(model["max_queue_delay_microseconds"]),
        preferred_batch_size=tuple(map(int, model["preferred_batch_size"])),
        queue_length=queues.get(int(model["number"]), 0),
        number=int(model["number"]),
        priority_levels=int(model.get("priority_levels", 0)),
    )


def overview(tape: Tape, number: int | None) -> dict[str, list[float | None]]:
    """Answers and refusals a second, and the latency that nearly all stay below, over a whole tape."""
    span_ns = max(tape.end_ns - tape.start_ns, 1)
    bin_ns = max(span_ns // OVERVIEW_BINS, 1)
    answered, refused = (
        _of_model(tape.records[tape.records["kind"] == kind], number) for kind in (EventKind.REQUEST, EventKind.REFUSED)
    )
    at, refused_at = (
        np.minimum((records["end_ns"].astype(np.int64) - tape.start_ns) // bin_ns, OVERVIEW_BINS - 1)
        for records in (answered, refused)
    )
    p99_s = percentile_per_bin(latency_ns(answered), at, OVERVIEW_BINS, quantile=0.99) / 1e9
    rates = (np.bincount(bins, minlength=OVERVIEW_BINS) * 1e9 / bin_ns for bins in (at, refused_at))
    names = ("answered", "refused", "latency")
    return {
        name: [None if np.isnan(value) else float(f"{value:.4g}") for value in values]
        for name, values in zip(names, (*rates, p99_s), strict=True)
    }


def _queues_of(records: Records, model: Mapping[str, Any]) -> dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """When requests came and when they left the queue, ascending, by priority level."""
    requests = records[(records["kind"] == EventKind.REQUEST) | (records["kind"] == EventKind.REFUSED)]
    left = np.where(requests["kind"] == EventKind.REFUSED, requests["end_ns"], requests["start_ns"]).astype(np.int64)
    came, level = requests["arrival_ns"].astype(np.int64), requests["priority"].astype(np.int64)
    is_known = (level >= 1) & (level <= int(model["priority_levels"]))
    level = np.where(is_known, level, max(int(model.get("default_priority_level", 1)), 1))
    return {int(one): (np.sort(came[level == one]), np.sort(left[level == one])) for one in np.unique(level)}


def _of_model(records: Records, number: int | None) -> Records:
    return records if number is None else records[records["model"] == number]
