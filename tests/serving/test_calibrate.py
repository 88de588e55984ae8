# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A served model is calibrated, and serves as before."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.calibrate import what_if
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


BATCHING = "dynamic_batching { max_queue_delay_microseconds: 70 preferred_batch_size: [ 2 ] }"
ALONE = {"max_batch_size": 1, "preferred_batch_size": []}
CHAIN = """
platform: "ensemble" max_batch_size: 4
input [ { name: "X" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "Y" data_type: TYPE_FP32 dims: [ 4 ] } ]
ensemble_scheduling {
  step [
    { model_name: "slow" model_version: -1
      input_map { key: "INPUT0" value: "X" } output_map { key: "OUTPUT0" value: "between" } },
    { model_name: "other" model_version: -1
      input_map { key: "IN" value: "between" } output_map { key: "OUT" value: "Y" } }
  ]
}
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


def test_the_smallest_and_the_largest_size_are_measured_as_often_as_the_others(slow: Any) -> None:
    samples = wb.calibrate(slow, max_batch_size=4, instances=1, budget_s=3).samples_ns
    assert min(len(samples[size]) for size in (1, 4)) >= 0.9 * max(map(len, samples.values()))


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


@pytest.mark.parametrize("strategy", ["direct { }", "oldest { max_candidate_sequences: 8 }"])
def test_a_model_with_sequences_is_sent_as_many_as_a_batch_holds(server: wb.Server, strategy: str) -> None:
    stateful = server.load("stateful", config=SLOW.replace(BATCHING, f"sequence_batching {{ {strategy} }}"))
    before = parse_config(stateful.config)
    calibration = wb.calibrate(stateful, instances=1, budget_s=3)
    assert set(calibration.service_ns) >= {1, 2, 4}
    for size, time_ns in calibration.service_ns.items():
        assert time_ns >= (1000 + 500 * size) * 1e3
    assert parse_config(stateful.config) == before


def test_each_model_of_an_ensemble_is_measured_with_what_its_step_takes(server: wb.Server) -> None:
    server.load("slow", config=SLOW)
    server.load("other", config=SLOW.replace('"1000"', '"2000"').replace("INPUT0", "IN").replace("OUTPUT0", "OUT"))
    chain = server.load("chain", config=CHAIN)
    calibration = wb.calibrate(chain, budget_s=0.5)
    assert list(calibration.models) == list(chain.steps) == ["slow", "other"]
    assert calibration.models["slow"].service_ns[1] >= 1.5e6
    assert calibration.models["other"].service_ns[4] >= 4e6
    # As many instances as may run at once, of all models.
    assert set(calibration.models["slow"].contention) == {2, 4}
    assert parse_config(calibration.configs["slow"]) == parse_config(chain.steps["slow"].config)
    told = wb.simulate(chain.config, calibration, wb.Workload.poisson(rate=100, requests=1000))
    assert told.p50_ns >= 4e6
    assert set(told.models) == {"slow", "other"}
    fewer = what_if(chain, rate=100, calibration=calibration, requests=1000, steps={"other": ALONE})
    assert fewer.models["other"].mean_batch_size == 1
    with pytest.raises(InvalidArgumentError, match="no step on model third"):
        what_if(chain, rate=100, calibration=calibration, steps={"third": {}})


def test_a_prediction_is_close_to_what_is_measured(slow: Any) -> None:
    calibration = wb.calibrate(slow, budget_s=0.5)
    workload = wb.Workload.poisson(rate=300, requests=300)
    predicted = wb.simulate(slow.config, calibration, workload, warmup=0)
    measured = wb.drive(slow, rate=300, requests=300, warmup=0)
    # A wide margin: the machine that runs this may do other things too.
    assert measured.mean_batch_size == pytest.approx(predicted.mean_batch_size, rel=0.5)
    assert measured.p50_ms * 1e6 >= 0.8 * predicted.p50_ns
