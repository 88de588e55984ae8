# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One candidate is configured, driven and scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from workbench.errors import InvalidArgumentError
from workbench.load import Measurement, Workload, measure
from workbench.sweep.goodput import Goodput
from workbench.sweep.objective import Objective
from workbench.sweep.point import Point
from workbench.sweep.score import UNCONSTRAINED, Constraints
from workbench.sweep.strategy import Proposal
from workbench.sweep.trial import Trial
from workbench.sweep.tunable import Tunable

_SEED_STEP: Final = 1009


@dataclass(frozen=True, slots=True)
class Attempt:
    """How candidates are tried; the same for all of a sweep.

    Args:
        objective: what is sought.
        workload: what is sent.
        repeats: how often at most a run is repeated because the machine stood still.
        constraints: what a candidate must keep to.
    """

    objective: Objective
    workload: Workload
    repeats: int = 0
    constraints: Constraints = UNCONSTRAINED

    def __call__(self, tunable: Tunable, proposal: Proposal) -> Trial:
        """Serves the candidate, drives it, scores it; what the server refuses is a trial with the reason."""
        begin = monotonic()
        trial = Trial(0, proposal.candidate, effort=proposal.effort, turn=proposal.turn, model=tunable.name)
        try:
            trial = self._measured(tunable, proposal, trial)
        except InvalidArgumentError as refusal:
            trial = replace(trial, state="refused", reason=str(refusal))
        return replace(trial, seconds=monotonic() - begin)

    def _measured(self, tunable: Tunable, proposal: Proposal, trial: Trial) -> Trial:
        tunable.apply(proposal.candidate)
        config = tunable.config
        runs: dict[Point, Measurement] = {}

        def run(workload: Workload, backlog_limit: int) -> Point:
            measured = measure(tunable.target, workload, repeats=self.repeats, backlog_limit=backlog_limit)
            point = Point.of(measured)
            runs[point] = measured
            return point

        points = tuple(self._objective(proposal).measure(run, self.workload_of(proposal)))
        if tunable.config != config:
            reason = "the configuration was changed from elsewhere while it was measured"
            return replace(trial, state="refused", reason=reason)
        memory_bytes = tunable.memory_bytes()
        score = self.objective.score(points, memory_bytes=memory_bytes)
        score = self.constraints.judged(score, throughput=points[-1].throughput, memory_bytes=memory_bytes)
        measurement = runs[points[-1]]
        return replace(
            trial, config=config, score=score, points=points, memory_bytes=memory_bytes, measurement=measurement
        )

    def _objective(self, proposal: Proposal) -> Objective:
        if proposal.rate > 0 and isinstance(self.objective, Goodput):
            return self.objective.near(is_final=proposal.turn > 0)
        return self.objective

    def workload_of(self, proposal: Proposal) -> Workload:
        """What a proposal is measured with: each turn has arrivals of its own."""
        workload = self.workload.longer(proposal.effort)
        workload = replace(workload, seed=workload.seed + _SEED_STEP * proposal.turn)
        return workload.at(proposal.rate) if proposal.rate > 0 else workload
