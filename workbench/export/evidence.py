# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Why a value was chosen: the winner beside the same configuration with another value of one field."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final

from workbench.load import Interval
from workbench.sweep import Candidate, Score, Study, Trial

FIELDS: Final = tuple(field.name for field in fields(Candidate))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The winner against the best configuration that differs from it in one field.

    Args:
        field: which.
        value: the winner's.
        other: the value beside it.
        winner, rival: their scores, from the same source, and of runs of the same rounds where both were measured.
        is_measured: whether both were measured; else both were predicted.
    """

    field: str
    value: Any
    other: Any
    winner: Score
    rival: Score
    is_measured: bool

    def __str__(self) -> str:
        source = "measured" if self.is_measured else "predicted"
        alike = "" if self.tells_apart else ": no more apart than the noise"
        return f"{self.winner.words}, with {shown(self.field, self.other)}: {self.rival.words} ({source}{alike})"

    @property
    def tells_apart(self) -> bool:
        """Whether one of the two is behind beyond the doubt of the intervals; predictions have none."""
        if not self.is_measured:
            return True
        return self.rival.is_clearly_behind(self.winner) or self.winner.is_clearly_behind(self.rival)


def evidence(study: Study, trial: Trial, field: str) -> Evidence | None:
    """What speaks for the trial's value of a field; None where nothing else was tried.

    The value before the sweep is the other where the winner has a new one, else the best of the others.
    """
    for scores, is_measured in ((study.measured_scores, True), (study.predicted_scores, False)):
        found = _rival(scores, study.base, trial.candidate, field)
        if found is not None and trial.candidate in scores:
            beside = study.beside(trial.candidate, found) if is_measured else None
            winner = (beside.score if beside else None) or scores[trial.candidate]
            values = getattr(trial.candidate, field), getattr(found, field)
            return Evidence(field, *values, winner, scores[found], is_measured)
    return None


def _rival(scores: dict[Candidate, Score], base: Candidate, winner: Candidate, field: str) -> Candidate | None:
    value, before = getattr(winner, field), getattr(base, field)
    rivals = [c for c in scores if c != winner and replace(c, **{field: value}) == winner]
    if value != before:
        rivals = [candidate for candidate in rivals if getattr(candidate, field) == before]
    return max(rivals, key=lambda candidate: scores[candidate].rank, default=None)


def shown(field: str, value: Any) -> str:
    """A value as a comment says it."""
    if field == "preferred_batch_size":
        return " ".join(map(str, value)) or "the largest size"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def milliseconds(interval: Interval) -> str:
    """A latency with its interval, in words."""
    high = f"{interval.high:.3g}" if interval.is_bounded else "unbounded: too few samples"
    return f"{interval.value:.3g} ms (95 % interval {interval.low:.3g} to {high})"
