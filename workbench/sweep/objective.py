# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What makes one configuration better than another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from workbench.errors import InvalidArgumentError
from workbench.load import Interval, Measurement, Workload

Measure = Callable[[Workload, int], Measurement]
"""Runs a workload on the candidate; ends early where more requests than the number wait (0: any)."""


@dataclass(frozen=True, slots=True)
class Score:
    """How good a configuration is: more `gain` is better; one that misses its constraint is behind all that meet it."""

    gain: Interval
    is_feasible: bool
    words: str

    @property
    def rank(self) -> tuple[bool, float]:
        """Larger is better."""
        return self.is_feasible, self.gain.value if math.isfinite(self.gain.value) else -math.inf

    def is_clearly_behind(self, other: Score) -> bool:
        """Whether the intervals leave no doubt that `other` is better."""
        if self.is_feasible != other.is_feasible:
            return other.is_feasible
        return self.gain.high < other.gain.low


class Objective(Protocol):
    """Measures a candidate and scores what was measured."""

    @property
    def title(self) -> str:
        """What is sought, in words."""

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Measurement]:
        """The measurements that the score needs, the one that decides last."""

    def score(self, measurements: Sequence[Measurement]) -> Score:
        """Of the measurements of one candidate."""


@dataclass(frozen=True, slots=True)
class LowestP99:
    """The lowest p99 at the workload's own rate; `slo_p99_ms` is the constraint, infinite for none."""

    slo_p99_ms: float = math.inf

    @property
    def title(self) -> str:
        """In words."""
        limit = f" within {self.slo_p99_ms:g} ms" if math.isfinite(self.slo_p99_ms) else ""
        return f"lowest p99{limit} at a fixed load"

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Measurement]:
        """One run."""
        return (measure(workload, _backlog_limit(workload.rate, self.slo_p99_ms)),)

    def score(self, measurements: Sequence[Measurement]) -> Score:
        """Minus the p99; one that answers less than it is offered is not feasible."""
        p99 = measurements[-1].latency.p99.scaled(1e-6)
        gain = Interval(-p99.value, -p99.high, -p99.low)
        return Score(gain, meets(measurements[-1], self.slo_p99_ms), f"p99 {p99.value:.3g} ms")


@dataclass(frozen=True, slots=True)
class HighestThroughput:
    """Most answers per second at a fixed load, closed loop in general, with p99 within `slo_p99_ms`."""

    slo_p99_ms: float = math.inf

    @property
    def title(self) -> str:
        """In words."""
        limit = f" with p99 within {self.slo_p99_ms:g} ms" if math.isfinite(self.slo_p99_ms) else ""
        return f"highest throughput{limit} at a fixed load"

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Measurement]:
        """One run."""
        return (measure(workload, 0),)

    def score(self, measurements: Sequence[Measurement]) -> Score:
        """The throughput, with the Poisson interval of its count (1.96 square roots)."""
        last = measurements[-1]
        is_feasible = meets(last, self.slo_p99_ms)
        return Score(rate_interval(last), is_feasible, f"{last.throughput:,.0f}/s, p99 {last.p99_ms:.3g} ms")


_GROWTH: Final = 1.6
_RESOLUTION: Final = 0.06


@dataclass(frozen=True, slots=True)
class Goodput:
    """The highest open-loop rate whose p99 is within `slo_p99_ms`.

    From the workload's rate it goes up by 60 % while the objective is met (down while it is not), then halves what is
    left between the best and the worst, geometrically, until they are 6 % apart.
    """

    slo_p99_ms: float
    max_steps: int = 12

    def __post_init__(self) -> None:
        if not 0 < self.slo_p99_ms < math.inf:
            raise InvalidArgumentError("goodput is counted within a latency objective: give slo_p99_ms")

    @property
    def title(self) -> str:
        """In words."""
        return f"highest rate with p99 within {self.slo_p99_ms:g} ms"

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Measurement]:
        """A bracket, then bisection; the last one is the best that met the objective, or the slowest tried."""
        if not workload.rate > 0:
            raise InvalidArgumentError("goodput is a rate of the open loop: the workload needs a rate to begin with")
        tried: list[Measurement] = []
        good, bad = 0.0, math.inf
        rate = workload.rate
        while len(tried) < self.max_steps and bad > good * (1 + _RESOLUTION):
            tried.append(measure(workload.at(rate), _backlog_limit(rate, self.slo_p99_ms)))
            good, bad = (rate, bad) if meets(tried[-1], self.slo_p99_ms) else (good, rate)
            rate = _next_rate(good, bad)
        return sorted(tried, key=self._order)

    def score(self, measurements: Sequence[Measurement]) -> Score:
        """The throughput at that rate."""
        best = measurements[-1]
        is_feasible = meets(best, self.slo_p99_ms)
        gain = rate_interval(best) if is_feasible else Interval(0.0, 0.0, 0.0)
        return Score(gain, is_feasible, f"{gain.value:,.0f}/s within {self.slo_p99_ms:g} ms")

    def _order(self, measurement: Measurement) -> tuple[bool, float]:
        is_met = meets(measurement, self.slo_p99_ms)
        return is_met, measurement.workload.rate if is_met else -measurement.workload.rate


def _next_rate(good: float, bad: float) -> float:
    if good == 0.0:
        return bad / _GROWTH**2
    return good * _GROWTH if math.isinf(bad) else math.sqrt(good * bad)


def meets(measurement: Measurement, slo_p99_ms: float) -> bool:
    """Whether a measurement is within the objective: its p99, where a request without answer counts as late for ever.

    One that answers less than was due, by more than chance explains, has no p99: it would grow with the run.
    """
    due = measurement.offered_rate * measurement.window.seconds
    behind = due - measurement.throughput * measurement.window.seconds
    falls_behind = measurement.workload.is_open_loop and behind > max(0.03 * due, 4 * math.sqrt(due))
    lost = sum(measurement.errors.values()) + measurement.unanswered
    return not falls_behind and lost <= 0.01 * due and measurement.p99_ms <= slo_p99_ms


def rate_interval(measurement: Measurement) -> Interval:
    """Throughput with the interval of a Poisson count, value ± 1.96 sqrt(count) / time."""
    half = 1.96 * math.sqrt(max(measurement.throughput, 0.0) / max(measurement.window.seconds, 1e-9))
    return Interval(measurement.throughput, measurement.throughput - half, measurement.throughput + half)


def _backlog_limit(rate: float, slo_p99_ms: float) -> int:
    """A run with ten objectives' worth of requests waiting has missed it, whatever comes."""
    if not math.isfinite(slo_p99_ms) or not rate > 0:
        return 0
    return 200 + int(rate * slo_p99_ms / 1e3 * 10)
