# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Predictions under virtual time: what they tell, and that they are always the same."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from workbench.config import parse_config
from workbench.errors import ConfigError, InvalidArgumentError, UnsupportedError
from workbench.load import Workload
from workbench.simulate import (
    SIMULATION_DTYPE,
    Calibration,
    Requests,
    Simulator,
    instance_count,
    predict,
    simulate,
    simulate_all,
)

CALIBRATION = Calibration(service_ns={1: 1_100_000, 8: 1_800_000}, overhead_ns=0)
CONFIG = 'name: "m" max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 200 }'
WORKLOAD = Workload.poisson(rate=2000, requests=20_000, seed=1)


def test_same_arguments_same_prediction_to_the_last_bit() -> None:
    assert simulate(CONFIG, CALIBRATION, WORKLOAD) == simulate(CONFIG, CALIBRATION, WORKLOAD)
    assert simulate(CONFIG, CALIBRATION, WORKLOAD) != simulate(CONFIG, CALIBRATION, replace(WORKLOAD, seed=2))


def test_tells_what_a_measurement_tells() -> None:
    prediction = simulate(CONFIG, CALIBRATION, WORKLOAD)
    assert prediction.requests == 19_000
    assert prediction.p50_ns < prediction.p90_ns < prediction.p99_ns < prediction.p999_ns <= prediction.max_ns
    assert prediction.mean_ns == pytest.approx(prediction.queue_ns + prediction.service_ns)
    assert prediction.throughput == pytest.approx(2000, rel=0.02)
    assert sum(prediction.batches.values()) == sum(prediction.reasons.values())
    assert set(prediction.reasons) <= {"delay_expired", "full", "preferred"}
    assert "predicted" in str(prediction)
    assert "predicted" in prediction._repr_html_()


def test_records_are_those_of_the_trace() -> None:
    prediction = simulate(CONFIG, CALIBRATION, WORKLOAD, warmup=0, keep_records=True)
    records = prediction.records
    assert records.dtype == SIMULATION_DTYPE
    assert np.array_equal(records["arrival_ns"], WORKLOAD.schedule_ns())
    assert records["latency_ns"].mean() == pytest.approx(prediction.mean_ns)
    assert np.all(records["queue_ns"] < records["latency_ns"])
    assert int((1 / records["rows"]).sum().round()) == sum(prediction.batches.values())


def test_delay_makes_batches_larger() -> None:
    patient = CONFIG.replace("200", "3000")
    few, many = (simulate(config, CALIBRATION, WORKLOAD) for config in (CONFIG, patient))
    assert many.mean_batch_size > 1.5 * few.mean_batch_size


def test_more_instances_wait_less_unless_they_slow_each_other_down() -> None:
    two = CONFIG + " instance_group { count: 2 }"
    shared = replace(CALIBRATION, contention={2: 0.5})
    rate = Workload.poisson(rate=4000, requests=20_000)
    assert simulate(two, CALIBRATION, rate).p99_ns < 0.8 * simulate(CONFIG, CALIBRATION, rate).p99_ns
    assert simulate(two, shared, rate).p99_ns > simulate(two, CALIBRATION, rate).p99_ns


def test_closed_loop_keeps_so_many_in_flight() -> None:
    prediction = simulate(CONFIG, CALIBRATION, Workload.closed(concurrency=16, requests=8000))
    assert prediction.throughput == pytest.approx(8 / 1.8e-3, rel=0.01)
    assert prediction.mean_batch_size == pytest.approx(8, rel=0.01)


def test_closed_loop_lasts_as_long_as_it_is_told() -> None:
    prediction = simulate(CONFIG, CALIBRATION, Workload.closed(concurrency=16, duration_s=2))
    assert prediction.requests == pytest.approx(2 * 8 / 1.8e-3 * 0.95, rel=0.02)


def test_overload_is_told() -> None:
    prediction = simulate('name: "m"', CALIBRATION, Workload.poisson(rate=2_000_000, requests=1_500_000))
    assert prediction.is_overloaded
    assert "more comes than can be answered" in str(prediction)


def test_full_queues_and_timeouts_refuse() -> None:
    policy = "max_queue_size: 4 default_timeout_microseconds: 1000"
    config = f'name: "m" max_batch_size: 8 dynamic_batching {{ default_queue_policy {{ {policy} }} }}'
    prediction = simulate(config, CALIBRATION, Workload.poisson(rate=8000, requests=20_000))
    assert prediction.rejected > 0
    assert prediction.timed_out > 0
    assert "rejected" in prediction._repr_html_()


def test_urgent_requests_pass_others() -> None:
    config = 'name: "m" max_batch_size: 2 dynamic_batching { priority_levels: 2 default_priority_level: 2 }'
    workload = Workload.poisson(rate=1300, requests=20_000)
    plain = simulate(config, CALIBRATION, workload)
    mixed = simulate(config, CALIBRATION, workload, priorities=(0.1, 0.9))
    assert mixed.max_ns > plain.max_ns


@pytest.mark.parametrize("strategy", ["direct { }", "oldest { max_candidate_sequences: 8 }"])
def test_sequences_share_batches_one_request_each(strategy: str) -> None:
    config = f'name: "m" max_batch_size: 8 sequence_batching {{ {strategy} }}'
    one, many = (simulate(config, CALIBRATION, WORKLOAD, sequences=n, sequence_length=20_000) for n in (1, 8))
    assert set(one.batches) == {1}
    assert many.mean_batch_size > 1.5
    assert many.requests == 19_000


def test_many_configurations_on_many_threads_give_what_each_gives_alone() -> None:
    configs = [CONFIG, CONFIG.replace("200", "500"), 'name: "single"']
    told: list[float] = []
    together = simulate_all(configs, CALIBRATION, WORKLOAD, threads=3, progress=lambda done, *_: told.append(done))
    assert told[-1] == len(configs)
    assert together == [simulate(config, CALIBRATION, WORKLOAD) for config in configs]


def test_simulator_goes_to_other_processes() -> None:
    simulator = pickle.loads(pickle.dumps(Simulator(CALIBRATION, Requests(warmup=0))))
    assert simulator(parse_config(CONFIG), WORKLOAD) == simulate(CONFIG, CALIBRATION, WORKLOAD, warmup=0)


def test_predict_needs_a_rate_alone() -> None:
    assert predict(CONFIG, CALIBRATION, rate=2000).throughput == pytest.approx(2000, rel=0.02)
    with pytest.raises(InvalidArgumentError, match="rate"):
        predict(CONFIG, CALIBRATION, rate=0)


def test_what_is_not_simulated_is_told() -> None:
    with pytest.raises(UnsupportedError, match="ensemble"):
        simulate('name: "m" ensemble_scheduling { }', CALIBRATION, WORKLOAD)
    with pytest.raises(InvalidArgumentError, match="sequences under way"):
        simulate('name: "m" max_batch_size: 2 sequence_batching { }', CALIBRATION, WORKLOAD)
    with pytest.raises(ConfigError):
        simulate("max_batch_width: 2", CALIBRATION, WORKLOAD)


@pytest.mark.parametrize(
    ("groups", "limits", "count"),
    [
        ("", None, 1),
        ("instance_group { count: 3 }", None, 3),
        ("instance_group { count: 2 gpus: [0, 1] kind: KIND_GPU } instance_group { count: 1 kind: KIND_CPU }", None, 5),
        ("instance_group { count: 2 } instance_group { count: 1 passive: true }", None, 2),
        ('instance_group { count: 4 rate_limiter { resources { name: "R" count: 2 } } }', {"R": 5}, 2),
        ('instance_group { count: 4 rate_limiter { resources { name: "R" count: 2 } } }', {}, 1),
        ('instance_group { count: 4 rate_limiter { resources { name: "R" count: 2 } } }', None, 4),
    ],
)
def test_instances_that_may_execute_at_once(groups: str, limits: dict[str, int] | None, count: int) -> None:
    assert instance_count(parse_config(f'name: "m" {groups}'), limits) == count


def test_an_execution_after_a_pause_takes_longer() -> None:
    calibration = Calibration(service_ns={1: 1_000_000}, after_pause_ns={100_000: 20_000, 10_000_000: 300_000})
    lone = Workload.replay([0.0, 0.1, 0.2, 0.3])
    assert simulate('name: "m"', calibration, lone, warmup=0).p50_ns == pytest.approx(1_300_000, rel=0.002)
    together = Workload.replay([0.0] * 100)
    told = simulate('name: "m"', calibration, together, warmup=0, keep_records=True)
    assert np.diff(np.sort(told.records["latency_ns"])).tolist() == [1_000_000] * 99


def test_pauses_beyond_what_is_simulated_are_refused() -> None:
    calibration = Calibration(service_ns={1: 1e6}, after_pause_ns={1000: 5e9})
    with pytest.raises(InvalidArgumentError, match="longer than 2 s"):
        simulate('name: "m"', calibration, Workload.replay([0.0]))
