# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.views.throughput import p99_span, request_bins

MS = 1_000_000
BIN = 100 * MS


def bins_of(columns, *, first, last, span=0):
    return request_bins(
        columns.requests, columns.refusals, columns.batches, bin_ns=BIN, first=first, last=last, span=span
    )


def test_what_ended_in_a_bin_is_counted_there(make):
    columns = make.columns(
        make.batch(1_000 * MS, waits_ns=[MS] * 3),
        make.batch(1_099 * MS, waits_ns=[MS] * 2),
        make.batch(1_110 * MS, waits_ns=[MS], status=2),
        make.refusals([1_120 * MS, 1_230 * MS]),
    )
    found = bins_of(columns, first=10, last=12)
    assert found["index"].tolist() == [10, 11, 12]
    assert found["answered"].tolist() == [3, 2, 0]
    assert found["failed"].tolist() == [0, 1, 0]
    assert found["refused"].tolist() == [0, 1, 1]


def test_what_ended_outside_counts_nowhere(make):
    found = bins_of(make.columns(make.batch(500 * MS, waits_ns=[MS] * 3)), first=10, last=12)
    assert not found["answered"].any()


def test_batches_are_counted_by_reason(make):
    columns = make.columns(
        make.batch(1_000 * MS, waits_ns=[MS] * 3, reason=4), make.batch(1_001 * MS, waits_ns=[MS], reason=1)
    )
    reasons = bins_of(columns, first=10, last=10)["reasons"][0]
    assert (reasons[4], reasons[1], reasons.sum()) == (1, 1, 2)


def test_an_empty_bin_has_no_percentile(make):
    found = bins_of(make.columns(make.batch(1_000 * MS, waits_ns=[MS])), first=10, last=11)
    np.testing.assert_allclose(found["queue_p50_s"], [0.001, np.nan])


def test_a_p99_is_shared_by_the_bins_of_its_window(make):
    busy = [make.batch((1_000 + i) * MS, waits_ns=[MS] * 2, serial=i) for i in range(195)]
    found = bins_of(make.columns(*busy), first=10, last=11, span=2)
    np.testing.assert_allclose(found["queue_p99_s"], [0.001, 0.001])


def test_a_p99_window_that_is_not_over_has_none_yet(make):
    busy = [make.batch((1_000 + i) * MS, waits_ns=[MS] * 4, serial=i) for i in range(290)]
    found = bins_of(make.columns(*busy), first=10, last=12, span=2)
    assert np.isnan(found["queue_p99_s"]).tolist() == [False, False, True]


def test_a_p99_window_with_too_few_samples_has_none(make):
    few = [make.batch((1_000 + i) * MS, waits_ns=[MS], serial=i) for i in range(190)]
    assert np.isnan(bins_of(make.columns(*few), first=10, last=11, span=2)["latency_p99_s"]).all()


@pytest.mark.parametrize(("per_bin", "span"), [(1_000, 1), (300, 2), (100, 5), (10, 50), (9, 0), (0, 0)])
def test_a_p99_spans_as_many_bins_as_its_samples_need(per_bin, span):
    assert p99_span(per_bin) == span


def test_a_span_stays_while_it_fits():
    assert p99_span(300, previous=5) == 5
    assert p99_span(2_000, previous=5) == 1
    assert p99_span(50, previous=5) == 10
