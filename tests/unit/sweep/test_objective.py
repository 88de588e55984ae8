# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Interval, Workload, measure
from workbench.sweep import Goodput, HighestThroughput, LowestP99, Point, Score
from workbench.testing.fake_target import FakeTarget

WORKLOAD = Workload(rate=200, duration_s=4)


def measuring(target):
    return lambda workload, backlog_limit: Point.of(measure(target, workload, backlog_limit=backlog_limit))


def scored(objective, target, workload=WORKLOAD):
    return objective.score(objective.measure(measuring(target), workload))


def test_goodput_finds_the_highest_rate_within_the_objective():
    """M/D/1 with 1 ms: ten million simulated requests have a p99 of 4.87 ms at 550/s and of 5.53 ms at 600/s."""
    score = scored(Goodput(5.0), FakeTarget(fixed_ns=1_000_000), WORKLOAD.lasting(20))
    assert score.is_feasible
    assert 510 <= score.gain.value <= 600


def test_goodput_goes_down_where_the_first_rate_is_too_much():
    target = FakeTarget(fixed_ns=1_000_000)
    score = scored(Goodput(5.0), target, Workload(rate=5000, duration_s=2))
    assert score.is_feasible
    assert 450 <= score.gain.value <= 680
    assert target.runs[1].rate < target.runs[0].rate


def test_goodput_of_a_model_that_never_meets_the_objective_is_nothing():
    score = scored(Goodput(0.5), FakeTarget(fixed_ns=1_000_000))
    assert not score.is_feasible
    assert score.gain.value == 0


def test_goodput_needs_a_rate_and_an_objective():
    with pytest.raises(InvalidArgumentError, match="slo_p99_ms"):
        Goodput(float("inf"))
    with pytest.raises(InvalidArgumentError, match="rate"):
        Goodput(5.0).measure(measuring(FakeTarget()), Workload(concurrency=4))


def test_a_lower_p99_is_better():
    longer = WORKLOAD.lasting(20)
    slow, fast = (scored(LowestP99(20), FakeTarget(fixed_ns=ns), longer) for ns in (2_000_000, 1_000_000))
    assert fast.rank > slow.rank
    assert slow.is_clearly_behind(fast)


def test_a_model_that_can_not_keep_up_is_not_feasible():
    assert not scored(LowestP99(), FakeTarget(fixed_ns=10_000_000)).is_feasible


def test_a_request_without_answer_counts_as_late_for_ever():
    measured = Point.of(measure(FakeTarget(), WORKLOAD))
    assert measured.meets(100)
    assert replace(measured, lost=4).meets(100)
    assert not replace(measured, lost=40).meets(100)


def test_failed_and_unanswered_requests_are_lost():
    measured = measure(FakeTarget(), WORKLOAD)
    assert Point.of(replace(measured, errors={"UNAVAILABLE": 3}, unanswered=2)).lost == 5


def test_a_short_run_is_not_behind_because_its_last_answers_come_after_it():
    measured = Point.of(measure(FakeTarget(fixed_ns=4_000_000), Workload(rate=200, duration_s=0.1)))
    assert measured.throughput < 0.97 * measured.offered_rate
    assert measured.meets(1000)


def test_more_throughput_is_better_within_the_constraint():
    closed = Workload(concurrency=16, duration_s=2)
    small, large = (scored(HighestThroughput(), FakeTarget(max_batch_size=size), closed) for size in (4, 8))
    assert large.rank > small.rank
    assert not scored(HighestThroughput(0.1), FakeTarget(max_batch_size=8), closed).is_feasible


def test_what_misses_the_constraint_is_behind_all_that_meet_it():
    missing = Score(Interval(100, 90, 110), False, "")
    meeting = Score(Interval(1, 0, 2), True, "")
    assert meeting.rank > missing.rank
    assert missing.is_clearly_behind(meeting)
    assert not meeting.is_clearly_behind(missing)
