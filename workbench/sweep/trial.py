# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One configuration of a sweep, with what was measured of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.load import Measurement, ShownAsText
from workbench.sweep.candidate import Candidate
from workbench.sweep.point import Point
from workbench.sweep.score import Score

State = Literal["measured", "refused"]


@dataclass(frozen=True, slots=True)
class Trial(ShownAsText):
    """A candidate as it was measured.

    Args:
        number: counted from 0 in the order of measuring.
        candidate: what was tried.
        state: refused where the server did not take the configuration; `reason` says why.
        config: text of the configuration that served while it was measured.
        score: of the objective; None where refused.
        points: what was measured; the one that decided last.
        effort: how much longer than the workload each run was.
        turn: how often it had been measured before.
        memory_bytes: what the model held, as its backend tells it.
        seconds: how long all of it took.
        model: name of the model.
        before: the configuration before the sweep; None where the trial is of no sweep.
        sought: objective, workload and extent of the sweep, in words.
        measurement: the run that decided, with all its records; None after a resume.
    """

    number: int
    candidate: Candidate
    state: State = "measured"
    config: str = ""
    score: Score | None = None
    points: tuple[Point, ...] = ()
    effort: float = 1.0
    seconds: float = 0.0
    reason: str = ""
    model: str = ""
    turn: int = 0
    memory_bytes: int = 0
    before: Candidate | None = None
    sought: str = ""
    measurement: Measurement | None = field(default=None, repr=False, compare=False)

    @property
    def is_feasible(self) -> bool:
        """Whether it met the constraint."""
        return self.score is not None and self.score.is_feasible

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Larger is better; what was refused is last."""
        return (False, False, -math.inf) if self.score is None else (True, *self.score.rank)

    @property
    def point(self) -> Point | None:
        """The measurement that decided."""
        return self.points[-1] if self.points else None

    def facts(self) -> dict[str, Any]:
        """Flat: a row of a table."""
        row: dict[str, Any] = {"number": self.number, **self.candidate.facts(), "state": self.state}
        row |= {"feasible": self.is_feasible, "effort": self.effort, "seconds": self.seconds, "reason": self.reason}
        if self.point is not None:
            point = self.point
            row |= {"offered_rate": point.offered_rate, "throughput": point.throughput}
            row |= {"p50_ms": point.p50_ms.value, "p99_ms": point.p99_ms.value}
            row |= {"p99_low_ms": point.p99_ms.low, "p99_high_ms": point.p99_ms.high}
            row |= {"mean_batch_size": point.mean_batch_size, "steady": point.is_steady}
            row["memory_bytes"] = self.memory_bytes
        if self.score is not None:
            row |= {"gain": self.score.gain.value, "gain_low": self.score.gain.low, "gain_high": self.score.gain.high}
        return row

    def __str__(self) -> str:
        said = self.reason if self.score is None else self.score.words
        return f"#{self.number} {self.candidate}: {said}"
