# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.views.tallies import Tallies
from workbench.views.tally import combined, tally, totals_of

MS = 1_000_000
S = 1_000_000_000


def tally_of(columns):
    return tally(columns.requests, columns.refusals, columns.batches)


@pytest.fixture
def parts(make):
    """Three times of different sizes, one of them without anything."""
    return [
        make.columns(*[make.batch(i * MS, waits_ns=[MS] * (1 + i % 8), serial=i, lane=i % 2) for i in range(100, 200)]),
        make.columns(),
        make.columns(
            make.batch(300 * MS, waits_ns=[3 * MS] * 20, reason=2, lane=3),
            make.batch(310 * MS, waits_ns=[MS] * 2, status=2),
            make.refusals([320 * MS]),
        ),
    ]


def test_the_tally_of_a_window_is_the_sum_of_its_parts(make, facts, parts):
    def records(name):
        return np.concatenate([getattr(part, name) for part in parts])

    whole = tally(records("requests"), records("refusals"), records("batches"))
    window = {"facts": facts, "start_ns": 0, "end_ns": S}
    assert totals_of(combined([tally_of(part) for part in parts]), **window) == totals_of(whole, **window)


def test_an_instance_is_busy_for_the_time_that_it_executes(make, facts):
    columns = make.columns(
        make.batch(100 * MS, waits_ns=[100 * MS], lane=0, execute_ns=10 * MS),
        make.batch(100 * MS, waits_ns=[100 * MS], lane=1, execute_ns=50 * MS),
    )
    found = totals_of(tally_of(columns), facts=facts, start_ns=0, end_ns=100 * MS)
    assert found.busy == pytest.approx((0.1, 0.5))


def test_an_instance_that_the_facts_do_not_know_is_left_out(make, facts, parts):
    assert len(totals_of(tally_of(parts[2]), facts=facts, start_ns=0, end_ns=S).busy) == 2


def test_waiting_longer_than_the_delay_is_waiting_for_an_instance(make, facts):
    columns = make.columns(make.batch(100 * MS, waits_ns=[10 * MS, 2 * MS]))
    found = totals_of(tally_of(columns), facts=facts, start_ns=0, end_ns=S)
    assert found.instance_wait_share == pytest.approx(8 / 12)


def test_very_many_requests_are_all_counted_but_not_all_kept(make, facts):
    many = np.concatenate([make.batch(100 * MS, waits_ns=[(i % 1000) * 1_000] * 2, serial=i) for i in range(6_000)])
    found = tally_of(make.columns(many))
    totals = totals_of(found, facts=facts, start_ns=0, end_ns=S)
    assert len(found.latencies_ns) <= 8_192
    assert (found.answered, totals.latency.count) == (12_000, 12_000)
    assert totals.queue.p99_ns == pytest.approx(989_000, rel=0.01)
    assert totals.latency.max_ns == 2 * MS + 999_000


def test_what_was_lost_is_told_by_status_the_most_frequent_first(make, facts):
    columns = make.columns(
        make.batch(310 * MS, waits_ns=[MS] * 2, status=2),
        make.refusals([320 * MS, 330 * MS, 340 * MS]),
        make.refusals([350 * MS], status=8),
    )
    assert totals_of(tally_of(columns), facts=facts, start_ns=0, end_ns=S).lost == ((5, 3, 0), (2, 0, 2), (8, 1, 0))


def test_the_wait_of_each_priority_is_told_where_there_are_several(make, facts):
    urgent, patient = make.batch(100 * MS, waits_ns=[MS] * 2), make.batch(200 * MS, waits_ns=[5 * MS], serial=2)
    assert totals_of(tally_of(make.columns(urgent)), facts=facts, start_ns=0, end_ns=S).priorities == ()
    patient["priority"] = 2
    found = totals_of(tally_of(make.columns(urgent, patient)), facts=facts, start_ns=0, end_ns=S)
    assert found.priorities == ((0, 2, float(MS)), (2, 1, 5.0 * MS))


def test_figures_are_of_the_bins_that_a_new_limit_leaves(make):
    tallies = Tallies(bins=100, fewest=2)
    for index in range(10):
        tallies.put(index, tally_of(make.columns(make.batch(100 * MS, waits_ns=[MS] * 50, serial=index))))
    assert (tallies.window(9)[0], tallies.window(9)[1].answered) == (-90, 500)
    tallies.limit = 200
    first, found = tallies.window(9)
    assert found.answered == 50 * (10 - first) == 200
