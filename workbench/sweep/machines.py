# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measuring on other machines: each worker of an executor serves the model by itself and tries what it is sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.errors import InvalidArgumentError
from workbench.server import Server
from workbench.sweep.attempt import Attempt
from workbench.sweep.forecast import spawning
from workbench.sweep.strategy import Proposal
from workbench.sweep.trial import Trial
from workbench.sweep.tunable import TunableModel


@dataclass(frozen=True, slots=True)
class Machines:
    """Where candidates are measured, several at once.

    Args:
        executor: any `concurrent.futures.Executor` that spawns: of Dask, Ray, ipyparallel, or a process pool.
        repository: folder of models as the workers see it.
        backends: folders of backends as the workers see them.
        workers: how many measure at once. Each needs a machine of its own: two on one disturb each other.
    """

    executor: Executor
    repository: str | Path
    backends: Sequence[str | Path] = ()
    workers: int = 1

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise InvalidArgumentError("at least one worker measures")
        spawning(self.executor)

    def submit(self, task: MeasuringTask) -> Future[Trial]:
        """Sends a candidate to whoever is free."""
        return self.executor.submit(tried, task)


@dataclass(frozen=True, slots=True)
class MeasuringTask:
    """A proposal with all that a process of its own needs to measure it."""

    repository: str
    backends: tuple[str, ...]
    model: str
    config: str
    inputs: Mapping[str, Any] | None
    attempt: Attempt
    proposal: Proposal


def tried(task: MeasuringTask) -> Trial:
    """The trial of a task, without the records of its runs: those stay where they were made."""
    served = _served(task)
    return replace(task.attempt(served, task.proposal), measurement=None)


_SERVERS: dict[tuple[str, tuple[str, ...], str, str], tuple[Server, TunableModel]] = {}
"""Of this process: the model stays loaded from one task to the next. A worker measures one thing at a time."""


def _served(task: MeasuringTask) -> TunableModel:
    key = (task.repository, task.backends, task.model, task.config)
    if key not in _SERVERS:
        for server, _ in _SERVERS.values():
            server.close()
        _SERVERS.clear()
        server = Server(task.repository, name="sweep", backends=task.backends)
        model = server.load(task.model, config=task.config)
        _SERVERS[key] = server, TunableModel(model, inputs=task.inputs, seed=task.attempt.workload.seed)
    return _SERVERS[key][1]
