# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a dashboard follows: a source of events, memory pools and a model's facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from workbench.events import EventColumns
from workbench.server import MemoryStatistics
from workbench.views.units import duration


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

    @property
    def headline(self) -> str:
        """The model in one line."""
        parts = [f"v{self.version}", self.state, f"{len(self.instances)} × {self.kind}", self._batching()]
        return " · ".join(parts)

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
