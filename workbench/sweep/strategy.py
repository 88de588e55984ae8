# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which configurations are measured, in which order, how long: ask for a proposal, tell what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from workbench.sweep.candidate import Candidate
from workbench.sweep.pooling import ranked
from workbench.sweep.trial import Trial


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate, and how to measure it.

    Args:
        candidate: what to measure.
        effort: how much longer than the workload.
        turn: how often it was measured before; each turn has arrivals of its own, so that evidence adds up.
        rate: where the search for its highest rate begins; 0 for the workload's own.
    """

    candidate: Candidate
    effort: float = 1.0
    turn: int = 0
    rate: float = 0.0


class Strategy(Protocol):
    """Owns neither the loop nor the measuring: anyone may.

    Several proposals may be under way: `ask` says None also where it must first be told what came of those.
    """

    def ask(self) -> Proposal | None:
        """What to measure next; None when nothing can be said before something is told, or at all."""

    def tell(self, trial: Trial) -> None:
        """What came of a proposal."""

    def remaining(self) -> float:
        """Effort that is still ahead, as far as can be said."""


class Grid:
    """Every candidate once, in the order given."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._left = list(candidates)
        self._under_way = 0

    def ask(self) -> Proposal | None:
        """The next one."""
        if not self._left:
            return None
        self._under_way += 1
        return Proposal(self._left.pop(0))

    def tell(self, trial: Trial) -> None:  # noqa: ARG002 - nothing is learnt from it
        """Goes on."""
        self._under_way -= 1

    def remaining(self) -> float:
        """One each."""
        return float(len(self._left) + self._under_way)


_FINALISTS: Final = 2


class SuccessiveHalving:
    """Measures all once, keeps the better half, measures those twice more, and so on, until few are left.

    After each round the worse half goes (Karnin, Koren and Somekh 2013, sequential halving), and of the rest whoever is
    behind the best beyond the doubt of the intervals, from two runs on. What decides is the mean of all runs of a
    candidate so far: by single runs chance would choose. A round of several turns runs all its candidates in each, with
    other arrivals; turns alternate their direction, so that a machine that gets slower or faster favours nobody.

    Args:
        candidates: all of them, in an order that makes changes cheap.
        effort: length of a run, in workloads.
        most_turns: how often the last round runs each of its candidates; rounds before it half as often each.
        rates: where the search for a candidate's highest rate begins, for those that are known.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        *,
        effort: float = 0.5,
        most_turns: int = 4,
        rates: dict[Candidate, float] | None = None,
    ) -> None:
        self._candidates = list(candidates)
        self._effort = effort
        self._most_turns = most_turns
        self._rates = dict(rates or {})
        self._turns = 1  # of this round
        self._turn = 0  # that comes next
        self._left: list[Proposal] = []
        self._under_way: list[Candidate] = []
        self._told: list[Trial] = []
        self._begin_round()

    def ask(self) -> Proposal | None:
        """The next of this round, or the first of the next."""
        if not self._left and not self._under_way:
            self._next_round()
        if not self._left:
            return None
        proposal = self._left.pop(0)
        self._under_way.append(proposal.candidate)
        return replace(proposal, rate=self._rates.get(proposal.candidate, 0.0))

    def tell(self, trial: Trial) -> None:
        """Notes it for the end of the round."""
        self._under_way.remove(trial.candidate)
        self._told.append(trial)
        if trial.is_feasible and trial.point is not None and self._rates:
            self._rates[trial.candidate] = trial.point.rate

    def remaining(self) -> float:
        """Of this round, and of those to come if each keeps half."""
        left, count, turns = len(self._left) + len(self._under_way), len(self._candidates), self._turns
        while count > _FINALISTS and turns < self._most_turns:
            count, turns = _kept(count), min(turns * 2, self._most_turns)
            left += count * turns
        return left * self._effort

    def _begin_round(self) -> None:
        for _ in range(self._turns):
            self._left += [Proposal(candidate, self._effort, self._turn) for candidate in self._candidates]
            # The order of the space, or its reverse, needs the fewest reloads.
            self._candidates.reverse()
            self._turn += 1

    def _next_round(self) -> None:
        running = set(self._candidates)
        measured = [trial for trial in ranked(self._told) if trial.score and trial.candidate in running]
        if self._turns >= self._most_turns or len(measured) <= 1 or len(self._candidates) <= _FINALISTS:
            return
        better = measured[: _kept(len(measured))]
        # The interval of a lone run knows nothing of how far runs lie apart.
        kept = {one.candidate for one in better if self._turn == 1 or not _is_behind(one, measured[0])}
        self._candidates = [candidate for candidate in self._candidates if candidate in kept]
        self._turns = min(self._turns * 2, self._most_turns)
        self._begin_round()


def _kept(count: int) -> int:
    return max(_FINALISTS, (count + 1) // 2)


def _is_behind(trial: Trial, best: Trial) -> bool:
    return trial.score is not None and best.score is not None and trial.score.is_clearly_behind(best.score)
