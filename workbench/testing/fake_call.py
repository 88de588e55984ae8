# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests and responses of the core made of Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from threading import Condition
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from workbench.testing.fake_model import FakeModel


class FakeResponse:
    """One response."""

    def __init__(
        self,
        outputs: list[tuple[str, str, tuple[int, ...], np.ndarray[Any, Any]]],
        *,
        error: tuple[str, str] | None = None,
        is_final: bool = True,
    ) -> None:
        self.outputs = outputs
        self.error = error
        self.parameters: dict[str, Any] = {}
        self.is_final = is_final


class FakeCall:
    """One request in flight."""

    def __init__(
        self,
        serial: int,
        target: FakeModel,
        inputs: Sequence[tuple[str, str, tuple[int, ...], Any]],
        *,
        request_id: str,
        wanted: tuple[str, ...],
        queue: bool,
        options: Mapping[str, Any],
    ) -> None:
        self._serial = serial
        self.target = target
        self.inputs = inputs
        self.request_id = request_id
        self.wanted = wanted
        self.queue = queue
        self.options = options
        self.is_cancelled = False
        self.on_cancel: Callable[[], None] = lambda: None
        self._condition = Condition()
        self._responses: deque[FakeResponse] = deque()
        self._is_answered = False

    @property
    def serial(self) -> int:
        """Its number once it is answered; 0 before."""
        return self._serial if self._is_answered else 0

    @property
    def finished(self) -> bool:
        """No further response will come."""
        with self._condition:
            return self._is_answered and not self._responses

    def wait(self, timeout_s: float) -> bool:
        """Wait for the final response."""
        with self._condition:
            return self._condition.wait_for(lambda: self._is_answered, timeout_s)

    def cancel(self) -> None:
        """Answer CANCELLED where no answer came yet."""
        self.is_cancelled = True
        self.on_cancel()

    def take(self, timeout_s: float) -> FakeResponse | None:
        """The next response."""
        with self._condition:
            self._condition.wait_for(lambda: self._responses or self._is_answered, timeout_s)
            return self._responses.popleft() if self._responses else None

    def answer(self, response: FakeResponse) -> None:
        """Give it a response."""
        with self._condition:
            self._responses.append(response)
            self._is_answered = self._is_answered or response.is_final
            self._condition.notify_all()
