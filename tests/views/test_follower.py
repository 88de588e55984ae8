# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import numpy as np
import pytest

from workbench.views.follower import Follower

MS = 1_000_000
S = 1_000_000_000


@pytest.fixture
def source(make, facts):
    return make.source(facts)


def step(source, follower, *, by_ns=33 * MS, records=()):
    source.time_ns += by_ns
    source.waiting = list(records)
    return follower.news()


def test_it_asks_for_what_it_has_not_read(make, source):
    follower = Follower(source)
    step(source, follower, records=[make.batch(source.time_ns, waits_ns=[MS] * 4)])
    step(source, follower)
    assert source.asked == [0, 5]


def test_news_hold_only_what_is_new(make, source):
    follower = Follower(source)
    first = step(source, follower, records=[make.batch(source.time_ns, waits_ns=[MS] * 4)])
    second = step(source, follower)
    assert (len(first.batches), len(second.batches)) == (1, 0)


def test_a_bin_is_told_once_it_is_over(make, source):
    follower = Follower(source)
    step(source, follower)
    told = []
    for _ in range(12):
        ends = source.time_ns
        told.append(step(source, follower, records=[make.batch(ends, waits_ns=[MS], execute_ns=MS)]).bins)
    bins = np.concatenate(told)
    assert bins["index"].tolist() == sorted(set(bins["index"].tolist()))
    assert bins["answered"].sum() in (8, 9, 10)


def test_a_late_record_changes_its_bin_again(make, source):
    follower = Follower(source)
    step(source, follower, by_ns=S)
    step(source, follower, by_ns=S)
    late = source.time_ns - 500 * MS
    news = step(source, follower, records=[make.batch(late, waits_ns=[MS], execute_ns=MS)])
    changed = news.bins[news.bins["index"] == late // (100 * MS)]
    assert changed["answered"].tolist() == [1]


def test_figures_come_a_few_times_a_second(source):
    follower = Follower(source)
    with_totals = sum(step(source, follower).totals is not None for _ in range(30))
    assert with_totals == 3


def test_dropped_events_are_counted_on(source):
    follower = Follower(source)
    source.dropped = 7
    step(source, follower)
    source.dropped = 5
    assert step(source, follower).dropped == 12


def test_the_whole_is_what_all_news_were(make, source):
    follower = Follower(source)
    for serial in range(50):
        step(source, follower, records=[make.batch(source.time_ns, waits_ns=[MS] * 4, serial=serial)])
    whole = follower.whole()
    assert (len(whole.batches), len(whole.requests)) == (50, 200)


def test_what_left_the_window_is_forgotten(make, source):
    follower = Follower(source, window_s=1.0)
    step(source, follower, records=[make.batch(source.time_ns, waits_ns=[MS] * 4)])
    for _ in range(60):
        step(source, follower)
    assert follower.whole().is_empty


def test_a_reload_does_not_lose_the_model(make, source, facts):
    follower = Follower(source)
    step(source, follower)
    source.model = replace(facts, number=2)
    loaded = make.memory(source.time_ns, kind=10)
    news = step(source, follower, records=[loaded, make.batch(source.time_ns, waits_ns=[MS], model=2)])
    assert len(news.batches) == 1


def test_thinned_news_are_small_and_say_how_much_there_was(make, source):
    follower = Follower(source)
    many = [make.batch(source.time_ns + i, waits_ns=[MS] * 2, serial=i) for i in range(1_800)]
    news = step(source, follower, records=many)
    assert len(news.batches) <= 1_200
    assert news.batch_total == 1_800


def test_fallbacks_are_marked_when_they_happen(make, source):
    follower = Follower(source)
    news = step(source, follower, records=[make.memory(source.time_ns, kind=8)])
    assert [mark.kind for mark in news.marks] == ["fallback"]


def test_memory_carries_on_between_its_events(make, source):
    follower = Follower(source)
    step(source, follower)
    news = step(source, follower, records=[make.memory(source.time_ns, live=50, reserved=64)])
    bins = [step(source, follower, by_ns=100 * MS).pool_bins for _ in range(3)]
    assert [of_step[of_step["pool"] == 0]["live"].tolist() for of_step in bins] == [[50.0]] * 3
    assert news.pools[0].live_byte_size == 50


def busy_second(make, source, *, batches=500, after_ns=0):
    """The records of a second in which 4,000 requests were answered."""
    return [
        make.batch(source.time_ns + after_ns + i * (S // batches), waits_ns=[MS] * 8, execute_ns=MS, serial=i)
        for i in range(batches)
    ]


def watched(make, source, *, seconds, keeps_few, **options):
    """A follower that looked once a second at a busy server, and the bins that it told."""
    follower = Follower(source, **options)
    if keeps_few:
        follower.keep_few()
    told = [step(source, follower, by_ns=S, records=busy_second(make, source)) for _ in range(seconds)]
    return follower, told


def test_who_keeps_few_holds_no_more_after_many_seconds_than_after_a_few(make, source):
    sizes = [watched(make, source, seconds=n, keeps_few=True, window_s=60.0)[0].byte_size for n in (20, 50)]
    whole = watched(make, source, seconds=50, keeps_few=False, window_s=60.0)[0].byte_size
    assert sizes[1] <= sizes[0]
    assert sizes[1] < whole / 4


def test_who_keeps_few_tells_the_same_bins_and_rate(make, source, facts):
    told = []
    for keeps_few in (True, False):
        _, views = watched(make, make.source(facts), seconds=12, keeps_few=keeps_few)
        bins = {int(row["index"]): float(row["answered"]) for view in views for row in view.bins}
        told.append((bins, [round(view.totals.answered_per_s, -2) for view in views[3:]]))
    assert told[0] == told[1]
    assert set(told[0][1]) == {4_000.0}


@pytest.mark.parametrize("every_s", [1, 5])
def test_who_keeps_few_counts_long_bins_in_full(make, source, every_s):
    follower = Follower(source, window_s=600.0)
    follower.keep_few()
    told = {}
    for _ in range(60 // every_s):
        records = [part for second in range(every_s) for part in busy_second(make, source, after_ns=second * S)]
        news = step(source, follower, by_ns=every_s * S, records=records)
        told |= {int(row["index"]): float(row["answered"]) for row in news.bins}
    whole_bins = [told[index] for index in sorted(told)[1:-1]]
    assert len(whole_bins) > 6
    assert set(whole_bins) == {24_000.0}


def test_a_late_record_does_not_shrink_a_bin_that_is_partly_forgotten(make, source):
    follower = Follower(source, window_s=100.0)
    follower.keep_few()
    told = {}
    for _ in range(8):
        news = step(source, follower, by_ns=S, records=busy_second(make, source))
        told |= {int(row["index"]): float(row["answered"]) for row in news.bins}
    late = make.batch(source.time_ns - 6_500 * MS, waits_ns=[MS], execute_ns=MS)
    news = step(source, follower, by_ns=S, records=[late])
    assert all(row["answered"] >= told.get(int(row["index"]), 0.0) for row in news.bins)


def test_what_is_read_at_once_is_forgotten_in_parts(make, source):
    follower = Follower(source, window_s=60.0)
    seconds = [part for second in range(40) for part in busy_second(make, source, after_ns=second * S)]
    step(source, follower, by_ns=40 * S, records=seconds)
    step(source, follower, by_ns=30 * S)
    answered = follower.whole().bins["answered"].sum()
    assert answered == pytest.approx(30 * 4_000, rel=0.02)


def test_bins_of_a_time_that_is_not_known_are_not_told(make, source):
    follower = Follower(source, window_s=10.0)
    for _ in range(10):
        step(source, follower, by_ns=S, records=busy_second(make, source))
    follower._past.known_ns = known_ns = source.time_ns - 4 * S
    whole = follower.whole()
    assert whole.bins["index"][0] * follower.bin_ns >= known_ns
    assert set(whole.bins["answered"][:-1].tolist()) == {400.0}
    assert whole.totals.covered_s == pytest.approx(4.0, rel=0.05)
    assert whole.totals.answered_per_s == pytest.approx(4_000, rel=0.05)


def test_memory_of_a_time_whose_events_were_forgotten_is_not_drawn(make, source):
    follower = Follower(source)
    follower._past.history.limit = 10
    for second in range(8):
        events = [make.memory(source.time_ns + i * MS, live=second * 10 + i, reserved=100) for i in range(9)]
        step(source, follower, by_ns=S, records=events)
    bins = follower.whole().pool_bins
    assert bins["index"].min() * follower.bin_ns >= source.time_ns - 3 * S
    assert bins["live"].max() == 78
