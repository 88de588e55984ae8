# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model of a running server as the source of a view."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelSpec
from workbench.errors import NotFoundError, UnavailableError
from workbench.events import EventColumns
from workbench.load import drive
from workbench.server import RUNNING, MemoryStatistics, Model, Server
from workbench.views.facts import ModelFacts, StepModel, instance_label, with_steps
from workbench.views.queues import NO_SAMPLES, sample
from workbench.views.reading import Shared, reading_of


class ServerSource:
    """What a view reads of a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._reading = reading_of(server)

    @property
    def shared(self) -> Shared:
        """What all views of the server make of a reading once."""
        return self._reading.shared

    def events(self, since: int = 0) -> EventColumns:
        """The server's events; all of its views that ask in one moment get the same."""
        return self._reading.events(since, self._server.events)

    def memory(self) -> MemoryStatistics:
        """The server's pools."""
        return self._reading.memory(self._server.memory)

    def now_ns(self) -> int:
        """The steady clock, which stamps the events."""
        return time.monotonic_ns()


class ModelSource(ServerSource):
    """What a view reads of a model; it outlives reloads of the model, and its unloading.

    Raises:
        NotFoundError: the model's server does not run.
    """

    def __init__(self, model: Model, *, objective_p99_ms: float | None = None) -> None:
        super().__init__(server_of(model))
        self.model: Final = model
        self._objective_p99_ms = objective_p99_ms
        self._facts = self._read_facts()

    def facts(self) -> ModelFacts:
        """The model as configured now; while it is not ready, as it was last."""
        try:
            self._facts = self._read_facts()
        except (NotFoundError, UnavailableError):
            self._facts = replace(self._facts, state="UNAVAILABLE", queue_length=0)
        return self._facts

    def reconfigure(self, **fields: Any) -> None:
        """Changes the model under way."""
        self.model.reconfigure(**fields)

    def config_text(self) -> str:
        """The configuration that runs."""
        return self.model.config

    def load_text(self, text: str) -> None:
        """Loads the model anew with this configuration; the running one serves until the new one is ready."""
        self._server.load(self.model.name, config=text)

    def file_text(self) -> tuple[Path, str] | None:
        """The configuration's file; None where the model has none."""
        path = Path(self.model.spec.path) / "config.pbtxt"
        return (path, path.read_text(encoding="utf-8")) if path.is_file() else None

    def drive(self, *, rate: float, arrivals: str, duration_s: float, seed: int) -> object:
        """Sends made-up requests; returns what was measured."""
        return drive(self.model, rate=rate, arrivals=arrivals, duration_s=duration_s, seed=seed, warmup=0.0)

    def queue_samples(self, since_ns: int) -> NDArray[np.void]:  # noqa: ARG002 - a running server tells of now
        """Requests that wait now, by priority level."""
        if not self._facts.priority_levels:
            return NO_SAMPLES
        try:
            return sample(self.now_ns(), self.model.queue_lengths())
        except (NotFoundError, UnavailableError):
            return NO_SAMPLES

    def _read_facts(self) -> ModelFacts:
        facts, spec = self._facts_of(self.model), self.model.spec
        if spec.ensemble is None:
            return facts
        return with_steps(facts, [step.model_name for step in spec.ensemble.steps], self._step_model)

    def _step_model(self, name: str) -> StepModel | None:
        try:
            model = self._server.model(name)
            ensemble = model.spec.ensemble
            steps = tuple(step.model_name for step in ensemble.steps) if ensemble else ()
            return StepModel(self._facts_of(model), steps)
        except (NotFoundError, UnavailableError):
            return None

    def _facts_of(self, model: Model) -> ModelFacts:
        spec = model.spec
        return ModelFacts(
            name=spec.name,
            version=spec.version,
            state="READY",
            instances=tuple(
                instance_label(number, one.kind, one.device_id) for number, one in enumerate(spec.instances)
            ),
            kind="+".join(sorted({instance.kind for instance in spec.instances})),
            max_batch_size=spec.max_batch_size,
            **_batching(spec),
            queue_length=model.queue_length(),
            number=model.number,
            objective_p99_ms=self._objective_p99_ms,
            instances_per_group=instances_per_group(spec),
            priority_levels=spec.batching.priority_levels,
        )


def instances_per_group(spec: ModelSpec) -> int:
    """`count` of the instance groups: their instances are numbered behind the group's name, anew on each device."""
    groups = {(re.sub(r"_\d+$", "", one.name), one.device_id) for one in spec.instances}
    return len(spec.instances) // max(len(groups), 1)


def server_of(model: Model) -> Server:
    """The running server of a model.

    Raises:
        NotFoundError: it runs no more.
    """
    servers: Sequence[Server] = [RUNNING.get(name) for name in RUNNING.names()]
    for server in servers:
        if server.engine is model.engine:
            return server
    message = f"the server of model {model.name!r} is closed; take it from a running one: server.model({model.name!r})"
    raise NotFoundError(message)


def _batching(spec: ModelSpec) -> dict[str, Any]:
    batching = spec.batching
    return {
        "dynamic": batching.dynamic,
        "max_queue_delay_microseconds": batching.max_queue_delay_ns // 1_000,
        "preferred_batch_size": tuple(batching.preferred_batch_size),
    }
