# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sequences: stateful models in cells, what is refused, what changes under way."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")

TOTAL = """
#include "workbench/backend.hpp"

class Total {
 public:
  void Execute(workbench::Request& request) {
    const workbench::Input before = request.input("TOTAL");
    const std::vector<int32_t> total = {before.as<int32_t>()[0] + request.input("IN").as<int32_t>()[0]};
    request.state("NEXT").Write(total, before.shape());
    request.output("OUT").Write(total, before.shape());
  }
};
WORKBENCH_BACKEND(Total)
"""
COUNTDOWN = """
#include "workbench/backend.hpp"

class Countdown {
 public:
  void Execute(workbench::Request& request) {
    const workbench::Input before = request.input("TOTAL");
    const std::vector<int32_t> count = {before.as<int32_t>()[0] + 1};
    request.state("NEXT").Write(count, before.shape());
    request.output("OUT").Write(count, before.shape());
    if (count[0] < request.input("IN").as<int32_t>()[0]) request.Reschedule();
  }
};
WORKBENCH_BACKEND(Countdown)
"""
STRICT = TOTAL.replace(
    "Execute(workbench::Request& request) {",
    """Execute(workbench::Request& request) {
    if (!request.has_input("TOTAL")) std::abort();
""",
).replace("#include", "#include <cstdlib>\n#include", 1)
CLOSING = """
backend: "total" max_batch_size: 4
input [ { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
sequence_batching {
  max_sequence_idle_microseconds: 60000000
  state { input_name: "TOTAL" output_name: "NEXT" data_type: TYPE_INT32 dims: [ 1 ] }
}
"""
INITIAL = 'initial_state { name: "begin" data_type: TYPE_INT32 dims: [ 1 ] zero_data: true }'

Load = Callable[..., Any]


@pytest.fixture(scope="session")
def libraries() -> dict[str, Any]:
    return {name: wb.build_backend(name, source) for name, source in (("total", TOTAL), ("countdown", COUNTDOWN))}


@pytest.fixture
def load(server: wb.Server, libraries: dict[str, Any]) -> Load:
    """Loads a model that keeps a total for each of its sequences: `load(sequence_batching)`."""

    def load(
        sequence: str = "", *, backend: str = "total", initial: str = INITIAL, max_batch_size: int = 4, extra: str = ""
    ) -> Any:
        assert backend in libraries
        return server.load(
            "m",
            config=f"""
            backend: "{backend}" max_batch_size: {max_batch_size}
            input [ {{ name: "IN" data_type: TYPE_INT32 dims: [ 1 ] }} ]
            output [ {{ name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }} ]
            sequence_batching {{
              {sequence}
              state {{ input_name: "TOTAL" output_name: "NEXT" data_type: TYPE_INT32 dims: [ 1 ] {initial} }}
            }}
            {extra}
            """,
        )

    return load


def add(model: Any, value: int, id: int | str, *, start: bool = False, end: bool = False) -> int:  # noqa: A002
    reply = model.infer({"IN": np.array([[value]], np.int32)}, sequence=wb.Sequence(id, start=start, end=end))
    return int(reply["OUT"].ravel()[0])


@pytest.mark.parametrize("strategy", ["", "direct { }", "oldest { max_candidate_sequences: 8 }"])
def test_each_sequence_has_its_own_state(load: Load, strategy: str) -> None:
    model = load(strategy)
    assert [add(model, 1, 1, start=True), add(model, 10, "one", start=True)] == [1, 10]
    assert [add(model, 1, 1), add(model, 10, "one")] == [2, 20]
    assert [add(model, 1, 1, end=True), add(model, 10, "one", end=True)] == [3, 30]
    assert add(model, 5, 1, start=True) == 5


def test_a_sequence_begins_with_start(load: Load) -> None:
    model = load()
    with pytest.raises(wb.InvalidArgumentError, match="START"):
        add(model, 1, 1)
    with pytest.raises(wb.InvalidArgumentError, match="correlation id"):
        model.infer({"IN": np.array([[1]], np.int32)})


def test_an_initial_state_comes_from_a_file(server: wb.Server, load: Load, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    (folder / "1").mkdir(parents=True)
    (folder / "initial_state").mkdir()
    (folder / "initial_state/hundred").write_bytes(np.array([100], np.int32).tobytes())
    model = load(
        initial='initial_state { name: "begin" data_type: TYPE_INT32 dims: [ 1 ] data_file: "hundred" }',
    )
    assert add(model, 1, 1, start=True) == 101


def test_a_missing_file_of_an_initial_state_is_named(load: Load) -> None:
    with pytest.raises(wb.LoadError, match="initial_state/nowhere"):
        load(initial='initial_state { name: "begin" data_type: TYPE_INT32 dims: [ 1 ] data_file: "nowhere" }')


def test_batches_say_that_they_are_of_sequences(server: wb.Server, load: Load) -> None:
    model = load()
    add(model, 1, 1, start=True)
    assert (
        model.explain(model.infer({"IN": np.array([[1]], np.int32)}, sequence=wb.Sequence(1)).serial).reason
        == "sequence"
    )


def test_delay_and_idle_time_change_under_way(load: Load) -> None:
    model = load("direct { max_queue_delay_microseconds: 60000000 minimum_slot_utilization: 1.0 }")
    number = model.number
    waiting = model.stream({"IN": np.array([[1]], np.int32)}, sequence=wb.Sequence(1, start=True))
    model.reconfigure(max_queue_delay_microseconds=0)
    assert [int(reply["OUT"].ravel()[0]) for reply in waiting] == [1]
    model.reconfigure(minimum_slot_utilization=0.0, max_sequence_idle_microseconds=60_000_000)
    assert add(model, 1, 1, end=True) == 2
    assert model.number == number
    assert "max_sequence_idle_microseconds: 60000000" in model.config


def test_fields_of_another_strategy_are_refused(load: Load) -> None:
    model = load("direct { }")
    with pytest.raises(wb.InvalidArgumentError, match="preferred_batch_size"):
        model.reconfigure(preferred_batch_size=[2])


def test_a_model_answers_several_times_by_being_executed_again(load: Load) -> None:
    model = load(
        "iterative_sequence: true",
        backend="countdown",
        extra="model_transaction_policy { decoupled: true }",
    )
    replies = model.stream({"IN": np.array([[4]], np.int32)})
    assert [int(reply["OUT"].ravel()[0]) for reply in replies] == [1, 2, 3, 4]
    assert model.statistics().success.count == 4


def test_an_open_sequence_outlives_a_reload(load: Load, server: wb.Server) -> None:
    idle = "max_sequence_idle_microseconds: 60000000"
    model = load(idle)
    assert add(model, 1, 1, start=True) == 1
    load(idle, max_batch_size=8)
    assert add(model, 10, 2, start=True) == 10
    assert [add(model, 1, 1), add(model, 1, 1, end=True)] == [2, 3]
    assert server.wait_settled(5.0)
    with pytest.raises(wb.InvalidArgumentError, match="START"):
        add(model, 1, 1)
    assert add(model, 10, 2, end=True) == 20


def test_an_unloaded_model_ends_its_sequences(load: Load, server: wb.Server) -> None:
    model = load("max_sequence_idle_microseconds: 60000000")
    add(model, 1, 1, start=True)
    server.unload("m")
    assert server.wait_settled(5.0)
    with pytest.raises(wb.UnavailableError):
        add(model, 1, 1)


def test_a_server_that_closes_lets_sequences_end(libraries: dict[str, Any], tmp_path: Path) -> None:
    assert libraries
    server = wb.Server(tmp_path, name="closing")
    model = server.load("m", config=CLOSING)
    add(model, 1, 1, start=True)
    closing = threading.Thread(target=server.close)
    closing.start()
    while server.index()[0].state == "READY":
        time.sleep(0.01)
    with pytest.raises(wb.UnavailableError):
        add(model, 1, 2, start=True)
    assert add(model, 1, 1) == 2
    assert add(model, 1, 1, end=True) == 3
    closing.join(10)
    assert not closing.is_alive()


def test_a_backend_is_tried_with_the_controls_that_it_asks_for(server: wb.Server) -> None:
    wb.build_backend("strict", STRICT)
    model = server.load("m", config=CLOSING.replace('"total"', '"strict"'))
    assert add(model, 1, 1, start=True, end=True) == 1
