# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Retired models: they answer what they took, then they are closed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Thread
from time import monotonic
from typing import Final

from workbench.repository.engine import NativeModel

LOG: Final = logging.getLogger("workbench.repository")
_POLL_S: Final = 0.02
_TOLD: Final = 10
_SERIAL_BITS: Final = 48


@dataclass(slots=True)
class _Retired:
    model: NativeModel
    closed: Callable[[], None]
    since_s: float = field(default_factory=monotonic)
    is_told: bool = False


class Drain:
    """Closes retired models as soon as nothing of theirs is in flight.

    Args:
        patience_s: how long a model may drain until the log tells which of its requests are missing.

    Threads: any thread may add. One thread of its own, started with the first model, waits and closes.
    """

    def __init__(self, *, patience_s: float = 30.0) -> None:
        self._patience_s = patience_s
        self._condition = Condition()
        self._retired: list[_Retired] = []
        self._closing = False
        self._thread: Thread | None = None

    def add(self, model: NativeModel, *, closed: Callable[[], None] = lambda: None) -> None:
        """Close `model` once it has drained, then call `closed`."""
        with self._condition:
            self._retired.append(_Retired(model, closed))
            self._condition.notify_all()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="wb-drain", daemon=True)
                self._thread.start()

    def wait(self, timeout_s: float) -> bool:
        """Wait until all models given so far are closed; False where the time was too short."""
        with self._condition:
            return self._condition.wait_for(lambda: not self._retired, timeout_s)

    def models(self) -> tuple[NativeModel, ...]:
        """Those that are not closed yet."""
        with self._condition:
            return tuple(retired.model for retired in self._retired)

    def close(self, timeout_s: float) -> bool:
        """Wait as `wait` does, then end the thread; what did not drain stays open, and the log tells why."""
        drained = self.wait(timeout_s)
        with self._condition:
            self._closing = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()
        for retired in self._retired:
            self._tell_missing(retired)
        return drained

    def _run(self) -> None:
        while batch := self._next():
            for retired in batch:
                if retired.model.drain(_POLL_S):
                    self._finish(retired)
                elif monotonic() - retired.since_s > self._patience_s:
                    self._tell_missing(retired)

    def _next(self) -> list[_Retired]:
        with self._condition:
            self._condition.wait_for(lambda: self._retired or self._closing)
            return [] if self._closing else list(self._retired)

    @staticmethod
    def _tell_missing(retired: _Retired) -> None:
        # A model that only waits for open sequences misses nothing.
        if retired.is_told or not retired.model.in_flight():
            return
        retired.is_told = True
        model, waited_s = retired.model, monotonic() - retired.since_s
        requests = model.in_flight_requests()
        told = ", ".join(_in_words(number, name) for number, name, _ in requests[:_TOLD])
        more = f" and {len(requests) - _TOLD} more" if len(requests) > _TOLD else ""
        LOG.warning(
            "model %s version %d waits for its backend for %.1f s: not answered or not released: %s",
            *(model.name, model.version, waited_s, told + more if requests else "a response factory"),
        )

    def _finish(self, retired: _Retired) -> None:
        started = monotonic()
        try:
            retired.model.close()
        except Exception:
            # A backend that fails to finalize must not keep the others from being closed.
            LOG.exception("model %s version %d failed to close", retired.model.name, retired.model.version)
        LOG.debug("closed %s version %d in %.3f s", retired.model.name, retired.model.version, monotonic() - started)
        retired.closed()
        with self._condition:
            self._retired.remove(retired)
            self._condition.notify_all()


def _in_words(serial: int, request_id: str) -> str:
    # The upper bits are the model's own number.
    number = f"request {serial & (1 << _SERIAL_BITS) - 1}"
    return f"{number} (id {request_id!r})" if request_id else number
