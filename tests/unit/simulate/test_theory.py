# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Theory and simulation, which share no line of code, agree; the bounds hold."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Workload
from workbench.simulate import (
    Calibration,
    capacity,
    closed_loop,
    exact_latency,
    mean_batch_with_delay,
    mean_latency_bound_ns,
    predict,
    simulate,
    single_requests_mean_ns,
    utilisation,
)

LARGEST = 8
LINE = {rows: 900_000.0 + 100_000 * rows for rows in range(1, LARGEST + 1)}
CALIBRATION = Calibration(service_ns=LINE)
GREEDY = f'name: "m" max_batch_size: {LARGEST} dynamic_batching {{ }}'


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_simulation_follows_the_exact_law(load: float) -> None:
    rate = load * capacity(CALIBRATION, LARGEST)
    exact = exact_latency(np.array(list(LINE.values())), rate=rate)
    simulated = predict(GREEDY, CALIBRATION, rate=rate, requests=1_000_000)
    assert simulated.mean_ns == pytest.approx(exact.mean_ns, rel=0.005)
    assert simulated.p50_ns == pytest.approx(exact.quantile_ns(0.5), rel=0.005)
    assert simulated.p99_ns == pytest.approx(exact.quantile_ns(0.99), rel=0.015)
    assert simulated.mean_batch_size == pytest.approx(exact.mean_batch_size, rel=0.005)


@pytest.mark.parametrize("rho", [0.1, 0.5, 0.8])
def test_exact_law_is_that_of_single_requests_where_none_share(rho: float) -> None:
    rate = rho * 1e9 / LINE[1]
    exact = exact_latency(np.array([LINE[1]]), rate=rate)
    assert exact.mean_ns == pytest.approx(single_requests_mean_ns(LINE[1], rate=rate), rel=1e-4)


@pytest.mark.parametrize("rho", [0.05, 0.3, 0.6, 0.9])
def test_bound_holds_and_is_close(rho: float) -> None:
    line, unbounded = CALIBRATION.line, 512
    calibration = Calibration(service_ns={1: line.at(1), unbounded: line.at(unbounded)})
    rate = rho * 1e9 / line.row_ns
    config = f'name: "m" max_batch_size: {unbounded} dynamic_batching {{ }}'
    simulated = predict(config, calibration, rate=rate, requests=300_000)
    bound = mean_latency_bound_ns(line, rate=rate)
    assert simulated.mean_ns <= bound * 1.005
    assert simulated.mean_ns >= bound * 0.9


def test_capacity_is_what_a_saturated_closed_loop_gets() -> None:
    theory = closed_loop(CALIBRATION, LARGEST, instances=2)
    config = GREEDY + " instance_group { count: 2 }"
    simulated = simulate(config, CALIBRATION, Workload.closed(concurrency=4 * LARGEST, requests=40_000))
    assert simulated.throughput == pytest.approx(theory.throughput, rel=0.01)
    assert simulated.mean_ns == pytest.approx(theory.latency_ns, rel=0.01)
    assert theory.throughput == pytest.approx(capacity(CALIBRATION, LARGEST, instances=2))


def test_capacity_takes_the_best_size() -> None:
    stairs = Calibration(service_ns={1: 100, 8: 400, 9: 800})
    assert capacity(stairs, 9) == capacity(stairs, 8)


def test_mean_batch_of_a_delay() -> None:
    config = GREEDY.replace("{ }", "{ max_queue_delay_microseconds: 500 }") + " instance_group { count: 16 }"
    simulated = predict(config, CALIBRATION, rate=4000, requests=200_000)
    assert simulated.mean_batch_size == pytest.approx(
        mean_batch_with_delay(LARGEST, rate=4000, delay_ns=500_000), rel=0.01
    )


def test_no_steady_state_is_told() -> None:
    with pytest.raises(InvalidArgumentError, match="steady"):
        single_requests_mean_ns(1e6, rate=1001)
    with pytest.raises(InvalidArgumentError, match="steady"):
        mean_latency_bound_ns(CALIBRATION.line, rate=10_001)
    with pytest.raises(InvalidArgumentError, match="steady"):
        exact_latency(np.array([1e6]), rate=1001)
    assert utilisation(CALIBRATION, 1, rate=1500) == pytest.approx(1.5)


def test_capacity_is_of_the_mean_service_time_not_of_its_median() -> None:
    scattered = Calibration(service_ns={1: 1_000_000}, spread=(0.9, 1.0, 1.5))
    simulated = simulate('name: "m"', scattered, Workload.closed(concurrency=4, requests=40_000))
    assert capacity(scattered, 1) == pytest.approx(simulated.throughput, rel=0.01)
    assert capacity(scattered, 1) == pytest.approx(1e9 / (1_000_000 * 3.4 / 3))
