# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import threading

import pytest

from workbench.repository.drain import Drain


class Kept:
    """A model with a request that its backend keeps."""

    name, version = "m", 3

    def __init__(self, *requests: tuple[int, str, int]) -> None:
        self.requests = list(requests)
        self.is_closed = False

    def drain(self, timeout_s: float) -> bool:
        threading.Event().wait(timeout_s)
        return not self.requests

    def in_flight(self) -> int:
        return len(self.requests)

    def in_flight_requests(self) -> list[tuple[int, str, int]]:
        return self.requests

    def close(self) -> None:
        self.is_closed = True


def test_end_that_takes_too_long_tells_which_requests_are_missing(caplog: pytest.LogCaptureFixture) -> None:
    drain = Drain()
    drain.add(Kept(((5 << 48) + 7, "mine", 0), (8, "", 0)))  # type: ignore[arg-type]
    assert not drain.close(0.01)
    assert "model m version 3" in caplog.text
    assert "request 7 (id 'mine'), request 8" in caplog.text


def test_model_that_drains_for_long_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    drain = Drain(patience_s=0)
    model = Kept(*((number, "", 0) for number in range(12)))
    drain.add(model)  # type: ignore[arg-type]
    assert not drain.wait(0.2)
    model.requests.clear()
    assert drain.close(5)
    assert model.is_closed
    assert caplog.text.count("waits for its backend") == 1
    assert "and 2 more" in caplog.text


def test_model_without_requests_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    drain = Drain()
    model = Kept()
    drain.add(model)  # type: ignore[arg-type]
    assert drain.close(5)
    assert model.is_closed
    assert not caplog.text
