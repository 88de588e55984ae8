# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import numpy as np
import pytest

from workbench.views import reduce
from workbench.views.reducers import window_totals

MS = 1_000_000
S = 1_000_000_000
NOW = 1_000 * S


@pytest.fixture
def busy(make):
    """Two instances, 100 batches of 4 a second in all, for 10 s before now; each request waited 1 ms."""
    parts = [
        make.batch(NOW - 10 * S + i * 10 * MS, waits_ns=[MS] * 4, lane=i % 2, serial=i, execute_ns=5 * MS)
        for i in range(1_000)
    ]
    return np.concatenate(parts)


def test_rates_and_latency_are_those_of_the_window(make, facts, busy):
    totals = reduce(make.columns(busy), facts=facts, now_ns=NOW).totals
    assert totals.answered_per_s == pytest.approx(400, rel=0.01)
    assert totals.offered_per_s == pytest.approx(400, rel=0.01)
    assert (totals.latency.p50_ns, totals.latency.p99_ns) == (6e6, 6e6)
    assert totals.queue.p99_ns == 1e6
    assert totals.busy == pytest.approx((0.25, 0.25), rel=0.02)


def test_offered_counts_what_is_refused_too(make, facts, busy):
    refused = make.refusals(np.arange(NOW - 10 * S, NOW, 10 * MS))
    totals = reduce(make.columns(busy, refused), facts=facts, now_ns=NOW).totals
    assert totals.refused_per_s == pytest.approx(100, rel=0.01)
    assert totals.offered_per_s == pytest.approx(500, rel=0.01)


def test_a_young_server_is_measured_over_its_own_age(make, facts):
    young = [make.batch(NOW - S + i * 10 * MS, waits_ns=[MS] * 4, serial=i) for i in range(100)]
    totals = reduce(make.columns(*young), facts=facts, now_ns=NOW).totals
    assert totals.covered_s == pytest.approx(1.001)
    assert totals.answered_per_s == pytest.approx(400, rel=0.01)


def test_figures_count_only_what_ended_inside_the_window(make, facts, busy):
    columns = make.columns(busy)
    records = (columns.requests, columns.refusals, columns.batches)
    totals = window_totals(*records, facts=facts, start_ns=NOW - 2 * S, end_ns=NOW)
    assert totals.answered_per_s == pytest.approx(400, rel=0.01)
    assert totals.sizes.count == pytest.approx(200, abs=2)


def test_events_of_other_models_are_left_out(make, facts, busy):
    other = make.batch(NOW - S, waits_ns=[MS] * 8, model=2, reason=2)
    view = reduce(make.columns(busy, other), facts=facts, now_ns=NOW)
    assert view.totals.sizes.by_reason[2] == 0
    everything = reduce(make.columns(busy, other), facts=replace(facts, number=None), now_ns=NOW)
    assert everything.totals.sizes.by_reason[2] == 1


def test_what_is_older_than_the_window_is_left_out(make, facts):
    old = make.batch(NOW - 20 * S, waits_ns=[MS] * 8)
    assert reduce(make.columns(old), facts=facts, now_ns=NOW).is_empty


def test_the_time_axis_has_a_hundred_bins_up_to_now(make, facts, busy):
    view = reduce(make.columns(busy), facts=facts, now_ns=NOW)
    assert len(view.bins) == 100
    assert (view.bins["index"][-1] + 1) * view.bin_ns == NOW
    assert view.bins["answered"][5:95].mean() == pytest.approx(40, rel=0.01)


def test_a_window_without_events_is_a_view_too(make, facts):
    view = reduce(make.columns(), facts=facts, pools=make.pools, now_ns=NOW)
    assert view.is_empty
    assert "No request was answered" in view.sentence
    assert view.totals.latency.p50_ns is None


def test_failed_requests_have_no_latency(make, facts):
    failed = make.batch(NOW - S, waits_ns=[MS] * 4, status=2)
    totals = reduce(make.columns(failed), facts=facts, now_ns=NOW).totals
    assert totals.latency.count == 0
    assert totals.failed_per_s > 0


def test_many_batches_are_thinned_for_drawing_but_all_counted(make, facts):
    many = np.concatenate([make.batch(NOW - 9 * S + i * MS, waits_ns=[MS], serial=i) for i in range(6_000)])
    view = reduce(make.columns(many), facts=facts, now_ns=NOW)
    assert (view.batch_total, view.totals.sizes.count) == (6_000, 6_000)
    assert len(view.batches) <= 4_000
