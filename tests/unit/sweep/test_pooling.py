# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from workbench.load import Interval
from workbench.sweep import Candidate, Goodput, LowestP99, Point, Score, Trial
from workbench.sweep.pooling import pooled, ranked

FIRST, SECOND = Candidate(8, (), 0, 1), Candidate(8, (), 0, 2)


def point(rate, p99=1.0, *, disturbed=False):
    return Point(rate, rate, rate, Interval(1, 1, 1), Interval(p99, p99, p99), 1.0, is_disturbed=disturbed, rate=rate)


def trial(gain, *, of=FIRST, half=1.0, effort=1.0, turn=0, feasible=True, disturbed=False):
    score = Score(Interval(gain, gain - half, gain + half), feasible, f"{gain}/s", "/s")
    return Trial(turn, of, score=score, points=(point(gain, disturbed=disturbed),), effort=effort, turn=turn)


def test_runs_of_a_candidate_count_by_their_length():
    told = pooled([trial(100), trial(130, effort=2.0, turn=1)])
    assert told.score.gain.value == pytest.approx(120)
    assert told.effort == 3.0
    assert told.point.rate == 130
    assert told.score.words == "120/s, mean of 2 runs"


def test_the_doubt_shrinks_with_runs_that_agree_and_not_with_others():
    agreeing = pooled([trial(100, half=4.0, turn=turn) for turn in range(4)]).score.gain
    assert agreeing.high - agreeing.value == pytest.approx(2.0)
    apart = pooled([trial(gain, half=1.0) for gain in (90, 110, 90, 110)]).score.gain
    assert apart.value - apart.low == pytest.approx(1.96 * math.sqrt(100 * 4 / 3 / 4))


def test_a_run_that_a_stall_disturbed_counts_only_where_there_is_no_other():
    slow = trial(10, disturbed=True, turn=1)
    assert pooled([trial(100), slow]).score.gain.value == 100
    assert pooled([slow]).score.gain.value == 10


def test_most_of_the_runs_say_whether_the_objective_is_met():
    missed = trial(0, feasible=False)
    assert pooled([trial(100), trial(100), missed]).is_feasible
    assert not pooled([trial(100), missed, missed]).is_feasible


def test_a_run_without_an_answer_makes_the_mean_the_worst_there_is():
    never = Point(1, 0, 0, Interval(math.inf, math.inf, math.inf), Interval(math.inf, math.inf, math.inf), math.nan)
    lost = Trial(0, FIRST, score=LowestP99(5.0).score((never,)), points=(never,))
    told = pooled([lost, lost])
    assert told.rank[-1] == -math.inf
    assert not told.is_feasible


def test_what_was_refused_stays_so():
    refused = Trial(0, FIRST, "refused", reason="no memory")
    assert pooled([refused]).reason == "no memory"
    assert pooled([refused, trial(100)]).score.gain.value == 100


def test_who_got_further_in_a_race_is_before_all_who_did_not():
    told = [trial(150, of=SECOND), trial(100), trial(100, turn=1)]
    assert [one.candidate for one in ranked(told)] == [FIRST, SECOND]


def test_the_mean_is_told_in_the_words_of_the_objective():
    rates = [Goodput(5.0).score((point(rate),)) for rate in (1000.0, 1200.0)]
    told = pooled([Trial(0, FIRST, score=score) for score in rates])
    assert told.score.words == "1,100/s within 5 ms, mean of 2 runs"
