# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from workbench.load import Interval
from workbench.sweep import Candidate, Forecast, Goodput, LowestP99, Point, Score
from workbench.sweep.race import race, shortlist

BASE = Candidate(8, (), 500, 1)


def forecast(candidate, gain, *, feasible=True):
    point = Point(gain, gain, gain, Interval(1, 1, 1), Interval(2, 2, 2), 1.0, rate=gain, is_predicted=True)
    return Forecast(candidate, Score(Interval(gain, gain, gain), feasible, ""), (point,))


def test_the_best_predicted_and_the_model_as_it_is_are_chosen():
    others = [forecast(Candidate(32, (), delay, 1), 1000 + 100 * delay) for delay in range(5)]
    chosen = [f.candidate for f in shortlist([*others, forecast(BASE, 10)], base=BASE, most=2)]
    assert set(chosen) == {Candidate(32, (), 4, 1), Candidate(32, (), 3, 1), BASE}


def test_of_those_that_are_predicted_alike_the_plainer_come_first():
    alike = [forecast(Candidate(32, (16,), 0, 1), 1003), forecast(Candidate(32, (), 500, 1), 1002)]
    alike += [forecast(Candidate(32, (), 0, 4), 1004), forecast(Candidate(32, (), 0, 1), 1001)]
    (chosen,) = shortlist(alike, base=BASE, most=1)
    assert chosen.candidate == Candidate(32, (), 0, 1)
    (chosen,) = shortlist([*alike, forecast(Candidate(32, (8,), 900, 4), 1100)], base=BASE, most=1)
    assert chosen.candidate == Candidate(32, (8,), 900, 4)


def test_less_is_better_where_the_objective_counts_down():
    (chosen,) = shortlist([forecast(Candidate(8, (), d, 1), -1.0 - d) for d in range(3)], base=BASE, most=1)
    assert chosen.candidate.max_queue_delay_microseconds == 0


def test_what_misses_the_objective_comes_after_all_that_meet_it():
    missing = forecast(Candidate(32, (), 0, 1), 9000, feasible=False)
    (chosen,) = shortlist([missing, forecast(Candidate(8, (), 0, 1), 10)], base=BASE, most=1)
    assert chosen.candidate.max_batch_size == 8


def test_candidates_that_share_a_load_stand_together():
    places = [(32, 1), (8, 2), (32, 2), (8, 1), (32, 1)]
    rows = [forecast(Candidate(size, (), d, count), 100) for d, (size, count) in enumerate(places)]
    chosen = [(f.candidate.max_batch_size, f.candidate.count) for f in shortlist(rows, base=BASE, most=5)]
    assert chosen == sorted(chosen)


def test_the_race_for_a_rate_begins_a_little_below_the_predicted_one():
    chosen = [forecast(Candidate(8, (), 0, 1), 1000)]
    assert race(chosen, Goodput(5.0)).ask().rate == 970
    assert race(chosen, LowestP99()).ask().rate == 0
