# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A served model is calibrated, and serves as before."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.config import parse_config
from workbench.errors import InvalidArgumentError

SLOW = """
backend: "synthetic" max_batch_size: 4
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
dynamic_batching { max_queue_delay_microseconds: 70 preferred_batch_size: [ 2 ] }
instance_group [ { count: 2 kind: KIND_CPU } ]
parameters [
  { key: "tau0_us" value: { string_value: "1000" } },
  { key: "alpha_us" value: { string_value: "500" } }
]
"""


@pytest.fixture
def slow(server: wb.Server) -> Any:
    """Batches of n take 1 + n / 2 ms at least."""
    return server.load("slow", config=SLOW)


def test_each_size_takes_at_least_what_the_model_sleeps_and_it_serves_as_before(slow: Any) -> None:
    before = parse_config(slow.config)
    told: list[tuple[float, float, str]] = []
    calibration = wb.calibrate(slow, budget_s=0.5, progress=lambda *report: told.append(report))
    assert set(calibration.service_ns) == {1, 2, 3, 4}
    for size, time_ns in calibration.service_ns.items():
        assert time_ns >= (1000 + 500 * size) * 1e3
    assert set(calibration.contention) == {2}
    assert calibration.model == "slow"
    assert calibration.machine["processors"]
    assert [len(times) >= 6 for times in calibration.samples_ns.values()] == [True] * 4
    assert told[-1][2] == "done"
    assert parse_config(slow.config) == before


def test_a_stop_leaves_the_model_as_it_was(slow: Any) -> None:
    before = parse_config(slow.config)

    def interrupt(done: float, total: float, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wb.calibrate(slow, progress=interrupt)
    assert parse_config(slow.config) == before


def test_a_larger_size_than_configured_can_be_measured(slow: Any) -> None:
    calibration = wb.calibrate(slow, max_batch_size=8, instances=1, budget_s=0.1)
    assert calibration.largest == 8
    assert not calibration.contention
    assert parse_config(slow.config).max_batch_size == 4


def test_sequences_are_refused(server: wb.Server) -> None:
    model = server.load("stateful", config=SLOW.partition("dynamic_batching")[0] + "sequence_batching { }")
    with pytest.raises(InvalidArgumentError, match="sequences"):
        wb.calibrate(model)


def test_a_prediction_is_close_to_what_is_measured(slow: Any) -> None:
    calibration = wb.calibrate(slow, budget_s=0.5)
    workload = wb.Workload.poisson(rate=300, requests=300)
    predicted = wb.simulate(slow.config, calibration, workload, warmup=0)
    measured = wb.drive(slow, rate=300, requests=300, warmup=0)
    # A wide margin: the machine that runs this may do other things too.
    assert measured.mean_batch_size == pytest.approx(predicted.mean_batch_size, rel=0.5)
    assert measured.p50_ms * 1e6 >= 0.8 * predicted.p50_ns
