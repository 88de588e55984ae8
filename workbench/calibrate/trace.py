# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a run of requests shows: each with its times, on one clock, beside the execution that it was part of."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.errors import InvalidArgumentError, UnknownError
from workbench.events import EventKind
from workbench.load import Inputs, ModelTarget, Sequences, ServedModel, Workload

Times = NDArray[np.int64]

_WAIT_S: Final = 0.05
_EVENTS_WITHIN_S: Final = 2.0
_PAGE: Final = 1 << 20
_WARM: Final = 2
"""Executions at the start of a burst that are left out: its requests are still being sent then."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Requests of one run in the order in which they were sent; nanoseconds of the steady clock.

    Args:
        sent_ns: when it was sent.
        arrival_ns: when it was in the queue.
        start_ns: when its execution began.
        done_ns: when its answer was there.
        count: requests of its execution.
    """

    sent_ns: Times
    arrival_ns: Times
    start_ns: Times
    done_ns: Times
    count: Times

    def service_ns(self, size: int) -> Times:
        """Of each execution of that size: from its start to its answers, in the mean of its requests."""
        chosen = self.count == size
        starts, which = np.unique(self.start_ns[chosen], return_inverse=True)
        answered = np.bincount(which, weights=(self.done_ns - self.start_ns)[chosen], minlength=len(starts))
        return np.rint(answered[_WARM:] / np.bincount(which)[_WARM:]).astype(np.int64)

    def periods_ns(self) -> Times:
        """From the start of each execution to that of the next; of one instance that was never idle."""
        return np.diff(np.unique(self.start_ns))[_WARM:].astype(np.int64)

    def pauses_ns(self) -> Times:
        """How long the instance had been idle when each execution began, in their order; 0 at the first: of one."""
        starts, which = np.unique(self.start_ns, return_inverse=True)
        ends = np.zeros(len(starts), dtype=np.int64)
        np.maximum.at(ends, which, self.done_ns)
        return np.concatenate(([0], np.maximum(starts[1:] - np.maximum.accumulate(ends)[:-1], 0)))

    def found_idle(self) -> NDArray[np.bool_]:
        """Whether a request came when all before it had been answered: of one instance."""
        before = np.concatenate(([0], np.maximum.accumulate(self.done_ns)[:-1]))
        return self.arrival_ns > before


class Tracer:
    """Sends requests to a model of a server, and reads what its event log tells of them.

    Raises:
        InvalidArgumentError: the server keeps no events.
    """

    def __init__(self, model: ServedModel, *, inputs: Inputs = None, seed: int = 1) -> None:
        self._model = model
        self._inputs = inputs
        self._seed = seed
        self._since = 0

    def burst(self, size: int, executions: int, *, lanes: int = 0) -> Trace:
        """As many requests at once as fill the executions, those that are left out included.

        With `lanes` they belong to so many sequences, whose requests run one after the other.
        """
        count = size * (executions + _WARM + 1)
        sequences = Sequences(in_flight=lanes, length=count) if lanes else None
        return self.send(np.zeros(count, dtype=np.int64), sequences=sequences)

    def send(self, schedule_ns: Times, *, sequences: Sequences | None = None) -> Trace:
        """Sends requests at these times, since the start; the stop button ends it.

        Raises:
            UnknownError: requests failed, or the event log lost some of them.
        """
        self._drain()
        target = ModelTarget(self._model, inputs=self._inputs, sequences=sequences, seed=self._seed)
        run: Any = target.start(Workload(rate=1.0, requests=len(schedule_ns)), schedule_ns)
        try:
            while not run.wait(_WAIT_S):
                pass
        except BaseException:
            run.stop()
            raise
        records = run.records()
        if np.any(records["status"] != 0) or np.any(records["done_ns"] == 0):
            raise UnknownError(f"requests to {self._model.name!r} failed while it was calibrated")
        events = self._requests(len(records), after_ns=run.start_ns)
        return Trace(
            sent_ns=run.start_ns + records["sent_ns"],
            arrival_ns=events["arrival_ns"].astype(np.int64),
            start_ns=events["start_ns"].astype(np.int64),
            done_ns=run.start_ns + records["done_ns"],
            count=np.maximum(events["count"], 1).astype(np.int64),
        )

    def _requests(self, count: int, *, after_ns: int) -> NDArray[np.void]:
        """Records of the run's requests in the order of their numbers; the log has them a little later."""
        known: list[NDArray[np.void]] = []
        number = self._number()
        deadline = monotonic() + _EVENTS_WITHIN_S
        while sum(map(len, known)) < count and monotonic() < deadline:
            page, self._since, _ = self._model.engine.events(self._since, _PAGE)
            is_ours = (page["kind"] == EventKind.REQUEST) & (page["model"] == number) & (page["start_ns"] >= after_ns)
            known.append(page[is_ours])
            if not len(page):
                sleep(0.005)
        found = np.concatenate(known)
        if len(found) != count:
            raise UnknownError(
                f"{len(found):,} of {count:,} requests are in the event log: others send to the model too, "
                "or the server keeps too few events"
            )
        return found[np.argsort(found["id"], kind="stable")]

    def _drain(self) -> None:
        while True:
            page, self._since, _ = self._model.engine.events(self._since, _PAGE)
            if not len(page):
                return

    def _number(self) -> int:
        names = self._model.engine.model_names()
        numbers = [number for number, (name, _) in enumerate(names) if name == self._model.name]
        if not numbers:
            raise InvalidArgumentError("the server keeps no events: make it with event_byte_size greater than 0")
        return numbers[-1]
