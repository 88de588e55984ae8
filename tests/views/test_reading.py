# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Views of one server that ask in one moment read once, and make once what they all need."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from workbench.views import wire
from workbench.views.follower import Follower
from workbench.views.reading import SAME_NS, Reading

MS = 1_000_000


@dataclass
class Log:
    """A log that counts how often it is read."""

    make: object
    asked: list = field(default_factory=list)
    time_ns: int = 0
    records: list = field(default_factory=list)
    dropped: int = 0
    first: int = 0

    def now(self):
        return self.time_ns

    def events(self, since=0, *, until=None):
        self.asked.append(since)
        next_since = self.first + 1 if until == 1 else until or since + 10
        return self.make.columns(*self.records, next_since=next_since, dropped=0 if since else self.dropped)


@pytest.fixture
def log(make):
    return Log(make)


@pytest.fixture
def reading(log):
    return Reading(clock=log.now)


def test_who_asks_in_the_same_moment_gets_the_same_reading(log, reading):
    first, second = reading.events(0, log.events), reading.events(0, log.events)
    assert first is second
    assert log.asked == [0]


def test_who_asks_for_more_or_later_reads_anew(log, reading):
    reading.events(0, log.events)
    reading.events(10, log.events)
    log.time_ns += SAME_NS + 1
    reading.events(10, log.events)
    assert log.asked == [0, 10, 10]


@pytest.mark.parametrize("since", [3, 17, 25])
def test_who_stands_elsewhere_misses_nothing_and_goes_on_with_the_others(log, reading, since):
    for others in (0, 10, 20):
        reading.events(others, log.events)
    assert reading.events(since, log.events).next_since == 30
    assert log.asked == [0, 10, 20, since]


def test_pools_are_looked_at_once_in_a_moment(log, reading):
    looks = []
    for _ in range(3):
        reading.memory(lambda: looks.append(log.time_ns))
    log.time_ns += SAME_NS + 1
    reading.memory(lambda: looks.append(log.time_ns))
    assert looks == [0, SAME_NS + 1]


@dataclass
class SharingSource:
    """Wraps a source as a server's are: views that ask in one moment get the same columns."""

    source: object
    reading: Reading

    @property
    def shared(self):
        return self.reading.shared

    def __getattr__(self, name):
        return getattr(self.source, name)

    def events(self, since=0):
        return self.reading.events(since, lambda since, until=None: self.source.events(since))


@pytest.fixture
def sharing(make, facts):
    source = make.source(facts)
    return SharingSource(source, Reading(clock=source.now_ns))


def ticked(sharing, followers, *records, by_ns=33 * MS):
    sharing.source.time_ns += by_ns
    sharing.source.waiting = list(records)
    return [follower.news() for follower in followers]


def test_windows_of_different_lengths_draw_the_same_records_encoded_once(make, sharing):
    followers = [Follower(sharing, window_s=window_s) for window_s in (2, 10, 60)]
    ticked(sharing, followers)
    views = ticked(sharing, followers, make.batch(sharing.source.time_ns, waits_ns=[MS] * 4))
    tables = [wire.message(view, seq=1)[1] for view in views]
    assert [len(view.batches) for view in views] == [1, 1, 1]
    assert tables[0][1] is tables[1][1] is tables[2][1]
    assert tables[0][2] is tables[1][2] is tables[2][2]


def test_shared_news_are_the_same_as_those_of_a_view_alone(make, facts, sharing):
    alone = make.source(facts)
    followers = [Follower(sharing, window_s=window_s) for window_s in (2, 10)]
    single = Follower(alone, window_s=10)
    for serial in range(40):
        records = make.batch(sharing.source.time_ns, waits_ns=[serial * MS] * 8, serial=serial)
        shared_view = ticked(sharing, followers, records)[1]
        own_view = ticked(SharingSource(alone, Reading(clock=alone.now_ns)), [single], records)[0]
        assert shared_view.totals == own_view.totals
        for mine, yours in zip(wire.message(shared_view, seq=1)[1], wire.message(own_view, seq=1)[1], strict=True):
            assert mine == yours
    assert np.array_equal(followers[1].whole().bins["answered"], single.whole().bins["answered"])


def test_a_view_that_starts_late_leaves_out_what_is_older_than_its_window(make, sharing):
    old = make.batch(sharing.source.time_ns - 5_000 * MS, waits_ns=[MS] * 4, serial=1)
    new = make.batch(sharing.source.time_ns, waits_ns=[MS] * 4, serial=2)
    followers = [Follower(sharing, window_s=window_s) for window_s in (2, 10)]
    views = ticked(sharing, followers, old, new)
    assert [len(view.batches) for view in views] == [1, 2]


def test_who_begins_to_read_has_not_lost_what_the_log_wrote_over(make, log, reading):
    log.records = [make.batch(i * MS, waits_ns=[MS] * 8, serial=i) for i in range(1_000, 3_000)]
    log.dropped = log.first = 1_000_000
    assert reading.events(0, log.events).dropped == 0
    assert 1_000 * MS < reading.shared.known_ns < 2_000 * MS
    log.time_ns += SAME_NS + 1
    log.dropped += 7
    assert reading.events(0, log.events).dropped == 7


def test_all_is_known_of_a_log_that_wrote_over_nothing(log, reading):
    reading.events(0, log.events)
    assert reading.shared.known_ns == 0


def arrays_of(follower):
    """The records that a follower keeps, by where they lie."""
    return {id(chunk.records) for chunks in follower._past.history._chunks.values() for chunk in chunks}


def records_of_a_moment(make, sharing, serial):
    return make.batch(sharing.source.time_ns + 33 * MS, waits_ns=[MS] * 8, serial=serial)


@pytest.mark.parametrize("window_s", [2, 10])
def test_a_view_that_begins_takes_over_what_another_keeps(make, sharing, window_s):
    before = Follower(sharing, window_s=10)
    for serial in range(60):
        ticked(sharing, [before], records_of_a_moment(make, sharing, serial))
    begun = Follower(sharing, window_s=window_s)
    ticked(sharing, [before, begun], records_of_a_moment(make, sharing, 60))
    assert len(begun.whole().batches) == len(before.whole().batches) >= 60
    assert arrays_of(begun) == arrays_of(before)
    assert sharing.source.asked.count(0) == 1


def test_a_wider_view_reads_the_log_itself(make, sharing):
    before = Follower(sharing, window_s=2)
    ticked(sharing, [before], records_of_a_moment(make, sharing, 0))
    ticked(sharing, [before, Follower(sharing, window_s=10)])
    assert sharing.source.asked.count(0) == 2


def test_a_view_that_reads_seldom_keeps_nothing_twice_and_is_told_everything(make, sharing):
    often, seldom = (Follower(sharing, window_s=10) for _ in range(2))
    told = ticked(sharing, [often, seldom])[1:]
    for serial in range(60):
        both = [often, seldom] if serial % 10 == 9 else [often]
        told += ticked(sharing, both, records_of_a_moment(make, sharing, serial))[1:]
    assert [len(view.batches) for view in told[1:]] == [10, 10, 10, 10, 10, 10]
    bins = {int(row["index"]): float(row["answered"]) for view in told for row in view.bins}
    ticked(sharing, [often, seldom])
    whole = {int(row["index"]): float(row["answered"]) for row in often.whole().bins}
    assert all(whole[index] == answered for index, answered in bins.items())
    assert arrays_of(seldom) == arrays_of(often)


def test_views_of_one_window_keep_the_same_tallies(make, sharing):
    followers = [Follower(sharing, window_s=10) for _ in range(2)]
    for serial in range(20):
        ticked(sharing, followers, records_of_a_moment(make, sharing, serial))
    mine, yours = (follower._tallies._parts for follower in followers)
    assert mine
    assert all(mine[index] is yours[index] for index in mine)
