# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest

from workbench.errors import NotFoundError
from workbench.events import EVENT_DTYPE
from workbench.server import Model, Server
from workbench.testing import FakeEngine

X = np.zeros((1, 4), np.float32)


@pytest.fixture
def model(server: Server) -> Model:
    return server.load("m")


def record(serial: int, **fields: int) -> np.ndarray:
    row = np.zeros(1, EVENT_DTYPE)
    times = {"arrival_ns": 1000, "start_ns": 3000, "compute_start_ns": 4000, "compute_end_ns": 9000, "end_ns": 10_000}
    for name, value in {"id": serial, "kind": 1, "model": 1, **times, **fields}.items():
        row[name] = value
    return row


def test_request_is_explained_by_its_id(model: Model, engine: FakeEngine) -> None:
    reply = model.infer({"INPUT0": X}, request_id="mine")
    engine.records = record(reply.serial, detail=4, count=7, rows=1, instance=1)
    explanation = model.explain("mine")
    assert (explanation.queue_ns, explanation.compute_infer_ns, explanation.total_ns) == (2000, 5000, 9000)
    assert (explanation.reason, explanation.batch_requests, explanation.status) == ("delay_expired", 7, "OK")
    assert "on instance 1, with 6 others" in str(explanation)
    assert "7 of 8 came, then the queue delay ended" in str(explanation)
    assert model.explain(reply.serial) == explanation


def test_refused_request_says_how_long_it_waited(model: Model, engine: FakeEngine) -> None:
    reply = model.infer({"INPUT0": X}, request_id="mine")
    engine.records = record(reply.serial, kind=2, status=5)
    explanation = model.explain("mine")
    assert str(explanation).endswith("waited 9 µs and was refused: UNAVAILABLE")
    assert (explanation.queue_ns, explanation.total_ns, explanation.batch_requests) == (9000, 9000, 0)


def test_id_that_was_never_sent_is_not_found(model: Model) -> None:
    with pytest.raises(NotFoundError, match="request_id='other'"):
        model.explain("other")


def test_request_that_the_events_no_longer_hold_is_not_found(model: Model) -> None:
    model.infer({"INPUT0": X}, request_id="mine")
    with pytest.raises(NotFoundError, match="not answered yet, or long ago"):
        model.explain("mine")
