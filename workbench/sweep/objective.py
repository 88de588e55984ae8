# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What makes one configuration better than another, measured or predicted alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from workbench.errors import InvalidArgumentError
from workbench.load import Interval, Workload
from workbench.sweep.point import Point
from workbench.sweep.score import Score

Measure = Callable[[Workload, int], Point]
"""Runs a workload on the candidate; ends early where more requests than the number wait (0: any)."""


class Objective(Protocol):
    """Measures a candidate and scores what was measured."""

    @property
    def title(self) -> str:
        """What is sought, in words."""

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Point]:
        """The runs that the score needs, the one that decides last."""

    def score(self, points: Sequence[Point], *, memory_bytes: int = 0) -> Score:
        """Of the runs of one candidate."""


def _title(sought: str, within: str, slo_p99_ms: float) -> str:
    limit = f" {within} {slo_p99_ms:g} ms" if math.isfinite(slo_p99_ms) else ""
    return f"{sought}{limit} at a fixed load"


@dataclass(frozen=True, slots=True)
class LowestP99:
    """The lowest p99 at the workload's own rate; `slo_p99_ms` is the constraint, infinite for none."""

    slo_p99_ms: float = math.inf

    @property
    def title(self) -> str:
        """In words."""
        return _title("lowest p99", "within", self.slo_p99_ms)

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Point]:
        """One run."""
        return (measure(workload, backlog_limit(workload.rate, self.slo_p99_ms)),)

    def score(self, points: Sequence[Point], *, memory_bytes: int = 0) -> Score:  # noqa: ARG002 - of no interest
        """Minus the p99; one that answers less than it is offered is not feasible."""
        p99 = points[-1].p99_ms
        gain = Interval(-p99.value, -p99.high, -p99.low)
        return Score(gain, points[-1].meets(self.slo_p99_ms), f"p99 {p99.value:.3g} ms", " ms of p99")


@dataclass(frozen=True, slots=True)
class HighestThroughput:
    """Most answers per second at a fixed load, closed loop in general, with p99 within `slo_p99_ms`."""

    slo_p99_ms: float = math.inf

    @property
    def title(self) -> str:
        """In words."""
        return _title("highest throughput", "with p99 within", self.slo_p99_ms)

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Point]:
        """One run."""
        return (measure(workload, 0),)

    def score(self, points: Sequence[Point], *, memory_bytes: int = 0) -> Score:  # noqa: ARG002 - of no interest
        """The throughput, with the Poisson interval of its count (1.96 square roots)."""
        last = points[-1]
        words = f"{last.throughput:,.0f}/s, p99 {last.p99_ms.value:.3g} ms"
        return Score(last.gain, last.meets(self.slo_p99_ms), words, "/s")


@dataclass(frozen=True, slots=True)
class LowestMemory:
    """The fewest bytes that the model holds while its p99 is within `slo_p99_ms` at the workload's load."""

    slo_p99_ms: float = math.inf

    @property
    def title(self) -> str:
        """In words."""
        return _title("least memory", "with p99 within", self.slo_p99_ms)

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Point]:
        """One run."""
        return (measure(workload, backlog_limit(workload.rate, self.slo_p99_ms)),)

    def score(self, points: Sequence[Point], *, memory_bytes: int = 0) -> Score:
        """Minus the bytes."""
        held = -float(memory_bytes)
        return Score(Interval(held, held, held), points[-1].meets(self.slo_p99_ms), f"{memory_bytes:,} bytes", " bytes")


_FIGURES: Final = ("throughput", "p99", "memory")


@dataclass(frozen=True, slots=True)
class Weighted:
    """Several figures at once, at a fixed load: the sum of `weight × log(figure)`, where less p99 and memory is more.

    A logarithm needs no scale: with equal weights 10 % more throughput are worth 10 % less p99.

    Args:
        weights: by figure: throughput, p99, memory.
        slo_p99_ms: the p99 that a candidate must keep to.
    """

    weights: Mapping[str, float]
    slo_p99_ms: float = math.inf

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.weights) - set(_FIGURES)):
            raise InvalidArgumentError(f"no figure {', '.join(unknown)}; there are {', '.join(_FIGURES)}")
        if not self.weights or any(not weight > 0 for weight in self.weights.values()):
            raise InvalidArgumentError("weights are positive numbers by figure")

    @property
    def title(self) -> str:
        """In words."""
        parts = ", ".join(f"{name} × {weight:g}" for name, weight in self.weights.items())
        return f"best of {parts} at a fixed load"

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Point]:
        """One run."""
        return (measure(workload, backlog_limit(workload.rate, self.slo_p99_ms)),)

    def score(self, points: Sequence[Point], *, memory_bytes: int = 0) -> Score:
        """The weighted sum of logarithms."""
        last = points[-1]
        p99 = last.p99_ms
        figures = {
            "throughput": last.gain,
            "p99": Interval(*(1 / max(value, 1e-9) for value in (p99.value, p99.high, p99.low))),
            "memory": Interval(*(1 / max(memory_bytes, 1),) * 3),
        }
        gain = Interval(*(self._sum(figures, bound) for bound in ("value", "low", "high")))
        words = f"{last.throughput:,.0f}/s, p99 {p99.value:.3g} ms, {memory_bytes:,} bytes"
        return Score(gain, last.meets(self.slo_p99_ms), words, " by the weights")

    def _sum(self, figures: Mapping[str, Interval], bound: str) -> float:
        logs = (weight * math.log(max(getattr(figures[name], bound), 1e-300)) for name, weight in self.weights.items())
        return sum(logs)


def backlog_limit(rate: float, slo_p99_ms: float) -> int:
    """A run with ten objectives' worth of requests waiting has missed it, whatever comes."""
    if not math.isfinite(slo_p99_ms) or not rate > 0:
        return 0
    return 200 + int(rate * slo_p99_ms / 1e3 * 10)
