# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from workbench.load import Interval
from workbench.sweep import Candidate, OptunaSampling, Score, Trial

pytest.importorskip("optuna", reason="Optuna, of extra tune, is not installed")

CANDIDATES = [Candidate(size, (), delay, 1) for size in (1, 2, 4, 8) for delay in range(0, 1000, 20)]


def played(strategy):
    asked = []
    while (proposal := strategy.ask()) is not None:
        asked.append(proposal.candidate)
        value = proposal.candidate.max_batch_size - proposal.candidate.max_queue_delay_microseconds / 1000
        score = Score(Interval(value, value, value), is_feasible=True, words="")
        strategy.tell(Trial(0, proposal.candidate, score=score))
    return asked


def test_each_candidate_is_measured_once_and_the_budget_is_kept():
    asked = played(OptunaSampling(CANDIDATES, trials=15))
    assert len(asked) == len(set(asked)) == 15
    assert set(asked) <= set(CANDIDATES)


def test_the_sampler_learns_where_the_good_ones_are():
    later = played(OptunaSampling(CANDIDATES, trials=40))[20:]
    assert sum(candidate.max_batch_size == 8 for candidate in later) >= 10


def test_a_small_space_is_measured_whole():
    assert set(played(OptunaSampling(CANDIDATES[:3]))) == set(CANDIDATES[:3])


def test_what_was_refused_does_not_stop_it():
    strategy = OptunaSampling(CANDIDATES, trials=3)
    for _ in range(3):
        strategy.tell(Trial(0, strategy.ask().candidate, "refused"))
    assert strategy.ask() is None
    assert strategy.remaining() == 0
