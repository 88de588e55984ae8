# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import math

import numpy as np
import pytest

from workbench.load.quantiles import effective_share, mean_interval, order_statistic_ranks, quantile


def waits(rho: float, count: int, seed: int) -> np.ndarray:
    """Times in an M/D/1 system of service time 1 (Lindley's recursion), which depend on each other."""
    gaps = np.random.default_rng(seed).exponential(1 / rho, count)
    steps = np.cumsum(1 - gaps)
    return steps - np.minimum.accumulate(np.minimum(steps, 0)) + 1


@pytest.mark.parametrize(("count", "bounded"), [(367, False), (368, True)])
def test_a_p99_has_an_upper_bound_from_368_samples_on(count, bounded):
    assert (order_statistic_ranks(count, 0.99)[1] <= count) is bounded


def test_ranks_of_a_median_are_those_of_the_tables():
    assert order_statistic_ranks(100, 0.5) == (40, 61)


def test_intervals_of_independent_samples_cover_the_truth():
    truth = -math.log(0.01)
    covered = 0
    for seed in range(200):
        interval = quantile(np.random.default_rng(seed).exponential(size=2000), 0.99)
        covered += interval.low <= truth <= interval.high
    assert covered >= 186


def test_intervals_of_latencies_under_load_cover_the_truth():
    truth = float(np.quantile(waits(0.8, 4_000_000, 1000), 0.99))
    covered = sum(
        interval.low <= truth <= interval.high
        for interval in (quantile(waits(0.8, 20_000, seed), 0.99) for seed in range(200))
    )
    assert covered >= 186


def test_samples_that_depend_on_each_other_count_as_fewer():
    independent = np.random.default_rng(1).exponential(size=20_000)
    dependent = waits(0.8, 20_000, 1)
    assert effective_share(independent > np.quantile(independent, 0.99)) > 0.4
    assert effective_share(dependent > np.quantile(dependent, 0.99)) < 0.2


def test_too_few_samples_give_no_upper_bound():
    interval = quantile(np.arange(100.0), 0.99)
    assert interval.high == math.inf
    assert not interval.is_bounded


def test_no_samples_give_no_value():
    assert math.isnan(quantile(np.array([]), 0.5).value)
    assert math.isnan(mean_interval(np.array([])).value)


def test_mean_intervals_cover_the_truth():
    truth = 1 + 0.5 * 0.5 / (1 - 0.5)  # Pollaczek and Khinchine: service plus rho / (2 (1 - rho))
    covered = sum(
        interval.low <= truth <= interval.high
        for interval in (mean_interval(waits(0.5, 10_000, seed)) for seed in range(100))
    )
    assert covered >= 88
