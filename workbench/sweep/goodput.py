# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Goodput: the highest open-loop rate whose p99 is within the objective."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.errors import InvalidArgumentError
from workbench.load import Interval, Workload
from workbench.sweep.objective import Measure, backlog_limit
from workbench.sweep.point import Point
from workbench.sweep.score import Score


@dataclass(frozen=True, slots=True)
class Goodput:
    """The highest open-loop rate whose p99 is within `slo_p99_ms`.

    From the workload's rate it goes up while the objective is met (down while it is not), then halves what is left
    between the best and the worst, geometrically. Between the two that are left, p99 is taken for a power of the rate.

    Args:
        slo_p99_ms: the objective.
        max_steps: most runs of a candidate.
        growth: step of the bracket.
        resolution: ratio of the last two rates, minus one.
    """

    slo_p99_ms: float
    max_steps: int = 12
    growth: float = 1.6
    resolution: float = 0.06

    def __post_init__(self) -> None:
        if not 0 < self.slo_p99_ms < math.inf:
            raise InvalidArgumentError("goodput is counted within a latency objective: give slo_p99_ms")

    @property
    def title(self) -> str:
        """In words."""
        return f"highest rate with p99 within {self.slo_p99_ms:g} ms"

    def near(self, *, is_final: bool) -> Goodput:
        """The same for a search that begins close to where it will end: smaller steps, fewer of them.

        A first look needs no more than a rate that meets the objective and one that does not.
        """
        return replace(self, growth=1.08, resolution=0.05 if is_final else 0.17, max_steps=7)

    def measure(self, measure: Measure, workload: Workload) -> Sequence[Point]:
        """A bracket, then bisection; the last one is the best that met the objective, or the slowest tried."""
        if not workload.rate > 0:
            raise InvalidArgumentError("goodput is a rate of the open loop: the workload needs a rate to begin with")
        tried: list[Point] = []
        good, bad = 0.0, math.inf
        rate, step = workload.rate, self.growth
        while len(tried) < self.max_steps and bad > good * (1 + self.resolution):
            tried.append(measure(workload.at(rate), backlog_limit(rate, self.slo_p99_ms)))
            good, bad = (rate, bad) if tried[-1].meets(self.slo_p99_ms) else (good, rate)
            rate, step = _next_rate(good, bad, step), min(step**1.5, 2.0)
        return sorted(tried, key=self._order)

    def score(self, points: Sequence[Point], *, memory_bytes: int = 0) -> Score:  # noqa: ARG002 - of no interest
        """The rate at which p99 reaches the objective."""
        best, unit = points[-1], f"/s within {self.slo_p99_ms:g} ms"
        if not best.meets(self.slo_p99_ms):
            return Score(Interval(0.0, 0.0, 0.0), is_feasible=False, words=f"0{unit}", unit=unit)
        gain = self._crossing(best, points)
        return Score(gain, is_feasible=True, words=f"{gain.value:,.0f}{unit}", unit=unit)

    def _crossing(self, best: Point, points: Sequence[Point]) -> Interval:
        """Where p99 meets the objective, with what the interval of p99 leaves open."""
        over = [point for point in points if point.rate > best.rate and not point.meets(self.slo_p99_ms)]
        if not over or not best.p99_ms.value > 0:
            return best.gain
        worse = min(over, key=lambda point: point.rate)
        span = math.log(worse.rate / best.rate)
        rise = _rise(best.p99_ms.value, worse.p99_ms.value, 1 + self.resolution)
        way = min(math.log(self.slo_p99_ms / best.p99_ms.value) / rise, 1.0)
        value = best.throughput * math.exp(way * span)
        p99 = best.p99_ms
        low, high = p99.value / max(p99.low, 1e-9), p99.high / p99.value if p99.is_bounded else 2.0
        return Interval(value, value * high ** (-span / rise), value * low ** (span / rise))

    def _order(self, point: Point) -> tuple[bool, float]:
        is_met = point.meets(self.slo_p99_ms)
        return is_met, point.rate if is_met else -point.rate


def _next_rate(good: float, bad: float, step: float) -> float:
    if good == 0.0:
        return bad / step**2
    return good * step if math.isinf(bad) else math.sqrt(good * bad)


def _rise(below: float, above: float, least: float) -> float:
    """Logarithm of the ratio; a run in which nothing was answered counts as a hundred times as late."""
    ratio = above / below if math.isfinite(above) else 100.0
    return math.log(min(max(ratio, least), 100.0))
