# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from workbench.load import Interval
from workbench.sweep import Candidate, Grid, Point, Score, SuccessiveHalving, Trial

CANDIDATES = [Candidate(8, (), delay, 1) for delay in range(8)]


def played(strategy, gain, *, half_width=0.1):
    """Plays a strategy against known gains; what was asked, in order."""
    asked = []
    while (proposal := strategy.ask()) is not None:
        value = gain(proposal.candidate)
        score = Score(Interval(value, value - half_width, value + half_width), True, "")
        asked.append((proposal.candidate.max_queue_delay_microseconds, proposal.effort))
        strategy.tell(Trial(len(asked), proposal.candidate, score=score, effort=proposal.effort))
    return asked


def test_a_grid_asks_for_each_candidate_once():
    assert played(Grid(CANDIDATES), lambda c: 0) == [(delay, 1.0) for delay in range(8)]


def test_halving_measures_the_better_half_twice_as_long():
    asked = played(SuccessiveHalving(CANDIDATES), lambda c: c.max_queue_delay_microseconds, half_width=9)
    assert [delay for delay, effort in asked if effort == 0.5] == list(range(8))
    assert [delay for delay, effort in asked if effort == 1.0] == [7, 6, 5, 4]
    assert [delay for delay, effort in asked if effort == 2.0] == [6, 7]


def test_each_round_turns_round_and_has_arrivals_of_its_own():
    strategy, turns = SuccessiveHalving(CANDIDATES[:4]), []
    while (proposal := strategy.ask()) is not None:
        turns.append((proposal.turn, proposal.candidate.max_queue_delay_microseconds))
        value = proposal.candidate.max_queue_delay_microseconds
        strategy.tell(Trial(0, proposal.candidate, score=Score(Interval(value, 0, 9), True, "")))
    assert turns == [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (1, 2)]


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


def test_halving_drops_at_once_who_is_behind_beyond_doubt():
    asked = played(SuccessiveHalving(CANDIDATES), lambda c: 10 if c.max_queue_delay_microseconds == 3 else 0)
    assert [delay for delay, effort in asked if effort > 0.5] == [3]


def test_halving_confirms_a_lone_leader_with_a_longer_run():
    asked = played(SuccessiveHalving(CANDIDATES), lambda c: 10 if c.max_queue_delay_microseconds == 3 else 0)
    assert asked[-1] == (3, 1.0)


def test_what_was_refused_is_not_asked_for_again():
    strategy = SuccessiveHalving(CANDIDATES[:4])
    while (proposal := strategy.ask()) is not None and proposal.effort == 0.5:
        strategy.tell(Trial(0, proposal.candidate, "refused", effort=0.5))
    assert proposal is None


def test_the_remaining_effort_shrinks_to_nothing():
    strategy = SuccessiveHalving(CANDIDATES)
    assert strategy.remaining() == 8 * 0.5 + 4 * 1.0 + 2 * 2.0
    played(strategy, lambda c: c.max_queue_delay_microseconds)
    assert strategy.remaining() == 0
