# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.views.latency import Latency, distribution, latency_ns, percentile_per_bin, queue_ns, split

MS = 1_000_000


def test_a_p99_needs_368_samples():
    assert distribution(np.arange(367.0)).p99_ns is None
    assert distribution(np.arange(368.0)).p99_ns == 364.0


def test_percentiles_are_values_that_were_measured():
    found = distribution(np.array([3.0, 1.0, 2.0]))
    assert found == Latency(count=3, p50_ns=2.0, p99_ns=None, max_ns=3.0)


def test_no_sample_has_no_percentile():
    assert distribution(np.empty(0)) == Latency()


def test_the_split_adds_up_to_the_latency(make):
    requests = make.columns(make.batch(100 * MS, waits_ns=[3 * MS, 1 * MS], execute_ns=10 * MS)).requests
    found = split(requests)
    assert (found.queue_ns, found.input_ns, found.compute_ns, found.output_ns) == (2e6, 1e6, 8e6, 1e6)
    assert found.total_ns == latency_ns(requests).mean()
    assert sum(found.shares) == pytest.approx(1.0)


def test_a_backend_without_compute_stamps_spends_its_execution_in_compute(make):
    records = make.batch(100 * MS, waits_ns=[MS], execute_ns=10 * MS)
    records["compute_start_ns"] = records["compute_end_ns"] = 0
    found = split(make.columns(records).requests)
    assert (found.input_ns, found.compute_ns, found.output_ns) == (0.0, 1e7, 0.0)


def test_stamps_that_run_backwards_count_as_no_time(make):
    records = make.batch(100 * MS, waits_ns=[MS])
    records["arrival_ns"] = 200 * MS
    assert queue_ns(make.columns(records).requests).tolist() == [0.0]


def test_each_bin_has_its_own_percentile():
    durations = np.array([5.0, 1.0, 9.0, 2.0, 8.0])
    found = percentile_per_bin(durations, np.array([0, 0, 2, 0, 2]), 4, quantile=0.5)
    np.testing.assert_array_equal(found, [2.0, np.nan, 8.0, np.nan])


def test_a_bin_with_too_few_samples_has_no_percentile():
    found = percentile_per_bin(np.ones(5), np.array([0, 0, 0, 1, 1]), 2, quantile=0.99, min_samples=3)
    np.testing.assert_array_equal(found, [1.0, np.nan])


def test_percentiles_per_bin_agree_with_those_of_each_bin_alone():
    random = np.random.default_rng(1)
    durations, bins = random.exponential(1e6, size=5_000).round(), random.integers(0, 7, 5_000)
    found = percentile_per_bin(durations, bins, 7, quantile=0.99)
    alone = [distribution(durations[bins == number]).p99_ns for number in range(7)]
    np.testing.assert_array_equal(found, alone)


def test_p95_needs_fewer_samples_than_p99():
    assert distribution(np.arange(71.0)).p95_ns is None
    known = distribution(np.arange(1.0, 101.0))
    assert (known.p95_ns, known.p99_ns) == (95.0, None)
