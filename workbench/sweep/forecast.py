# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulation says of candidates, before any of them is measured: the whole space, over any executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Final, Protocol

from workbench.config import ModelConfig, parse_config
from workbench.errors import InvalidArgumentError
from workbench.load import Workload
from workbench.sweep.candidate import Candidate
from workbench.sweep.goodput import Goodput
from workbench.sweep.objective import Objective
from workbench.sweep.point import Point, Predicted
from workbench.sweep.score import Constraints, Score

_CHUNK: Final = 8
"""Candidates of one task: each is some milliseconds of work, and a task over a network costs about one."""


class Predictor(Protocol):
    """Simulates a workload under a configuration; picklable, so that it can go to other processes."""

    def __call__(self, config: ModelConfig, workload: Workload) -> Predicted:
        """What the model would do."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """A candidate as it was simulated; the point that decides is the last."""

    candidate: Candidate
    score: Score
    points: tuple[Point, ...]

    @property
    def point(self) -> Point:
        """The simulation that decided."""
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class ForecastTask:
    """Some candidates with their configurations' texts, and what is asked of them."""

    candidates: tuple[tuple[Candidate, str], ...]
    predictor: Predictor
    objective: Objective
    workload: Workload
    constraints: Constraints

    def __call__(self) -> list[Forecast]:
        """Simulates them."""
        return [self._forecast(candidate, parse_config(text)) for candidate, text in self.candidates]

    def _forecast(self, candidate: Candidate, config: ModelConfig) -> Forecast:
        def simulate(workload: Workload, _backlog_limit: int) -> Point:
            return Point.predicted(self.predictor(config, workload), workload)

        points = tuple(self.objective.measure(simulate, self.workload))
        score = self.objective.score(points)
        judged = self.constraints.judged(score, throughput=points[-1].throughput, memory_bytes=0)
        return Forecast(candidate, judged, points)


def forecasts(
    candidates: Sequence[Candidate],
    config_of: Callable[[Candidate], str],
    *,
    predictor: Predictor,
    objective: Objective,
    workload: Workload,
    constraints: Constraints,
    executor: Executor | None = None,
    requests: int = 20_000,
) -> Iterator[list[Forecast]]:
    """Forecasts of all candidates, some at a time, in their order.

    Args:
        candidates: what to simulate.
        config_of: text of a candidate's configuration.
        predictor: the simulation.
        objective: what is sought.
        workload: what is sent; goodput begins at its rate.
        constraints: what a candidate must keep to.
        executor: where to simulate; None for here.
        requests: fewest of a simulation: they cost little, and the tail needs them.

    Raises:
        InvalidArgumentError: an executor that forks.
    """
    objective = replace(objective, resolution=0.01) if isinstance(objective, Goodput) else objective
    if workload.is_open_loop and not workload.times_s:
        workload = replace(workload, requests=max(workload.requests, requests))
    chunks = [candidates[first : first + _CHUNK] for first in range(0, len(candidates), _CHUNK)]
    given = (predictor, objective, workload, constraints)
    tasks = [ForecastTask(tuple((one, config_of(one)) for one in chunk), *given) for chunk in chunks]
    # A list: what goes to a cluster may not be an iterator there.
    yield from map(_run, tasks) if executor is None else spawning(executor).map(_run, tasks)


def spawning(executor: Executor) -> Executor:
    """The executor, if its processes begin anew; a forked one has the locks of threads that it has not.

    Raises:
        InvalidArgumentError: it forks.
    """
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise InvalidArgumentError(
            "the executor forks, and a fork of a process with a server hangs: give "
            'ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"))'
        )
    return executor


def _run(task: ForecastTask) -> list[Forecast]:
    return task()
