# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where the time of one request went, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from workbench.errors import STATUS_CODES, NotFoundError
from workbench.server.parts import ServerParts
from workbench.server.rendering import format_ns

_WHY: Final = (
    "for a reason that was not recorded",
    "at once: the model does not batch",
    "because it was full",
    "because it had reached a preferred size",
    "because the queue delay had passed",
    "because an instance was free",
    "because the next request had another shape",
    "because the custom rule said so",
    "when the sequence scheduler chose it",
    "because the server was shutting down",
)
_REASONS: Final = (
    "none", "direct", "full", "preferred", "delay_expired", "instance_free", "shape_mismatch", "custom", "sequence",
    "shutdown",
)  # fmt: skip
_REQUEST: Final = 1
_REFUSED: Final = 2
_ALL: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Explanation:
    """One request's life.

    Attributes:
        serial: the request's number in the events.
        model, version: what it was sent to.
        status: how it ended, "OK" or the name of an error's status.
        reason: why its batch left: a batch's reason, "none" for a request that was refused.
        queue_ns, compute_input_ns, compute_infer_ns, compute_output_ns: the parts of its time.
        rows: its own share of the batch.
        batch_requests: requests of its batch, itself counted.
        instance: index of the model's instance that ran it.
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

    @property
    def total_ns(self) -> int:
        """From its arrival to its answer."""
        return self.queue_ns + self.compute_input_ns + self.compute_infer_ns + self.compute_output_ns

    def __str__(self) -> str:
        if not self.batch_requests:
            waited = format_ns(self.queue_ns)
            return f"request {self.serial} of {self.model} waited {waited} and was refused: {self.status}"
        others = self.batch_requests - 1
        company = "alone" if not others else f"with {others} other{'s' if others > 1 else ''}"
        return (
            f"request {self.serial} of {self.model} waited {format_ns(self.queue_ns)}; its batch left {company} "
            f"{_WHY[_REASONS.index(self.reason)]}, ran on instance {self.instance} for "
            f"{format_ns(self.compute_input_ns + self.compute_infer_ns + self.compute_output_ns)} "
            f"({format_ns(self.compute_infer_ns)} of it computing) and ended {self.status}"
        )

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))


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
    records, _, _ = parts.engine.events(0, _ALL)
    found = records[(records["id"] == serial) & (records["kind"] <= _REFUSED) & (records["kind"] >= _REQUEST)]
    if not len(found):
        message = f"the events hold nothing of request {request_id!r}: it is not answered yet, or long ago"
        raise NotFoundError(message)
    return _explanation(found[-1], parts.engine.model_names()[int(found[-1]["model"])])


def _explanation(record: np.void, model: tuple[str, int]) -> Explanation:
    times = [int(record[name]) for name in ("arrival_ns", "start_ns", "compute_start_ns", "compute_end_ns", "end_ns")]
    arrival, start, compute_start, compute_end, end = times
    is_refused = record["kind"] == _REFUSED
    if is_refused:
        start = compute_start = compute_end = end
    return Explanation(
        serial=int(record["id"]),
        model=model[0],
        version=model[1],
        status=("OK", *STATUS_CODES)[int(record["status"])],
        reason=_REASONS[int(record["detail"])],
        queue_ns=start - arrival,
        compute_input_ns=compute_start - start,
        compute_infer_ns=compute_end - compute_start,
        compute_output_ns=end - compute_end,
        rows=int(record["rows"]),
        batch_requests=0 if is_refused else max(int(record["count"]), 1),
        instance=int(record["instance"]),
    )
