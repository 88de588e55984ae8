# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load on models of the real core."""

from __future__ import annotations

import _thread
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import InvalidArgumentError, UnavailableError
from workbench.load import OBSERVATION_DTYPE, RECORD_DTYPE
from workbench.load.model_target import ModelTarget


def drive(model: Any, **options: Any) -> Any:
    return wb.drive(model, **{"repeats": 0, "warmup": 0.0} | options)


@pytest.fixture
def stop_button() -> Iterator[Callable[[], list[float]]]:
    """Interrupts this thread after 0.3 s; gives the list that then holds the time of it."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.monotonic())
        _thread.interrupt_main()

    timer = threading.Timer(0.3, press)

    def arm() -> list[float]:
        timer.start()
        return pressed

    yield arm
    timer.cancel()


def test_an_open_loop_sends_every_request_of_its_schedule(identity: Any) -> None:
    measured = drive(identity(), rate=1000, duration_s=0.3)
    assert len(measured.records) == 300
    assert measured.errors == {}
    assert measured.unanswered == 0
    assert np.all(measured.records["done_ns"] >= measured.records["sent_ns"])
    assert np.all(measured.records["sent_ns"] >= measured.records["intended_ns"])


def test_records_have_the_layout_of_the_core(identity: Any) -> None:
    measured = drive(identity(), rate=1000, duration_s=0.1)
    assert measured.records.dtype == RECORD_DTYPE
    assert measured.observations.dtype == OBSERVATION_DTYPE


def test_a_closed_loop_fills_the_batches(synthetic: Any) -> None:
    model = synthetic(2, extra="dynamic_batching { }")
    measured = drive(model, concurrency=16, duration_s=0.4)
    assert measured.mean_batch_size > 6
    assert measured.latency.p50.low > 2e6


def test_a_closed_loop_sends_no_more_than_it_was_told(identity: Any) -> None:
    assert len(drive(identity(), concurrency=4, requests=100, duration_s=5).records) == 100


def test_statistics_of_the_model_count_what_was_sent(identity: Any) -> None:
    model = identity()
    before = model.statistics().success.count
    measured = drive(model, rate=2000, duration_s=0.2)
    assert model.statistics().success.count - before == len(measured.records)
    assert sum(size * count for size, count in measured.batches.items()) == len(measured.records)


def test_own_inputs_are_sent(server: wb.Server, identity: Any) -> None:
    model = identity(dims="-1")
    measured = drive(model, inputs={"INPUT0": np.ones((3, 5), np.float32)}, concurrency=1, requests=10)
    assert measured.errors == {}
    assert measured.batches == {3: 10}


def test_inputs_that_the_model_does_not_take_are_refused_before_the_run(identity: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="INPUT0"):
        drive(identity(), inputs={"INPUT0": np.ones((1, 7), np.float32)}, rate=10)


def test_texts_are_made_for_models_that_take_texts(identity: Any) -> None:
    assert drive(identity("STRING", "-1"), rate=500, duration_s=0.1).errors == {}


def test_requests_that_fail_are_counted_by_status(synthetic: Any) -> None:
    model = synthetic(0, extra='parameters [ { key: "failure_rate" value: { string_value: "1" } } ]')
    measured = drive(model, rate=500, duration_s=0.1)
    assert sum(measured.errors.values()) == 50
    assert measured.throughput == 0


def test_requests_that_find_the_queue_full_are_counted_as_unavailable(synthetic: Any) -> None:
    policy = "dynamic_batching { default_queue_policy { max_queue_size: 1 } }"
    measured = drive(synthetic(50, extra=policy, max_batch_size=1), rate=500, duration_s=0.2)
    assert measured.errors.get("UNAVAILABLE", 0) > 50


def test_a_model_that_is_not_there_is_not_driven(server: wb.Server, identity: Any) -> None:
    model = identity()
    server.unload("echo")
    with pytest.raises(UnavailableError, match="load it"):
        drive(model, rate=10)


def test_a_new_configuration_under_load_loses_no_request(synthetic: Any) -> None:
    model = synthetic(1, extra="dynamic_batching { }")
    changes = threading.Thread(
        target=lambda: [
            model.reconfigure(max_queue_delay_microseconds=300),
            model.reconfigure(max_batch_size=4),
            model.reconfigure(count=2),
        ]
    )
    changes.start()
    measured = drive(model, rate=1000, duration_s=1)
    changes.join()
    assert measured.errors == {}
    assert measured.unanswered == 0


def test_the_stop_button_ends_a_run_at_once(synthetic: Any, stop_button: Callable[[], list[float]]) -> None:
    model = synthetic(1, extra="dynamic_batching { }")
    pressed = stop_button()
    with pytest.raises(KeyboardInterrupt):
        drive(model, rate=100, duration_s=60)
    assert time.monotonic() - pressed[0] < 0.2


def test_the_stop_button_does_not_wait_for_a_slow_model(synthetic: Any, stop_button: Callable[[], list[float]]) -> None:
    model = synthetic(3000, max_batch_size=1)
    pressed = stop_button()
    with pytest.raises(KeyboardInterrupt):
        drive(model, rate=10, duration_s=60)
    assert time.monotonic() - pressed[0] < 0.2


def test_what_waits_in_the_queue_is_cancelled_when_a_run_is_stopped(synthetic: Any) -> None:
    model = synthetic(100, max_batch_size=1)
    workload = wb.Workload(rate=1000, duration_s=0.1)
    run = ModelTarget(model).start(workload, workload.schedule_ns())
    while run.progress().sent < 100:
        run.wait(0.01)
    run.stop()
    # A hundred executions would take ten seconds.
    begin = time.monotonic()
    while run.progress().answered < 100 and time.monotonic() - begin < 5:
        run.wait(0.01)
    assert time.monotonic() - begin < 3
    assert set(run.records()["status"].tolist()) <= {0, 8}


def test_little_s_law_holds_on_the_real_core(synthetic: Any) -> None:
    measured = wb.drive(synthetic(2, extra="dynamic_batching { }"), rate=800, duration_s=1, repeats=3)
    if measured.steadiness.is_disturbed:
        pytest.skip(f"the machine is too busy: {measured.reasons}")
    assert measured.steadiness.little.holds


def test_a_model_that_is_unloaded_meanwhile_leaves_a_measurement(identity: Any, server: wb.Server) -> None:
    model = identity()

    def unload(done: float, total: float, words: str) -> None:
        del done, total, words
        if server.index(ready=True):
            server.unload(model.name)

    measured = drive(model, rate=1000, duration_s=0.5, progress=unload)
    assert measured.errors["NOT_FOUND"] > 0  # as the real server says of a model that is not loaded
    assert np.count_nonzero(measured.records["status"] == 0) > 0
