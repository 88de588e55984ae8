# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures service times by direct execution: bursts of requests that the scheduler cuts into batches of one size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final, Protocol

import numpy as np

from workbench.calibrate.sizes import FEWEST, REPETITIONS, Budget, batch_sizes
from workbench.calibrate.store import fingerprint
from workbench.calibrate.trace import Times, Trace, Tracer
from workbench.config import ModelConfig, parse_config
from workbench.display import Report, reporting
from workbench.load import Sequences, ServedModel
from workbench.simulate import Calibration, Line, instance_count

_PATIENCE_US: Final = 10_000_000
"""Queue delay of a burst: only full batches go."""
_SINGLES: Final = 150
_LOAD: Final = 0.3
"""Utilisation of the run that shows what a single request takes on its way."""
_FACTORS: Final = 64
_LATE_DELAY_US: Final = 2000


class Calibratable(ServedModel, Protocol):
    """What is needed of `workbench.server.Model`."""

    @property
    def steps(self) -> Mapping[str, Any]:
        """The models of an ensemble's steps, which are calibratable themselves; none of any other model."""

    def infer(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to one request."""

    def reconfigure(self, **fields: Any) -> None:
        """Changes fields of the configuration, live or by a reload in the background."""


def calibrate_model(
    model: Calibratable,
    *,
    inputs: Mapping[str, Any] | None = None,
    max_batch_size: int = 0,
    instances: int = 0,
    budget_s: float = 10.0,
    seed: int = 1,
    progress: bool | Report = False,
) -> Calibration:
    """Measures one model; see `calibrate`."""
    original = parse_config(model.config)
    largest = max_batch_size or max(original.max_batch_size, 1)
    count = instances or instance_count(original)
    bench = Bench(model, Tracer(model, inputs=inputs, seed=seed), original, largest)
    with reporting(progress=progress, title=f"calibrate {model.name}", unit="s", total=budget_s) as report:
        try:
            return bench.calibration(count, Budget(budget_s), report)
        finally:
            bench.restore()


@dataclass(slots=True)
class Bench:
    """A model under calibration, and what was measured of it so far."""

    model: Calibratable
    tracer: Tracer
    original: ModelConfig
    largest: int
    samples_ns: dict[int, list[Times]] = field(default_factory=dict)

    def calibration(self, instances: int, budget: Budget, report: Report) -> Calibration:
        """All of it."""
        began = monotonic()
        sizes = batch_sizes(self.largest)
        for index, size in enumerate(sizes):
            repetitions = budget.repetitions(size, self._line, len(sizes) - index)
            if repetitions:
                budget.spent[size] = self._burst(size, repetitions)
            report(min(monotonic() - began, budget.seconds), budget.seconds, f"batches of {size}")
        turnaround_ns = self._turnaround_ns()
        contention = {count: self._speed(count) for count in _counts(instances)}
        wake_ns, overhead_ns, timer_late_ns = self._ways()
        report(budget.seconds, budget.seconds, "done")
        samples = {size: np.concatenate(times) for size, times in self.samples_ns.items()}
        return Calibration(
            service_ns={size: float(np.median(times)) for size, times in samples.items()},
            overhead_ns=overhead_ns,
            contention=contention,
            turnaround_ns=turnaround_ns,
            wake_ns=wake_ns,
            timer_late_ns=timer_late_ns,
            spread=_spread(samples),
            model=self.model.name,
            machine=fingerprint(),
            samples_ns={size: tuple(times.tolist()) for size, times in samples.items()},
        )

    def restore(self) -> None:
        """Serves as before."""
        self.model.reconfigure(**_fields(self.original))

    @property
    def _line(self) -> Line | None:
        medians = {size: float(np.median(np.concatenate(times))) for size, times in self.samples_ns.items()}
        return Calibration(service_ns=medians).line if medians else None

    def _burst(self, size: int, repetitions: int) -> float:
        """Measures a size; the seconds that it took."""
        began = monotonic()
        self._configure(size=size, instances=1, delay_us=_PATIENCE_US)
        trace = self._sent(size, repetitions)
        times = trace.service_ns(size)
        self.samples_ns.setdefault(size, []).append(times)
        return monotonic() - began

    def _turnaround_ns(self) -> float:
        """From an answer to the next start, at the largest size, where capacity is decided."""
        self._configure(size=self.largest, instances=1, delay_us=_PATIENCE_US)
        trace = self._sent(self.largest, self._repetitions(self.largest))
        return max(0.0, float(np.median(trace.periods_ns()) - np.median(trace.service_ns(self.largest))))

    def _speed(self, instances: int) -> float:
        """Of one instance among so many: geometric mean over small and large batches."""
        ratios = [self._ratio(size, instances) for size in sorted({1, max(1, self.largest // 4), self.largest})]
        return float(np.exp(np.mean(np.log(ratios))))

    def _ratio(self, size: int, instances: int) -> float:
        self._configure(size=size, instances=instances, delay_us=_PATIENCE_US)
        together = self._sent(size, self._repetitions(size) * instances, instances).service_ns(size)
        self._configure(size=size, instances=1, delay_us=_PATIENCE_US)
        alone = self._sent(size, self._repetitions(size)).service_ns(size)
        return float(np.median(alone) / np.median(together))

    def _sent(self, size: int, repetitions: int, instances: int = 1) -> Trace:
        """A burst; of a model with sequences, of as many as fill the batches that run at once."""
        return self.tracer.burst(size, repetitions, lanes=size * instances if self._has_sequences else 0)

    @property
    def _has_sequences(self) -> bool:
        return self.original.HasField("sequence_batching")

    def _repetitions(self, size: int) -> int:
        line = self._line
        expected_s = (line.at(size) if line else 1e9) / 1e9
        return min(max(int(0.5 / expected_s), FEWEST), REPETITIONS)

    def _ways(self) -> tuple[float, float, float]:
        """Of single requests: until an idle instance starts, until it is in the queue, and how late a delay ends."""
        line = self._line
        gap_ns = (line.at(1) if line else 1e6) / _LOAD
        count = min(max(int(2e9 / gap_ns), 30), _SINGLES)
        self._configure(size=self.largest, instances=1, delay_us=0)
        wake_ns, overhead_ns = _ways_of(self._singles(count, gap_ns))
        self._configure(size=self.largest, instances=1, delay_us=_LATE_DELAY_US)
        trace = self._singles(count // 2, gap_ns + _LATE_DELAY_US * 1000)
        waited = (trace.start_ns - trace.arrival_ns)[trace.found_idle() & (trace.count == 1)]
        late_ns = float(np.median(waited)) - _LATE_DELAY_US * 1000 - wake_ns if len(waited) else 0.0
        return wake_ns, overhead_ns, max(0.0, late_ns)

    def _singles(self, count: int, gap_ns: float) -> Trace:
        gaps = np.random.default_rng(1).exponential(gap_ns, count)
        alone = Sequences(in_flight=1, length=1) if self._has_sequences else None
        return self.tracer.send(np.cumsum(gaps).astype(np.int64), sequences=alone)

    def _configure(self, *, size: int, instances: int, delay_us: int) -> None:
        config = ModelConfig()
        config.CopyFrom(self.original)
        config.max_batch_size = max(self.largest, config.max_batch_size) if self.largest > 1 else config.max_batch_size
        if config.max_batch_size > 0:
            _await_batches(config, size=size, delay_us=delay_us)
        config.ClearField("instance_group")
        group = config.instance_group.add()
        if self.original.instance_group:
            group.CopyFrom(self.original.instance_group[0])
        group.count = instances
        self.model.reconfigure(**_fields(config))


def _await_batches(config: ModelConfig, *, size: int, delay_us: int) -> None:
    """Batches of that size leave at once, smaller ones after the delay; the direct strategy has neither."""
    if config.HasField("sequence_batching"):
        if not config.sequence_batching.HasField("oldest"):
            return
        batching: Any = config.sequence_batching.oldest
    else:
        config.ClearField("dynamic_batching")
        batching = config.dynamic_batching
    batching.ClearField("preferred_batch_size")
    batching.preferred_batch_size.append(size)
    batching.max_queue_delay_microseconds = delay_us


def _ways_of(trace: Trace) -> tuple[float, float]:
    alone = trace.found_idle()
    wake_ns = float(np.median((trace.start_ns - trace.arrival_ns)[alone])) if alone.any() else 0.0
    return max(0.0, wake_ns), max(0.0, float(np.median(trace.arrival_ns - trace.sent_ns)))


def _counts(instances: int) -> tuple[int, ...]:
    """Two, and the powers of two up to all of them."""
    powers = [1 << exponent for exponent in range(1, max(1, math.ceil(math.log2(max(instances, 1)))) + 1)]
    return tuple(sorted({min(power, instances) for power in powers} - {1})) if instances > 1 else ()


def _spread(samples: Mapping[int, Times]) -> tuple[float, ...]:
    """Equally likely factors of the service time: the middle of each of 64 shares of what all sizes scatter.

    Without the executions that a stall of the machine took part in: more than half the median and 0.5 ms too long.
    """
    undisturbed = {}
    for size, times in samples.items():
        median = float(np.median(times))
        undisturbed[size] = times[times < median + max(median / 2, 5e5)] / median
    ratios = np.concatenate(list(undisturbed.values()))
    return tuple(np.quantile(ratios, (np.arange(_FACTORS) + 0.5) / _FACTORS).round(6).tolist())


def _fields(config: ModelConfig) -> dict[str, Any]:
    fields = {"max_batch_size": config.max_batch_size, "instance_group": list(config.instance_group)}
    if config.HasField("sequence_batching"):
        return {**fields, "sequence_batching": config.sequence_batching}
    return {**fields, "dynamic_batching": config.dynamic_batching if config.HasField("dynamic_batching") else None}
