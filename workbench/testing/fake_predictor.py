# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A simulation in virtual time, to predict what a `FakeTunable` will do."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.config import ModelConfig
from workbench.load import Measurement, Workload, measure
from workbench.sweep import Point, candidate_of
from workbench.testing.fake_target import FakeTarget


@dataclass(frozen=True, slots=True)
class FakePrediction:
    """What was simulated."""

    p50_ns: float
    p99_ns: float
    batches: dict[int, int]
    throughput: float
    is_overloaded: bool = False
    rejected: int = 0
    timed_out: int = 0


@dataclass(frozen=True, slots=True)
class FakePredictor:
    """Takes a batch of b for `fixed_ns + b * row_ns`, as a calibration would say that is off by `error`."""

    fixed_ns: int = 1_000_000
    row_ns: int = 100_000
    error: float = 0.0

    def __call__(self, config: ModelConfig, workload: Workload) -> FakePrediction:
        """Runs a fake target."""
        candidate = candidate_of(config)
        target = FakeTarget(
            fixed_ns=round(self.fixed_ns * (1 + self.error)),
            row_ns=round(self.row_ns * (1 + self.error)),
            max_batch_size=candidate.max_batch_size,
            instances=candidate.count,
            max_queue_delay_ns=candidate.max_queue_delay_microseconds * 1000,
        )
        return _of(measure(target, workload))


def _of(measured: Measurement) -> FakePrediction:
    latency = measured.latency
    figures = (latency.p50.value, latency.p99.value, dict(measured.batches), measured.throughput)
    return FakePrediction(*figures, is_overloaded=Point.of(measured).falls_behind)
