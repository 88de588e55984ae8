# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.server import Server, TraceSettings
from workbench.server.trace import TraceBook
from workbench.testing import FakeEngine


def row(model: str = "m", number: int = 1, **more: Any) -> dict[str, Any]:
    told = {"id": number, "parent_id": 0, "model_name": model, "model_version": 1, "request_id": "seven"}
    return {**told, "timestamps": [("REQUEST_START", 10), ("REQUEST_END", 30)], "tensors": [], **more}


TENSOR = {
    "activity": "TENSOR_QUEUE_INPUT",
    "name": "IN",
    "datatype": "FP32",
    "shape": (1, 2),
    "data": np.array([1.5, 2], np.float32).tobytes(),
}


def test_settings_reach_the_engine_and_come_back(engine: FakeEngine) -> None:
    book = TraceBook(engine)
    assert book.settings("m") == TraceSettings()
    book.update("", {"trace_level": ("TIMESTAMPS", "TENSORS"), "trace_rate": 10})
    assert engine.traced == {"": (12, 10, -1)}
    assert book.settings("m").trace_rate == 10
    book.update("m", {"trace_count": 5})
    assert engine.traced["m"] == (12, 10, 5)
    book.clear("m")
    assert book.settings("m").trace_count == -1
    assert "m" not in engine.traced


@pytest.mark.parametrize(
    "wrong",
    [
        {"trace_level": ("LOUD",)},
        {"trace_level": ("OFF", "TENSORS")},
        {"trace_rate": 0},
        {"trace_count": -2},
        {"rate": 1},
    ],
)
def test_settings_are_checked(engine: FakeEngine, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError):
        TraceBook(engine).update("", wrong)
    assert engine.traced == {}


def test_traces_tell_points_and_spans(server: Server, engine: FakeEngine) -> None:
    engine.traces = [row()]
    (trace,) = server.traces()
    assert trace.ns("REQUEST_END") == 30
    assert trace.span_ns("REQUEST_START", "REQUEST_END") == 20
    assert trace.span_ns("QUEUE_START", "REQUEST_END") is None
    assert server.traces() == (trace,)


def test_a_trace_file_has_the_form_of_the_original(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    server.trace(trace_level=("TIMESTAMPS",), trace_file=str(file))
    engine.traces = [row(tensors=[TENSOR, {**TENSOR, "data": b""}])]
    server.traces()
    assert json.loads(file.read_text()) == [
        {"id": 1, "model_name": "m", "model_version": 1, "request_id": "seven"},
        {"id": 1, "timestamps": [{"name": "REQUEST_START", "ns": 10}, {"name": "REQUEST_END", "ns": 30}]},
        {
            "id": 1,
            "activity": "TENSOR_QUEUE_INPUT",
            "tensor": {"name": "IN", "data": "1.5,2.0", "shape": "1,2", "dtype": "FP32"},
        },
        {
            "id": 1,
            "activity": "TENSOR_QUEUE_INPUT",
            "tensor": {"name": "IN", "data": "", "shape": "1,2", "dtype": "FP32"},
        },
    ]


def test_a_file_grows_with_each_look(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    server.trace("m", trace_level=("TIMESTAMPS",), trace_file=str(file))
    for number in (1, 2):
        engine.traces = [row(number=number), row("other", number=number + 10)]
        server.traces()
    assert {entry["id"] for entry in json.loads(file.read_text())} == {1, 2}
