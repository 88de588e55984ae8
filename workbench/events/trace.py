# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Event columns as a trace in Chrome's JSON format, which Perfetto (ui.perfetto.dev) opens.

A model is a process, an instance a thread of it; a batch is a slice with its three phases inside, a request an
asynchronous slice from its arrival to its answer, a pool a counter. Arrows lead from request to request of a sequence,
and from an ensemble's request, a slice of its model, to those of its steps. A request that was traced by itself is a
nest of slices in a process of its model's traces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.events.event import BatchReason, EventKind, ModelState, Records, StatusCode
from workbench.events.flows import linked_slices
from workbench.events.request_trace import RequestTrace
from workbench.events.stream import RECORD_FIELDS, EventColumns

Slice = dict[str, Any]

_PHASES: Final = (
    ("input", "start_ns", "compute_start_ns"),
    ("compute", "compute_start_ns", "compute_end_ns"),
    ("output", "compute_end_ns", "end_ns"),
)
_MEMORY_PROCESS: Final = 1 << 16  # beyond every model's number
_TRACE_PROCESS: Final = _MEMORY_PROCESS + 1
_TRACE_PARTS: Final = (
    ("request", "REQUEST_START", "REQUEST_END"),
    ("queue", "QUEUE_START", "COMPUTE_START"),
    ("compute input", "COMPUTE_START", "COMPUTE_INPUT_END"),
    ("compute infer", "COMPUTE_INPUT_END", "COMPUTE_OUTPUT_START"),
    ("compute output", "COMPUTE_OUTPUT_START", "COMPUTE_END"),
)
_TRACE_POINTS: Final = frozenset(point for _, *points in _TRACE_PARTS for point in points)


def save_chrome_trace(columns: EventColumns, path: str | Path, *, traces: Sequence[RequestTrace] = ()) -> Path:
    """Writes `chrome_trace(columns, traces=traces)` to a JSON file; returns its path."""
    path = Path(path)
    path.write_text(json.dumps(chrome_trace(columns, traces=traces), separators=(",", ":")), encoding="utf-8")
    return path


def chrome_trace(columns: EventColumns, *, traces: Sequence[RequestTrace] = ()) -> dict[str, Any]:
    """The events, and traces of single requests, as a JSON value; times start at the oldest of all."""
    origin_ns = _origin_ns(columns, traces)
    slices: list[Slice] = [*_names(columns)]
    slices += _batches(columns.batches, origin_ns)
    slices += _requests(columns.requests, origin_ns)
    slices += _refusals(columns.refusals, origin_ns)
    slices += linked_slices(columns, origin_ns)
    slices += _memory(columns, origin_ns)
    slices += _model_states(columns.model_states, origin_ns)
    slices += _traces(traces, origin_ns)
    return {"traceEvents": slices, "displayTimeUnit": "ns"}


def _origin_ns(columns: EventColumns, traces: Sequence[RequestTrace]) -> int:
    arrivals = [getattr(columns, name)["arrival_ns"] for name in RECORD_FIELDS]
    oldest = [int(times.min()) for times in arrivals if len(times)]
    return min([*oldest, *(ns for trace in traces for _, ns in trace.timestamps)], default=0)


def _names(columns: EventColumns) -> Iterator[Slice]:
    for number, (name, version) in enumerate(columns.names.models):
        if number:
            yield _metadata("process_name", number, 0, f"{name} v{version}")
    for model, instance in np.unique(columns.batches[["model", "instance"]]).tolist():
        yield _metadata("thread_name", model, instance + 1, f"instance {instance}")
    if len(columns.memory):
        yield _metadata("process_name", _MEMORY_PROCESS, 0, "memory")


def _batches(batches: Records, origin_ns: int) -> Iterator[Slice]:
    for batch in _dicts(batches):
        place = {"ph": "X", "pid": batch["model"], "tid": batch["instance"] + 1, "cat": "batch"}
        reason = BatchReason(batch["detail"]).name.lower()
        told = {"reason": reason, "requests": batch["count"], "rows": batch["rows"], "batch": batch["batch"]}
        yield {**place, **_span(batch, "start_ns", "end_ns", origin_ns), "name": f"{batch['rows']} rows", "args": told}
        for name, begin, end in _PHASES:
            yield {**place, **_span(batch, begin, end, origin_ns), "name": name}


def _requests(requests: Records, origin_ns: int) -> Iterator[Slice]:
    for request in _dicts(requests):
        place = {"pid": request["model"], "tid": request["instance"] + 1, "cat": "request", "id": request["id"]}
        told = {"batch": request["batch"], "status": StatusCode(request["status"]).name}
        yield {**place, "ph": "b", "name": "request", "ts": _us(request["arrival_ns"], origin_ns), "args": told}
        yield {**place, "ph": "n", "name": "started", "ts": _us(request["start_ns"], origin_ns)}
        yield {**place, "ph": "e", "name": "request", "ts": _us(request["end_ns"], origin_ns)}


def _refusals(refusals: Records, origin_ns: int) -> Iterator[Slice]:
    for refusal in _dicts(refusals):
        status = StatusCode(refusal["status"]).name
        yield _instant(refusal, "end_ns", origin_ns, name=f"refused: {status}", told={"request": refusal["id"]})


def _memory(columns: EventColumns, origin_ns: int) -> Iterator[Slice]:
    for event in _dicts(columns.memory):
        place = {"pid": _MEMORY_PROCESS, "tid": event["instance"], "ts": _us(event["arrival_ns"], origin_ns)}
        pool = columns.names.pool(event["instance"])
        figures = {"live": event["compute_end_ns"], "reserved": event["end_ns"]}
        yield {**place, "ph": "C", "name": f"{pool} bytes", "args": figures}
        if event["kind"] in (EventKind.FALLBACK, EventKind.ALLOCATION_FAILED):
            name = EventKind(event["kind"]).name.lower().replace("_", " ")
            yield {**place, "ph": "i", "s": "p", "name": name, "args": {"bytes": event["start_ns"]}}


def _model_states(states: Records, origin_ns: int) -> Iterator[Slice]:
    for state in _dicts(states):
        yield _instant(state, "arrival_ns", origin_ns, name=ModelState(state["detail"]).name, told={})


def _traces(traces: Sequence[RequestTrace], origin_ns: int) -> Iterator[Slice]:
    models = sorted({(trace.model_name, trace.model_version) for trace in traces})
    processes = {model: _TRACE_PROCESS + number for number, model in enumerate(models)}
    for (name, version), process in processes.items():
        yield _metadata("process_name", process, 0, f"traces of {name} v{version}")
    for trace in traces:
        place = {"pid": processes[trace.model_name, trace.model_version], "tid": 0, "cat": "trace", "id": trace.id}
        for name, begin, end in _TRACE_PARTS:
            first, last = trace.ns(begin), trace.ns(end)
            if first is not None and last is not None:
                told = {"args": {"request_id": trace.request_id}} if name == "request" else {}
                yield {**place, "ph": "b", "name": name, "ts": _us(first, origin_ns), **told}
                yield {**place, "ph": "e", "name": name, "ts": _us(last, origin_ns)}
        for name, ns in trace.timestamps:
            if name not in _TRACE_POINTS:
                yield {**place, "ph": "n", "name": name, "ts": _us(ns, origin_ns)}


def _instant(event: dict[str, int], at: str, origin_ns: int, *, name: str, told: dict[str, int]) -> Slice:
    place = {"ph": "i", "s": "p", "pid": event["model"], "tid": event["instance"] + 1}
    return {**place, "ts": _us(event[at], origin_ns), "name": name, "args": told}


def _metadata(name: str, process: int, thread: int, value: str) -> Slice:
    return {"ph": "M", "name": name, "pid": process, "tid": thread, "args": {"name": value}}


def _span(event: dict[str, int], begin: str, end: str, origin_ns: int) -> Slice:
    return {"ts": _us(event[begin], origin_ns), "dur": (event[end] - event[begin]) / 1e3}


def _us(time_ns: int, origin_ns: int) -> float:
    return (time_ns - origin_ns) / 1e3


def _dicts(records: Records) -> Iterator[dict[str, int]]:
    names = records.dtype.names or ()
    return (dict(zip(names, values, strict=True)) for values in records.tolist())
