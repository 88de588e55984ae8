# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a dashboard follows: a source of events, memory pools and a model's facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns
from workbench.server import MemoryStatistics
from workbench.views.units import duration


@dataclass(frozen=True, slots=True)
class LaneFacts:
    """A lane of an ensemble's dashboard: an instance of a model that a step runs on.

    Attributes:
        model: name of the model.
        number: its number in events.
        instance: index of the instance.
        label: how the lane is called.
        max_batch_size, dynamic, max_queue_delay_microseconds: of the model.
    """

    model: str
    number: int
    instance: int
    label: str
    max_batch_size: int = 0
    dynamic: bool = False
    max_queue_delay_microseconds: int = 0


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the head of a dashboard says about a model, as it is configured now.

    Attributes:
        name: name of the model.
        version: its version.
        state: one of Triton's model states, such as "READY".
        instances: a label for each instance, in the order of their numbers in events.
        kind: kind of the instances, such as "CPU"; several are joined by "+".
        max_batch_size: most rows of one batch; 0 when the model does not batch.
        dynamic: whether a dynamic batcher forms batches.
        max_queue_delay_microseconds: how long it may hold the oldest request.
        preferred_batch_size: sizes at which it sends without waiting on.
        queue_length: requests that wait now.
        number: number of the model in events; None takes the events of all models.
        objective_p99_ms: latency that p99 shall stay below, drawn as a line; None when there is none.
        instances_per_group: `count` of its instance groups.
        priority_levels: of its dynamic batcher; 0 for one queue.
        steps: of an ensemble, the model of each step; empty for any other model.
        lanes: of an ensemble, the instances of its steps' models, in the order of `instances`.
        nested: numbers of the ensembles among those models.
    """

    name: str
    version: int = 1
    state: str = "READY"
    instances: tuple[str, ...] = ("instance 0",)
    kind: str = "CPU"
    max_batch_size: int = 0
    dynamic: bool = False
    max_queue_delay_microseconds: int = 0
    preferred_batch_size: tuple[int, ...] = ()
    queue_length: int = 0
    number: int | None = None
    objective_p99_ms: float | None = None
    instances_per_group: int = 1
    priority_levels: int = 0
    steps: tuple[str, ...] = ()
    lanes: tuple[LaneFacts, ...] = ()
    nested: tuple[int, ...] = ()

    @property
    def headline(self) -> str:
        """The model in one line."""
        parts = [f"v{self.version}", self.state, f"{len(self.instances)} × {self.kind}", self._batching()]
        if self.steps:
            parts[2:] = [f"ensemble of {len(self.steps)} steps: {' → '.join(self.steps)}"]
        return " · ".join(parts)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The models whose requests the dashboard shows; none where it shows those of all."""
        own = () if self.number is None else (self.number,)
        return (*own, *self.nested, *dict.fromkeys(lane.number for lane in self.lanes)) if self.lanes else own

    def _batching(self) -> str:
        if not self.dynamic:
            return "no dynamic batching"
        words = f"batch ≤ {self.max_batch_size}, delay {duration(self.max_queue_delay_microseconds / 1e6)}"
        if self.preferred_batch_size:
            words += f", preferred {' '.join(map(str, self.preferred_batch_size))}"
        return words


def instance_label(number: int, kind: str, device_id: int) -> str:
    """How an instance is called beside its lane."""
    return f"instance {number}" if kind != "GPU" else f"{number} on GPU {device_id}"


@dataclass(frozen=True, slots=True)
class StepModel:
    """A model that a step runs on: its facts, and the steps of its own where it is an ensemble."""

    facts: ModelFacts
    steps: tuple[str, ...] = ()


def with_steps(facts: ModelFacts, steps: Sequence[str], find: Callable[[str], StepModel | None]) -> ModelFacts:
    """The facts of an ensemble: a lane for each instance of each model below it; models that are gone have none."""
    found: dict[str, StepModel] = {}
    wanted = list(steps)
    while wanted:
        name = wanted.pop(0)
        if name not in found and (model := find(name)) is not None:
            found[name] = model
            wanted += model.steps
    lanes = [lane for model in found.values() if not model.steps for lane in _lanes_of(model.facts)]
    nested = tuple(model.facts.number for model in found.values() if model.steps and model.facts.number is not None)
    labels = tuple(lane.label for lane in lanes) or ("steps",)
    return replace(facts, kind="ensemble", steps=tuple(steps), lanes=tuple(lanes), nested=nested, instances=labels)


def _lanes_of(facts: ModelFacts) -> list[LaneFacts]:
    is_alone = len(facts.instances) == 1
    return [
        LaneFacts(
            facts.name,
            facts.number or 0,
            instance,
            facts.name if is_alone else f"{facts.name} · {instance}",
            facts.max_batch_size,
            facts.dynamic,
            facts.max_queue_delay_microseconds,
        )
        for instance in range(len(facts.instances))
    ]


class Source(Protocol):
    """What a view reads from; a server's model, a recording and a made-up one look alike."""

    def events(self, since: int = 0) -> EventColumns:
        """The events from sequence number `since` on."""

    def memory(self) -> MemoryStatistics:
        """The pools, in the order of their numbers in events."""

    def facts(self) -> ModelFacts:
        """The model as it is configured now."""

    def now_ns(self) -> int:
        """The time now, on the clock of the events."""


@runtime_checkable
class QueueSource(Protocol):
    """A source that tells how many requests wait at each priority level."""

    def queue_samples(self, since_ns: int) -> NDArray[np.void]:
        """Looks at the queue after that time, or one now: records of `SAMPLE_DTYPE`; empty without priorities."""
