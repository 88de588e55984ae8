# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models come, change and go while requests run; none is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import workbench as wb

X = np.zeros((1, 1), np.float32)

ADDER = """
#include <workbench/backend.hpp>

struct Adder {
  void Execute(workbench::Request& request) {
    const workbench::Input input = request.input("INPUT0");
    std::vector<float> values(input.as<float>().begin(), input.as<float>().end());
    for (float& value : values) value += STEP;
    request.output("OUTPUT0").Write(values, input.shape());
  }
};
WORKBENCH_BACKEND(Adder)
"""

CONFIG = """
backend: "adder" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
"""


class Load:
    """Threads that call a model again and again."""

    def __init__(self, call: Callable[[], Any], threads: int) -> None:
        self.answers: list[tuple[float, float]] = []
        self.errors: list[Exception] = []
        self._stop = Event()
        self._call = call
        self._threads = [Thread(target=self._run) for _ in range(threads)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def longest_gap_s(self) -> float:
        times = sorted(at for at, _ in self.answers)
        return max(after - before for before, after in pairwise(times))

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                value = float(self._call()["OUTPUT0"][0, 0])
            except Exception as exc:  # noqa: BLE001 - the test looks at them
                self.errors.append(exc)
            else:
                self.answers.append((time.monotonic(), value))


@contextmanager
def under_load(call: Callable[[], Any], threads: int = 2) -> Iterator[Load]:
    load = Load(call, threads)
    load.start()
    try:
        while not load.answers and not load.errors:
            time.sleep(0.001)
        yield load
    finally:
        load.stop()


def build(step: int) -> None:
    wb.build_backend("adder", ADDER.replace("STEP", str(step)))


@pytest.fixture
def adder(server: wb.Server) -> Any:
    build(1)
    return server.load("adder", config=CONFIG)


def test_backend_built_anew_replaces_the_old_under_load_without_a_gap(adder: Any, server: wb.Server) -> None:
    build(2)
    build(1)
    assert server.wait_settled()
    with under_load(lambda: adder.infer({"INPUT0": X})) as load:
        edited = time.monotonic()
        build(2)
        while not any(value == 2 for _, value in load.answers[-4:]):
            assert time.monotonic() - edited < 10
            time.sleep(0.001)
        changed = min(at for at, value in load.answers if value == 2 and at > edited)
    assert load.errors == []
    assert changed - edited <= 0.2 * slowness()
    assert load.longest_gap_s() <= 0.5
    assert {value for _, value in load.answers} <= {1.0, 2.0}


def slowness() -> float:
    """How much slower than a quiet machine this one may be now."""
    began = time.perf_counter()
    for _ in range(50):
        time.sleep(0.001)
    return max(1.0, (time.perf_counter() - began) / 0.06)


def test_models_of_all_running_servers_move(adder: Any, server: wb.Server, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with wb.Server(tmp_path / "other", name="second") as second:
        other = second.load("adder", config=CONFIG)
        build(5)
        assert [float(one.infer({"INPUT0": X})["OUTPUT0"][0, 0]) for one in (adder, other)] == [5.0, 5.0]


def test_backend_that_crashes_is_refused_and_the_old_one_serves_on(adder: Any, server: wb.Server) -> None:
    crash = ADDER.replace("value += STEP", "*reinterpret_cast<volatile int*>(8) = 1")
    with pytest.raises(wb.PreflightError, match="SIGSEGV"):
        wb.build_backend("adder", crash)
    assert float(adder.infer({"INPUT0": X})["OUTPUT0"][0, 0]) == 1.0
    assert server.index(ready=True)[0].reason


def test_reloads_under_load_lose_no_request(identity: Callable[..., Any], server: wb.Server) -> None:
    model = identity("FP32", "1")
    with under_load(lambda: model.infer({"INPUT0": X}), threads=4) as load:
        for size in range(1, 16):
            model.reconfigure(max_batch_size=size)
    assert load.errors == []
    assert load.longest_gap_s() <= 0.5


def test_batching_changes_under_load_without_a_reload(synthetic: Callable[..., Any]) -> None:
    model = synthetic(1, extra="dynamic_batching { max_queue_delay_microseconds: 100 }")
    number = model.number
    with under_load(lambda: model.infer({"INPUT0": X}), threads=4) as load:
        for delay in range(0, 2000, 100):
            model.reconfigure(max_queue_delay_microseconds=delay, preferred_batch_size=[4])
    assert load.errors == []
    assert model.number == number
    assert "max_queue_delay_microseconds: 1900" in model.config


def test_load_and_unload_fired_at_once_end_in_the_state_of_the_last(server: wb.Server) -> None:
    for _ in range(100):
        load = Thread(target=lambda: server.load("identity"))
        load.start()
        server.unload("identity")
        load.join()
    server.load("identity")
    assert [entry.name for entry in server.index(ready=True)] == ["identity"]
    server.unload("identity")
    assert server.wait_settled()
    assert list(server.index(ready=True)) == []


def test_unload_answers_what_is_in_flight(synthetic: Callable[..., Any], server: wb.Server) -> None:
    model = synthetic(100, max_batch_size=1)
    replies: list[Any] = []
    callers = [Thread(target=lambda: replies.append(model.infer({"INPUT0": [1]}))) for _ in range(3)]
    for caller in callers:
        caller.start()
    while model.engine.in_flight() < 3:
        time.sleep(0.001)
    server.unload("slow")
    assert next(entry.state for entry in server.index() if entry.name == "slow") == "UNLOADING"
    for caller in callers:
        caller.join()
    assert len(replies) == 3
    assert server.wait_settled()
    assert next(entry.state for entry in server.index() if entry.name == "slow") == "UNAVAILABLE"


def test_new_server_replaces_the_old_which_answers_what_it_took(tmp_path: Path, synthetic: Callable[..., Any]) -> None:
    model = synthetic(300)
    replies: list[Any] = []
    caller = Thread(target=lambda: replies.append(model.infer({"INPUT0": [1]})))
    caller.start()
    while not model.engine.in_flight():
        time.sleep(0.001)
    with wb.Server(tmp_path, name="serving"):
        caller.join()
        assert len(replies) == 1


def test_samples_load_and_answer(server: wb.Server) -> None:
    for name in ("identity", "synthetic"):
        assert server.load(name).infer({"INPUT0": [0.0] * 16})["OUTPUT0"].shape == (1, 16)
