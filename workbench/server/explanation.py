# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where the time of one request went, and why its batch left when it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from workbench.errors import NotFoundError, UnavailableError
from workbench.events import (
    BatchReason,
    EventColumns,
    EventKind,
    EventNames,
    SequencePlace,
    StatusCode,
    columns,
    explain_request,
    sequence_place,
    steps_of,
)
from workbench.server.parts import ServerParts

_ALL: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Explanation:
    """One request's life.

    Attributes:
        serial: the request's number in the events.
        model, version: what it was sent to.
        status: how it ended, "OK" or the name of an error's status.
        reason: why its batch left, "none" for a request that was refused.
        queue_ns, compute_input_ns, compute_infer_ns, compute_output_ns: the parts of its time.
        rows: its own share of the batch.
        batch_requests: requests of its batch, itself counted; 0 for a request that was refused.
        instance: index of the model's instance that ran it.
        words: all that as a sentence.
        steps: of an ensemble's request, those of its steps in the order in which they came.
        sequence: where a request of a sequence stands in it; None for any other.
    """

    serial: int
    model: str
    version: int
    status: str
    reason: str
    queue_ns: int
    compute_input_ns: int
    compute_infer_ns: int
    compute_output_ns: int
    rows: int
    batch_requests: int
    instance: int
    words: str
    steps: tuple[Explanation, ...] = ()
    sequence: SequencePlace | None = None

    @property
    def total_ns(self) -> int:
        """From its arrival to its answer."""
        return self.queue_ns + self.compute_input_ns + self.compute_infer_ns + self.compute_output_ns

    def __str__(self) -> str:
        return f"request {self.serial} of {self.model}: {self.words}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))


def read_events(parts: ServerParts, since: int = 0, until: int | None = None) -> EventColumns:
    """The events of a server from the sequence number `since` on, and before `until` where that is given."""
    limit = _ALL if until is None else max(until - since, 0)
    records, next_since, dropped = parts.engine.events(since, limit)
    names = EventNames(tuple(parts.engine.model_names()), tuple(pool["name"] for pool in parts.engine.pools()))
    return columns(records, names=names, next_since=next_since, dropped=dropped)


def explain(parts: ServerParts, request_id: str | int) -> Explanation:
    """What the events say of a request.

    Args:
        parts: of the server that had it.
        request_id: the id that it was sent with, or its number.

    Raises:
        NotFoundError: no such request, it is not answered yet, or its record was dropped since.
    """
    serial = parts.recent.serial(request_id) if isinstance(request_id, str) else request_id
    if serial is None:
        message = f"no request was sent with the id {request_id!r}; infer(..., request_id={request_id!r}) gives it one"
        raise NotFoundError(message)
    events = read_events(parts)
    for records, is_refused in ((events.requests, False), (events.refusals, True)):
        found = np.flatnonzero(records["id"] == serial)
        if len(found):
            return _explanation(parts, events, records[found[-1]], is_refused=is_refused)
    message = f"the events hold nothing of request {request_id!r}: it is not answered yet, or long ago"
    raise NotFoundError(message)


def _explanation(parts: ServerParts, events: EventColumns, record: np.void, *, is_refused: bool) -> Explanation:
    arrival, start, compute_start, compute_end, end = _times(record, is_refused=is_refused)
    serial = int(record["id"])
    model, version = events.names.models[int(record["model"])]
    return Explanation(
        serial=serial,
        model=model,
        version=version,
        status=StatusCode(record["status"]).name,
        reason="none" if is_refused else BatchReason(record["detail"]).name.lower(),
        queue_ns=start - arrival,
        compute_input_ns=compute_start - start,
        compute_infer_ns=compute_end - compute_start,
        compute_output_ns=end - compute_end,
        rows=int(record["rows"]),
        batch_requests=0 if is_refused else max(int(record["count"]), 1),
        instance=int(record["instance"]),
        words=explain_request(events, serial, **_batching(parts, model, version)),
        steps=_steps(parts, events, serial),
        sequence=None if is_refused else sequence_place(events, record),
    )


def _steps(parts: ServerParts, events: EventColumns, serial: int) -> tuple[Explanation, ...]:
    told = (record for _, record in steps_of(events, serial) if record is not None)
    return tuple(_explanation(parts, events, record, is_refused=record["kind"] == EventKind.REFUSED) for record in told)


def _times(record: np.void, *, is_refused: bool) -> tuple[int, int, int, int, int]:
    arrival, end = int(record["arrival_ns"]), int(record["end_ns"])
    if is_refused:
        return arrival, end, end, end, end
    return arrival, int(record["start_ns"]), int(record["compute_start_ns"]), int(record["compute_end_ns"]), end


def _batching(parts: ServerParts, model: str, version: int) -> dict[str, int]:
    """The figures that the words name, where the model still serves."""
    try:
        spec = parts.repository.version(model, version).spec
    except (NotFoundError, UnavailableError):
        return {}
    return {"max_batch_size": spec.max_batch_size, "max_queue_delay_ns": spec.batching.max_queue_delay_ns}
