# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measurements against queues whose laws are known; `benchmarks/honesty.py` does the same with more runs."""

import numpy as np
import pytest

from workbench.load import mean_interval, quantile, warmup_cut
from workbench.testing.queueing import mean_sojourn, sojourn_quantile, sojourn_times

RUNS = 1000
REQUESTS = 10_000


def covered(services, truth, interval_of):
    """Share of runs, from an empty queue and with the warm-up that was found left out, whose interval has the truth."""
    hits = 0
    for seed in range(RUNS):
        samples = sojourn_times(0.8, REQUESTS, seed=seed, services=services)
        interval = interval_of(samples[warmup_cut(samples) :])
        hits += interval.low <= truth <= interval.high
    return hits / RUNS


@pytest.mark.parametrize("services", ["constant", "exponential"])
@pytest.mark.parametrize("q", [0.5, 0.9, 0.99])
def test_intervals_of_quantiles_have_the_truth_as_often_as_they_say(services, q):
    truth = sojourn_quantile(0.8, q, services=services)
    assert covered(services, truth, lambda samples: quantile(samples, q)) >= 0.93


@pytest.mark.parametrize("services", ["constant", "exponential"])
def test_intervals_of_the_mean_have_the_truth_as_often_as_they_say(services):
    truth = mean_sojourn(0.8, services=services)
    assert covered(services, truth, mean_interval) >= 0.93


def test_intervals_narrow_as_runs_get_longer():
    short, long = (quantile(sojourn_times(0.8, count, seed=1), 0.99) for count in (50_000, 800_000))
    truth = sojourn_quantile(0.8, 0.99)
    assert long.is_bounded
    assert (long.high - long.low) / truth < 0.15
    assert short.high - short.low > 1.5 * (long.high - long.low)


@pytest.mark.parametrize("services", ["constant", "exponential"])
def test_the_laws_are_those_of_the_queues(services):
    samples = sojourn_times(0.8, 2_000_000, seed=7, services=services)[10_000:]
    assert samples.mean() == pytest.approx(mean_sojourn(0.8, services=services), rel=0.02)
    for q in (0.5, 0.9, 0.99):
        assert np.quantile(samples, q) == pytest.approx(sojourn_quantile(0.8, q, services=services), rel=0.03)
