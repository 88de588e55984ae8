# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.waiting import wait_until
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
        {"log_frequency": -1},
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


def ids_of(path: Path) -> list[int]:
    """Of the traces that a file holds, in its order."""
    return list(dict.fromkeys(entry["id"] for entry in json.loads(path.read_text())))


@pytest.mark.parametrize(("setting", "divided"), [({"log_frequency": 2}, [2, 2]), ({"trace_count": 3}, [3])])
def test_a_frequency_and_a_count_divide_traces_into_numbered_files(
    server: Server, engine: FakeEngine, tmp_path: Path, setting: dict[str, int], divided: list[int]
) -> None:
    file = tmp_path / "trace.json"
    server.trace("m", trace_level=("TIMESTAMPS",), trace_file=str(file), **setting)
    engine.traces = [row(number=number) for number in range(1, 6)]
    server.traces()
    parts = [file.with_name(f"trace.json.{index}") for index in range(len(divided))]
    assert [len(ids_of(part)) for part in parts] == divided
    assert not file.exists()
    server.trace("m", trace_level=("OFF",))
    left = [number for number in range(1, 6) if number > sum(divided)]
    assert ids_of(file) == left


def test_the_steps_of_an_ensemble_go_with_it(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    server.trace("whole", trace_level=("TIMESTAMPS",), trace_file=str(file), log_frequency=1)
    engine.traces = [row("step", 3, parent_id=2), row("inner", 2, parent_id=1), row("step", 4, parent_id=1)]
    server.traces()
    assert list(tmp_path.glob("trace.json*")) == []
    engine.traces = [row("whole", 1)]
    server.traces()
    assert ids_of(file.with_name("trace.json.0")) == [1, 2, 3, 4]


def test_files_are_written_as_traces_end_without_a_look(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    server.trace(trace_level=("TIMESTAMPS",), trace_file=str(file))
    engine.traces = [row()]
    wait_until(file.exists)
    engine.traces = [row(number=2)]
    server.close()
    assert ids_of(file) == [1, 2]


def test_a_file_that_can_not_be_written_costs_no_request(
    server: Server, engine: FakeEngine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.trace(trace_level=("TIMESTAMPS",), trace_file=str(tmp_path / "none" / "trace.json"))
    engine.traces = [row()]
    wait_until(lambda: "traces can not be written" in caplog.text)
    server.close()


def test_a_file_grows_with_each_look(server: Server, engine: FakeEngine, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    server.trace("m", trace_level=("TIMESTAMPS",), trace_file=str(file))
    for number in (1, 2):
        engine.traces = [row(number=number), row("other", number=number + 10)]
        server.traces()
    assert {entry["id"] for entry in json.loads(file.read_text())} == {1, 2}
