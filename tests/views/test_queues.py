# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How many wait at each priority level: from looks to bins, live and out of a recording."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workbench.events import EVENT_DTYPE, EventKind, EventNames, RecordingWriter, Snapshot
from workbench.views import reduce, replay
from workbench.views.follower import Follower
from workbench.views.queues import NO_SAMPLES, lengths_now, queue_bins, sample, samples_of

MS, S = 1_000_000, 1_000_000_000
NOW = 1_000 * S


def told(bins):
    return [(int(one["index"]), int(one["level"]), int(one["length"])) for one in bins]


def test_a_bin_tells_the_longest_queue_of_each_level_that_was_seen_in_it():
    samples = np.concatenate([sample(105, {1: 2, 2: 9}), sample(108, {1: 5, 2: 3}), sample(117, {1: 0, 2: 4})])
    assert told(queue_bins(samples, bin_ns=10, first=10, last=11)) == [(10, 1, 5), (11, 1, 0), (10, 2, 9), (11, 2, 4)]


def test_bins_in_which_nobody_looked_are_left_out():
    assert told(queue_bins(sample(105, {1: 2}), bin_ns=10, first=11, last=20)) == []
    assert told(queue_bins(NO_SAMPLES, bin_ns=10, first=0, last=9)) == []


def test_lengths_are_those_of_the_last_look():
    samples = samples_of(np.array([5, 6]), {2: np.array([1, 7]), 1: np.array([3, 4])})
    assert lengths_now(samples) == ((1, 4), (2, 7))
    assert lengths_now(NO_SAMPLES) == ()


class Queueing:
    """A hand source that tells lengths by priority."""

    def __init__(self, source, lengths):
        self.source, self.lengths = source, lengths

    def __getattr__(self, name):
        return getattr(self.source, name)

    def queue_samples(self, since_ns):
        return sample(self.source.now_ns(), self.lengths)


def test_a_follower_tells_the_bins_that_changed_since_its_last_look(make, facts):
    source = Queueing(make.source(replace(facts, priority_levels=2), time_ns=NOW), {1: 0, 2: 3})
    follower = Follower(source)
    assert [length for _, _, length in told(follower.news().queue_bins)] == [0, 3]
    source.lengths = {1: 1, 2: 2}
    source.source.time_ns += 10 * MS
    assert told(follower.news().queue_bins) == [(10_000, 1, 1), (10_000, 2, 3)]
    source.source.time_ns += 100 * MS
    assert told(follower.news().queue_bins) == [(10_000, 1, 1), (10_001, 1, 1), (10_000, 2, 3), (10_001, 2, 2)]
    assert told(follower.whole().queue_bins) == [(10_000, 1, 1), (10_001, 1, 1), (10_000, 2, 3), (10_001, 2, 2)]


def test_a_source_that_tells_no_lengths_has_no_rows(make, facts):
    assert len(Follower(make.source(facts, time_ns=NOW)).news().queue_bins) == 0


@pytest.fixture
def recorded(tmp_path):
    """Ten requests of each of two priorities that came at once; those of priority 1 leave first."""
    pytest.importorskip("pyarrow")
    records = np.zeros(21, EVENT_DTYPE)
    records["kind"], records["model"], records["count"], records["arrival_ns"] = EventKind.REQUEST, 1, 1, NOW
    records["priority"] = [1] * 10 + [2] * 5 + [0] * 5 + [2]  # 0 is the default level
    records["start_ns"] = NOW + np.r_[np.arange(1, 11) * MS, np.arange(1, 11) * 10 * MS, 0]
    records["end_ns"] = records["start_ns"] + MS
    records["kind"][20], records["end_ns"][20] = EventKind.REFUSED, NOW + 50 * MS
    model = {
        "number": 1, "name": "m", "version": 1, "max_batch_size": 8, "dynamic": True, "priority_levels": 2,
        "default_priority_level": 2, "max_queue_delay_microseconds": 0, "preferred_batch_size": [],
        "instances": [["CPU", 0]], "steps": [],
    }  # fmt: skip
    told = RecordingWriter(tmp_path / "run.wbr", began_ns=NOW - S, began_unix_ns=1)
    told.write(records, Snapshot(now_ns=NOW + S, names=EventNames((("", 0), ("m", 1))), models=(model,)))
    told.close()
    return replay(tmp_path / "run.wbr")


def test_a_recording_knows_exactly_who_waited_when(recorded):
    source = recorded.source()
    source.transport.pause()
    source.transport.seek(1.06)
    assert lengths_now(source.queue_samples(NOW)) == ((1, 0), (2, 4))
    view = recorded.view(at_s=1.5)
    assert view.queue_bins["length"][view.queue_bins["level"] == 2].max() == 11
    assert view.facts.priority_levels == 2


def test_a_window_without_priorities_has_no_queue_bins(make, facts):
    assert len(reduce(make.columns(), facts=facts, now_ns=NOW).queue_bins) == 0
