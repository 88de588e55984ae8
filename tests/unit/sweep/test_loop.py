# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from workbench.load import Interval
from workbench.sweep import Candidate, Grid, Score, SuccessiveHalving, Trial
from workbench.sweep.loop import measured_elsewhere, measured_here

CANDIDATES = [Candidate(8, (), delay, 1) for delay in range(6)]


def tried(proposal):
    value = proposal.candidate.max_queue_delay_microseconds
    score = Score(Interval(value, 0, 99), is_feasible=True, words="")
    return Trial(0, proposal.candidate, score=score, effort=proposal.effort, turn=proposal.turn)


@pytest.mark.parametrize("strategy", [Grid, SuccessiveHalving])
def test_a_strategy_asks_for_the_same_here_and_elsewhere(strategy):
    here = list(measured_here(strategy(CANDIDATES), tried))
    with ThreadPoolExecutor(3) as executor:
        send = lambda proposal: executor.submit(tried, proposal)  # noqa: E731
        there = list(measured_elsewhere(strategy(CANDIDATES), send, workers=3))
    assert {(t.candidate, t.effort) for t in there} == {(t.candidate, t.effort) for t in here}


def test_as_many_are_under_way_as_there_are_workers():
    sent = []

    def send(proposal):
        sent.append((proposal, Future()))
        if len(sent) == 2:
            for known, future in sent:
                future.set_result(tried(known))
        elif len(sent) > 2:
            sent[-1][1].set_result(tried(proposal))
        return sent[-1][1]

    trials = measured_elsewhere(Grid(CANDIDATES), send, workers=2)
    next(trials)
    assert len(sent) == 2
    assert len(list(trials)) == 5


def test_the_stop_button_cancels_what_was_not_begun():
    futures = []

    def send(proposal):
        futures.append(Future())
        if len(futures) == 1:
            futures[0].set_result(tried(proposal))
        return futures[-1]

    trials = measured_elsewhere(Grid(CANDIDATES), send, workers=3)
    next(trials)
    trials.close()
    assert [future.cancelled() for future in futures] == [False, True, True]
