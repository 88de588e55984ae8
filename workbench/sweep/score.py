# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How good a configuration is, and what it must keep to."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from workbench.errors import InvalidArgumentError
from workbench.load import Interval


@dataclass(frozen=True, slots=True)
class Score:
    """How good a configuration is: more `gain` is better; one that misses its constraint is behind all that meet it.

    Args:
        gain: with what the measurement leaves open.
        is_feasible: whether the constraint is met.
        words: all of it, as a report says it.
        unit: what follows the gain's size in words.
    """

    gain: Interval
    is_feasible: bool
    words: str
    unit: str = ""

    @property
    def rank(self) -> tuple[bool, float]:
        """Larger is better."""
        return self.is_feasible, self.gain.value if math.isfinite(self.gain.value) else -math.inf

    def is_clearly_behind(self, other: Score) -> bool:
        """Whether the intervals leave no doubt that `other` is better."""
        if self.is_feasible != other.is_feasible:
            return other.is_feasible
        return self.gain.high < other.gain.low


@dataclass(frozen=True, slots=True)
class Constraints:
    """What a configuration must keep to beside the latency objective.

    Args:
        throughput: fewest answers per second.
        memory_bytes: most that the model may hold, as its backend tells it.
        instances: most instances of a group.
    """

    throughput: float = 0.0
    memory_bytes: float = math.inf
    instances: float = math.inf

    def __post_init__(self) -> None:
        if self.throughput < 0 or self.memory_bytes <= 0 or self.instances < 1:
            raise InvalidArgumentError("constraints are positive, and there is at least one instance")

    def objection(self, count: int) -> str:
        """Why this many instances are not tried; the empty text where they are."""
        return f"at most {self.instances:g} instances are allowed" if count > self.instances else ""

    def judged(self, score: Score, *, throughput: float, memory_bytes: int) -> Score:
        """The score, not feasible where a constraint is broken."""
        broken = []
        if throughput < self.throughput:
            broken.append(f"below {self.throughput:,.0f}/s")
        if memory_bytes > self.memory_bytes:
            broken.append(f"{memory_bytes:,} bytes are above {self.memory_bytes:,.0f}")
        if not broken:
            return score
        return replace(score, is_feasible=False, words="; ".join((score.words, *broken)))


UNCONSTRAINED: Final = Constraints()
