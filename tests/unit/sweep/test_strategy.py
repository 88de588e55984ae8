# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from workbench.load import Interval
from workbench.sweep import Candidate, Grid, Point, Score, SuccessiveHalving, Trial
from workbench.sweep.pooling import ranked

CANDIDATES = [Candidate(8, (), delay, 1) for delay in range(8)]


def played(strategy, gain, *, half_width=0.1):
    """Plays a strategy against known gains; what was asked, in order: the delay, and the turn."""
    asked = []
    while (proposal := strategy.ask()) is not None:
        value = gain(proposal.candidate)
        score = Score(Interval(value, value - half_width, value + half_width), True, "")
        asked.append((proposal.candidate.max_queue_delay_microseconds, proposal.turn))
        strategy.tell(Trial(len(asked), proposal.candidate, score=score, effort=proposal.effort, turn=proposal.turn))
    return asked


def in_turn(asked, number):
    return [delay for delay, turn in asked if turn == number]


def test_a_grid_asks_for_each_candidate_once():
    assert played(Grid(CANDIDATES), lambda c: 0) == [(delay, 0) for delay in range(8)]


def test_halving_measures_the_better_half_twice_more_and_the_best_four_times():
    asked = played(SuccessiveHalving(CANDIDATES), lambda c: c.max_queue_delay_microseconds, half_width=9)
    assert in_turn(asked, 0) == list(range(8))
    assert [sorted(in_turn(asked, turn)) for turn in (1, 2)] == [[4, 5, 6, 7]] * 2
    assert [sorted(in_turn(asked, turn)) for turn in (3, 4, 5, 6)] == [[6, 7]] * 4
    assert len(asked) == 8 + 2 * 4 + 4 * 2


def test_each_turn_goes_the_other_way_and_has_arrivals_of_its_own():
    asked = played(SuccessiveHalving(CANDIDATES), lambda c: c.max_queue_delay_microseconds, half_width=9)
    assert [in_turn(asked, turn) for turn in (1, 2, 3, 4)] == [[7, 6, 5, 4], [4, 5, 6, 7], [7, 6], [6, 7]]


def test_one_lucky_run_does_not_win_a_race():
    luck = iter([50])

    def gain(candidate):
        value = candidate.max_queue_delay_microseconds
        return value + next(luck, 0) if value == 4 else 10 * value

    strategy, told = SuccessiveHalving(CANDIDATES), []
    while (proposal := strategy.ask()) is not None:
        value = gain(proposal.candidate)
        told.append(Trial(0, proposal.candidate, score=Score(Interval(value, -99, 99), True, ""), turn=proposal.turn))
        strategy.tell(told[-1])
    finalists = [trial.candidate.max_queue_delay_microseconds for trial in told if trial.turn == 3]
    assert sorted(finalists) == [6, 7]
    assert ranked(told)[0].candidate == CANDIDATES[7]


def test_halving_waits_for_what_is_under_way_before_it_chooses():
    strategy = SuccessiveHalving(CANDIDATES[:3])
    proposals = [strategy.ask() for _ in range(3)]
    assert strategy.ask() is None
    for value, proposal in enumerate(proposals):
        strategy.tell(Trial(0, proposal.candidate, score=Score(Interval(value, 0, 9), True, "")))
    assert strategy.ask().candidate == CANDIDATES[2]


def test_a_search_for_a_rate_goes_on_where_the_last_one_ended():
    strategy = SuccessiveHalving(CANDIDATES[:3], rates=dict.fromkeys(CANDIDATES[:3], 500.0))
    for value in range(3):
        proposal = strategy.ask()
        assert proposal.rate == 500
        point = Point(600, 600, 610, Interval(1, 1, 1), Interval(2, 2, 2), 1.0, rate=600 + value)
        score = Score(Interval(value, 0, 9), True, "")
        strategy.tell(Trial(0, proposal.candidate, score=score, points=(point,)))
    assert strategy.ask().rate == 602


def test_after_two_more_runs_whoever_is_behind_beyond_doubt_is_dropped():
    asked = played(SuccessiveHalving(CANDIDATES), lambda c: 10 if c.max_queue_delay_microseconds == 3 else 0)
    assert len(in_turn(asked, 0)) == 8
    assert len(in_turn(asked, 1)) == 4
    assert [in_turn(asked, turn) for turn in (3, 4, 5, 6)] == [[3]] * 4


def test_what_was_refused_is_not_asked_for_again():
    strategy = SuccessiveHalving(CANDIDATES[:4])
    while (proposal := strategy.ask()) is not None and proposal.turn == 0:
        strategy.tell(Trial(0, proposal.candidate, "refused", effort=0.5))
    assert proposal is None


def test_the_remaining_effort_shrinks_to_nothing():
    strategy = SuccessiveHalving(CANDIDATES)
    assert strategy.remaining() == (8 + 4 * 2 + 2 * 4) * 0.5
    played(strategy, lambda c: c.max_queue_delay_microseconds)
    assert strategy.remaining() == 0
