# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of one run that a sweep keeps, whether it was measured or predicted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from workbench.load import Interval, Measurement, Workload


class Predicted(Protocol):
    """What a simulation tells of a workload; `wb.simulate` gives it."""

    @property
    def p50_ns(self) -> float:
        """Median latency."""

    @property
    def p99_ns(self) -> float:
        """99th percentile of latency."""

    @property
    def batches(self) -> Mapping[int, int]:
        """Executions by batch size."""

    @property
    def throughput(self) -> float:
        """Answers per second."""

    @property
    def rejected(self) -> int:
        """Requests that found the queue full."""

    @property
    def timed_out(self) -> int:
        """Requests that waited for too long."""

    @property
    def is_overloaded(self) -> bool:
        """Whether more came than could be answered."""


@dataclass(frozen=True, slots=True)
class Point:
    """The figures of one run: small, and the same after a resume.

    Args:
        offered_rate: what was due per second; of a closed loop what was sent.
        throughput: answers per second, `throughput_high` the upper bound of its interval.
        p50_ms, p99_ms: latency with 95 % intervals; of a prediction without width.
        mean_batch_size: requests in an execution.
        is_steady: whether every check of the measurement passed; `reasons` say which did not.
        is_disturbed: the machine, not the model, is why it is not steady.
        rate: the open loop's rate that was asked for; 0 for a closed loop.
        seconds: length of the measured window.
        lost: requests that failed or stayed unanswered.
        batches: (size, executions).
        is_predicted: whether a simulation says so.
        is_overloaded: of a prediction: more came than could be answered.
    """

    offered_rate: float
    throughput: float
    throughput_high: float
    p50_ms: Interval
    p99_ms: Interval
    mean_batch_size: float
    is_steady: bool = True
    is_disturbed: bool = False
    reasons: tuple[str, ...] = ()
    rate: float = 0.0
    seconds: float = 1.0
    lost: int = 0
    batches: tuple[tuple[int, int], ...] = ()
    is_predicted: bool = False
    is_overloaded: bool = False

    @classmethod
    def of(cls, measurement: Measurement) -> Point:
        """Of a measurement."""
        return cls(
            offered_rate=measurement.offered_rate,
            throughput=measurement.throughput,
            throughput_high=rate_interval(measurement.throughput, measurement.window.seconds).high,
            p50_ms=measurement.latency.p50.scaled(1e-6),
            p99_ms=measurement.latency.p99.scaled(1e-6),
            mean_batch_size=measurement.mean_batch_size,
            is_steady=measurement.is_steady,
            is_disturbed=measurement.steadiness.is_disturbed,
            reasons=measurement.reasons,
            rate=_asked_rate(measurement),
            seconds=measurement.window.seconds,
            lost=sum(measurement.errors.values()) + measurement.unanswered,
            batches=tuple(measurement.batches.items()),
        )

    @classmethod
    def predicted(cls, prediction: Predicted, workload: Workload) -> Point:
        """Of a simulation of `workload`."""
        p50, p99 = prediction.p50_ns / 1e6, prediction.p99_ns / 1e6
        executions = sum(prediction.batches.values())
        rows = sum(size * count for size, count in prediction.batches.items())
        return cls(
            offered_rate=workload.rate or prediction.throughput,
            throughput=prediction.throughput,
            throughput_high=prediction.throughput,
            p50_ms=Interval(p50, p50, p50),
            p99_ms=Interval(p99, p99, p99),
            mean_batch_size=rows / executions if executions else math.nan,
            rate=workload.rate,
            seconds=rows / prediction.throughput if prediction.throughput > 0 else 1.0,
            batches=tuple(prediction.batches.items()),
            lost=prediction.rejected + prediction.timed_out,
            is_predicted=True,
            is_overloaded=prediction.is_overloaded,
        )

    @property
    def falls_behind(self) -> bool:
        """Whether less is answered than is due, by more than chance explains: then p99 would grow with the run."""
        if self.is_predicted:
            return self.is_overloaded
        due = self.offered_rate * self.seconds
        behind = due - self.throughput * self.seconds
        return self.rate > 0 and behind > max(0.03 * due, 4 * math.sqrt(max(due, 0.0)))

    @property
    def gain(self) -> Interval:
        """Throughput with its interval."""
        half = self.throughput_high - self.throughput
        return Interval(self.throughput, self.throughput - half, self.throughput_high)

    def meets(self, slo_p99_ms: float) -> bool:
        """Whether it is within the objective; a request without an answer counts as late for ever."""
        is_served = self.lost <= 0.01 * self.offered_rate * self.seconds
        return not self.falls_behind and is_served and self.p99_ms.value <= slo_p99_ms


def _asked_rate(measurement: Measurement) -> float:
    workload = measurement.workload
    return workload.rate or (measurement.offered_rate if workload.is_open_loop else 0.0)


def rate_interval(throughput: float, seconds: float) -> Interval:
    """Throughput with the interval of a Poisson count, value ± 1.96 sqrt(count) / time."""
    half = 1.96 * math.sqrt(max(throughput, 0.0) / max(seconds, 1e-9))
    return Interval(throughput, throughput - half, throughput + half)
