# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import math

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import RECORD_DTYPE, bootstrap_interval
from workbench.load.bootstrap import busy_period_starts
from workbench.testing.queueing import mean_sojourn


def records_of(intended, done):
    records = np.zeros(len(intended), RECORD_DTYPE)
    records["intended_ns"] = records["sent_ns"] = intended
    records["done_ns"] = done
    return records


def run(seed, count=10_000, utilisation=0.5):
    """M/D/1 with a service of 1,000 ns."""
    intended = np.cumsum(np.random.default_rng(seed).exponential(1000 / utilisation, count)).astype(np.int64)
    index = np.arange(count)
    done = np.maximum.accumulate(intended - 1000 * index) + 1000 * (index + 1)
    return records_of(intended, done)


def mean_latency(records):
    return float((records["done_ns"] - records["intended_ns"]).mean())


def test_a_busy_period_begins_with_who_finds_nobody():
    records = records_of([0, 5, 20, 22, 40], [10, 15, 30, 35, 50])
    assert busy_period_starts(records).tolist() == [0, 2, 4]


def test_an_unanswered_request_leaves_its_busy_period_without_end():
    records = records_of([0, 20, 40], [10, 0, 50])
    assert busy_period_starts(records).tolist() == [0, 1]


def test_the_interval_has_the_truth_nearly_as_often_as_it_says():
    truth = 1000 * mean_sojourn(0.5)
    intervals = [bootstrap_interval(run(seed), mean_latency, resamples=100) for seed in range(60)]
    assert sum(interval.low <= truth <= interval.high for interval in intervals) >= 54


def test_any_figure_will_do():
    interval = bootstrap_interval(
        run(1), lambda records: float((records["done_ns"] - records["intended_ns"] < 3000).mean())
    )
    assert 0.8 < interval.low < interval.value < interval.high < 1


def test_one_long_busy_period_has_no_bounds():
    interval = bootstrap_interval(run(1, count=2000, utilisation=1.2), mean_latency)
    assert (interval.low, interval.high) == (-math.inf, math.inf)


def test_no_records_are_refused():
    with pytest.raises(InvalidArgumentError):
        bootstrap_interval(records_of([], []), mean_latency)
