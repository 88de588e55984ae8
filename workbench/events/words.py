# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Events in plain words: why a batch left, and where a request's time went."""

from __future__ import annotations

from typing import Final

import numpy as np

from workbench.errors import NotFoundError
from workbench.events.event import BatchReason, EventKind, Records, StatusCode
from workbench.events.linked import SequencePlace, sequence_place, steps_of
from workbench.events.stream import EventColumns

_UNITS: Final = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))

_ENDINGS: Final = {
    BatchReason.NONE: "the reason was not recorded",
    BatchReason.PREFERRED: "that is a preferred size",
    BatchReason.INSTANCE_FREE: "an instance was free and did not wait for more",
    BatchReason.SHAPE_MISMATCH: "the next request had another shape",
    BatchReason.CUSTOM: "the model's own rule sent it",
    BatchReason.SEQUENCE: "the sequences had no more to give",
    BatchReason.SHUTDOWN: "the model was being shut down",
    BatchReason.CACHED: "the response cache had the answer",
}


def duration(nanoseconds: float) -> str:
    """A duration with at most three digits and the unit that suits its size: `1.9 ms`."""
    for size, unit in _UNITS:
        if nanoseconds >= 0.9995 * size:
            value = nanoseconds / size
            return f"{value:.0f} {unit}" if value >= 99.95 else f"{value:.3g} {unit}"
    return f"{nanoseconds:.0f} ns"


def words(reason: int, *, rows: int, max_batch_size: int = 0, max_queue_delay_ns: int = 0) -> str:
    """Why a batch of `rows` left the queue: `7 of 8 came, then the delay of 2 ms ended`.

    Args:
        reason: BatchReason of the batch.
        rows: batch rows that it had.
        max_batch_size: rows that it could have had; 0 where that is not known.
        max_queue_delay_ns: configured delay; 0 where that is not known.
    """
    reason = BatchReason(reason)
    if reason is BatchReason.DIRECT:
        return "the model takes each request at once"
    if reason is BatchReason.FULL:
        return f"all {rows} came, so the batch was full"
    came = f"{rows} of {max_batch_size} came" if max_batch_size else f"{rows} came"
    if reason is BatchReason.DELAY_EXPIRED:
        delay = f"the delay of {duration(max_queue_delay_ns)}" if max_queue_delay_ns else "the queue delay"
        return f"{came}, then {delay} ended"
    return f"{came}; {_ENDINGS[reason]}"


def explain_request(columns: EventColumns, serial: int, *, max_batch_size: int = 0, max_queue_delay_ns: int = 0) -> str:
    """Where one request's time went: `waited 1.9 ms for its batch: 7 of 8 came, then the delay of 2 ms ended; ...`.

    Args:
        columns: events among which the request is.
        serial: the request's number, `id` of its record.
        max_batch_size: of its model then; 0 where that is not known.
        max_queue_delay_ns: of its model then; 0 where that is not known.

    Raises:
        NotFoundError: the columns hold no such request.
    """
    if (refusal := _find(columns.refusals, serial)) is not None:
        waited = duration(int(refusal["end_ns"]) - int(refusal["arrival_ns"]))
        return f"waited {waited} and was refused: {StatusCode(refusal['status']).name}"
    request = _find(columns.requests, serial)
    if request is None:
        raise NotFoundError(f"the events hold no request {serial}; it is not answered yet, or its record is gone")
    if not request["count"]:
        is_cached = request["detail"] == BatchReason.CACHED
        return _cached(request) if is_cached else _composed(columns, request)
    why = words(
        request["detail"],
        rows=_batch_rows(columns, request),
        max_batch_size=max_batch_size,
        max_queue_delay_ns=max_queue_delay_ns,
    )
    waited = duration(int(request["start_ns"]) - int(request["arrival_ns"]))
    place = sequence_place(columns, request)
    before = place_words(place, start_ns=int(request["start_ns"])) if place is not None else ""
    return f"{before}waited {waited} for its batch: {why}; {_execution(request)}"


def place_words(place: SequencePlace, *, start_ns: int) -> str:
    """Where a request stands in its sequence, and the parts of its wait: the beginning of a sentence."""
    flags = {(True, True): ", its only one", (True, False): ", its start", (False, True): ", its end"}
    told = f"request {place.position + 1} of sequence {place.label}{flags.get((place.is_start, place.is_end), '')}"
    waits = (
        (place.slot_wait_ns, "until its sequence had a slot"),
        (place.previous_wait_ns, "until the request before it was done"),
        (max(start_ns - place.ready_ns, 0), "then for its batch"),
    )
    parts = [f"{duration(wait)} {what}" for wait, what in waits if wait > 0]
    held = place.slot_wait_ns + place.previous_wait_ns
    return f"{told}, in slot {place.slot}{': ' + ', '.join(parts) if held else ''}; "


def _cached(request: np.void) -> str:
    took = duration(int(request["end_ns"]) - int(request["arrival_ns"]))
    return f"was answered out of the response cache in {took}{_failure(request)}"


def _composed(columns: EventColumns, request: np.void) -> str:
    """Of an ensemble's request, which no instance executes."""
    steps = steps_of(columns, int(request["id"]))
    ran = duration(int(request["end_ns"]) - int(request["arrival_ns"]))
    told = "".join(f"; {_step(columns, number, record)}" for number, record in steps)
    return f"ran {ran} through {len(steps)} step{'' if len(steps) == 1 else 's'}{_failure(request)}{told}"


def _step(columns: EventColumns, number: int, record: np.void | None) -> str:
    """Which step took what."""
    if record is None:
        return f"step {number}: its record is gone"
    name = f"step {number} ({columns.names.model(int(record['model']))})"
    took = duration(int(record["end_ns"]) - int(record["arrival_ns"]))
    if record["kind"] == EventKind.REFUSED:
        return f"{name} was refused after {took}: {StatusCode(record['status']).name}"
    if not record["count"]:
        how = (
            "the response cache had the answer"
            if record["detail"] == BatchReason.CACHED
            else "through steps of its own"
        )
        return f"{name} took {took}: {how}{_failure(record)}"
    waited = duration(int(record["start_ns"]) - int(record["arrival_ns"]))
    return f"{name} took {took}: waited {waited}, {_execution(record)}"


def _find(records: Records, serial: int) -> np.void | None:
    found = np.flatnonzero(records["id"] == serial)
    return records[found[-1]] if len(found) else None


def _batch_rows(columns: EventColumns, request: np.void) -> int:
    batches = columns.batches
    same = np.ones(len(batches), bool)
    for name in ("batch", "model", "instance"):
        same &= batches[name] == request[name]
    found = np.flatnonzero(same)
    return int(batches["rows"][found[-1]]) if len(found) else int(request["count"])


def _execution(request: np.void) -> str:
    ran = duration(int(request["end_ns"]) - int(request["start_ns"]))
    others = int(request["count"]) - 1
    company = "alone" if others < 1 else "with 1 other" if others == 1 else f"with {others} others"
    return f"then ran {ran} on instance {request['instance']}, {company}{_failure(request)}"


def _failure(request: np.void) -> str:
    status = StatusCode(request["status"])
    return "" if status is StatusCode.OK else f", and failed: {status.name}"
