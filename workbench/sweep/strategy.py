# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which configurations are measured, in which order, how long: ask for a proposal, tell what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from workbench.sweep.candidate import Candidate
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
    """Measures all shortly, keeps the better half, measures those twice as long, until few are left.

    After each round whoever is behind the best beyond the doubt of the intervals goes, and of the rest the worse half
    (Karnin, Koren and Somekh 2013, sequential halving; the intervals are ours). The last round confirms: it is the
    longest, and the winner is chosen by it. Rounds alternate their direction, so that a machine that gets slower or
    faster favours nobody.

    Args:
        candidates: all of them, in an order that makes changes cheap.
        first_effort: length of the first round's runs, in workloads.
        last_effort: no run is longer.
        rates: where the search for a candidate's highest rate begins, for those that are known.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        *,
        first_effort: float = 0.5,
        last_effort: float = 2.0,
        rates: dict[Candidate, float] | None = None,
    ) -> None:
        self._candidates = list(candidates)
        self._effort = first_effort
        self._last_effort = last_effort
        self._rates = dict(rates or {})
        self._turn = 0
        self._left = list(candidates)
        self._under_way: list[Candidate] = []
        self._told: list[Trial] = []

    def ask(self) -> Proposal | None:
        """The next of this round, or the first of the next."""
        if not self._left and not self._under_way:
            self._next_round()
        if not self._left:
            return None
        candidate = self._left.pop(0)
        self._under_way.append(candidate)
        return Proposal(candidate, self._effort, self._turn, self._rates.get(candidate, 0.0))

    def tell(self, trial: Trial) -> None:
        """Notes it for the end of the round."""
        self._under_way.remove(trial.candidate)
        self._told.append(trial)
        if trial.is_feasible and trial.point is not None and self._rates:
            self._rates[trial.candidate] = trial.point.rate

    def remaining(self) -> float:
        """Of this round, and of those to come if each keeps half."""
        left, count = (len(self._left) + len(self._under_way)) * self._effort, len(self._candidates)
        effort = self._effort
        while count > _FINALISTS and effort < self._last_effort:
            count, effort = _kept(count), min(effort * 2, self._last_effort)
            left += count * effort
        return left

    def _next_round(self) -> None:
        measured = sorted((trial for trial in self._told if trial.score), key=lambda trial: trial.rank, reverse=True)
        is_over = self._effort >= self._last_effort or len(measured) <= 1
        if is_over or len(self._candidates) <= _FINALISTS:
            return
        kept = {trial.candidate for trial in measured[: _kept(len(measured))] if not _is_behind(trial, measured[0])}
        # The order of the space, or its reverse, needs the fewest reloads.
        self._candidates = [candidate for candidate in reversed(self._candidates) if candidate in kept]
        self._left = list(self._candidates)
        self._told = []
        self._effort = min(self._effort * 2, self._last_effort)
        self._turn += 1


def _kept(count: int) -> int:
    return max(_FINALISTS, (count + 1) // 2)


def _is_behind(trial: Trial, best: Trial) -> bool:
    return trial.score is not None and best.score is not None and trial.score.is_clearly_behind(best.score)
