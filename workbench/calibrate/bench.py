# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures service times by direct execution: bursts of requests that the scheduler cuts into batches of one size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any, Final, Protocol

import numpy as np

from workbench.calibrate.calm import is_calm
from workbench.calibrate.pauses import Round, after_pauses_ns, gaps_ns, mean_gap_ns
from workbench.calibrate.sizes import FEWEST, REPETITIONS, SPAN_S, Budget, batch_sizes, is_short
from workbench.calibrate.store import fingerprint
from workbench.calibrate.trace import Times, Trace, Tracer
from workbench.config import ModelConfig, parse_config
from workbench.display import Report, reporting
from workbench.load import Sequences, ServedModel
from workbench.simulate import Calibration, Line, instance_count

_PATIENCE_US: Final = 10_000_000
"""Queue delay of a burst: only full batches go."""
_SINGLES: Final = 300
_FEWEST_SINGLES: Final = 32
_SINGLES_NS: Final = 3e9
"""Time that single requests may take."""
_ROUNDS: Final = 8
_SINGLES_OF_ROUND: Final = 100
_APART_S: Final = 0.25
"""Between rounds of single requests: a machine's phases last tenths of a second, one must not fill them all."""
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


@dataclass(frozen=True, slots=True)
class Extent:
    """What is measured, and with what; see `calibrate`, whose arguments these are."""

    inputs: Mapping[str, Any] | None
    max_batch_size: int
    instances: int
    budget_s: float
    seed: int
    progress: bool | Report


def calibrate_model(model: Calibratable, extent: Extent) -> Calibration:
    """Measures one model; see `calibrate`."""
    original = parse_config(model.config)
    largest = extent.max_batch_size or max(original.max_batch_size, 1)
    count = extent.instances or instance_count(original)
    bench = Bench(model, Tracer(model, inputs=extent.inputs, seed=extent.seed), original, largest)
    budget = Budget(extent.budget_s)
    title = f"calibrate {model.name}"
    with reporting(progress=extent.progress, title=title, unit="s", total=extent.budget_s) as report:
        try:
            return bench.calibration(count, budget, report)
        finally:
            bench.restore()


@dataclass(frozen=True, slots=True)
class _Ways:
    """What single requests show: see `Calibration`."""

    wake_ns: float
    overhead_ns: float
    timer_late_ns: float
    after_pause_ns: Mapping[int, float]


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
        bursts = self._bursts()
        for index, (size, share) in enumerate(bursts):
            known = sum(map(len, self.samples_ns.get(size, [])))
            repetitions = budget.repetitions(size, self._line, len(bursts) - index, known=known, share=share)
            if repetitions:
                budget.spent[size] = budget.spent.get(size, 0.0) + self._burst(size, repetitions)
            report(min(monotonic() - began, budget.seconds), budget.seconds, f"batches of {size}")
        turnaround_ns = self._turnaround_ns()
        contention = {count: self._speed(count) for count in _counts(instances)}
        ways = self._ways()
        report(budget.seconds, budget.seconds, "done")
        samples = {size: np.concatenate(times) for size, times in self.samples_ns.items()}
        calm = {size: _calm(times) for size, times in samples.items()}
        return Calibration(
            service_ns={size: float(np.median(times)) for size, times in calm.items()},
            overhead_ns=ways.overhead_ns,
            contention=contention,
            turnaround_ns=turnaround_ns,
            wake_ns=ways.wake_ns,
            timer_late_ns=ways.timer_late_ns,
            after_pause_ns=ways.after_pause_ns,
            spread=_spread(calm),
            model=self.model.name,
            machine=fingerprint(),
            samples_ns={size: tuple(times.tolist()) for size, times in samples.items()},
        )

    def _bursts(self) -> list[tuple[int, float]]:
        """Sizes, with the share of their executions to be measured by then: there and back, as the machine drifts."""
        sizes = batch_sizes(self.largest)
        return [(size, 0.5) for size in sizes] + [(size, 1.0) for size in reversed(sizes)]

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

    def _ways(self) -> _Ways:
        """Of single requests, after pauses of every length."""
        service_ns = float(np.median(np.concatenate(self.samples_ns[1])))
        count = min(max(int(_SINGLES_NS / mean_gap_ns(service_ns)), _FEWEST_SINGLES), _SINGLES)
        rounds = self._rounds(service_ns, count)
        wake_ns, overhead_ns = _ways_of([one.trace for one in rounds])
        self._configure(size=self.largest, instances=1, delay_us=_LATE_DELAY_US)
        late = self._singles(gaps_ns(service_ns, count // 4, seed=_ROUNDS) + _LATE_DELAY_US * 1000)
        waited = (late.start_ns - late.arrival_ns)[late.found_idle() & (late.count == 1)]
        late_ns = float(np.median(waited)) - _LATE_DELAY_US * 1000 - wake_ns if len(waited) else 0.0
        return _Ways(wake_ns, overhead_ns, max(0.0, late_ns), after_pauses_ns(rounds))

    def _rounds(self, service_ns: float, count: int) -> list[Round]:
        """Single requests; of short executions in rounds apart from each other, with a burst beside each."""
        self._configure(size=1, instances=1, delay_us=_PATIENCE_US)
        if not is_short(service_ns):
            return [Round(self._singles(gaps_ns(service_ns, count, seed=1)), service_ns)]
        return [self._round(service_ns, _SINGLES_OF_ROUND, seed) for seed in range(_ROUNDS)]

    def _round(self, service_ns: float, count: int, seed: int) -> Round:
        sleep(_APART_S)
        beside = self._sent(1, max(FEWEST, int(SPAN_S * 1e9 / 2 / service_ns))).service_ns(1)
        self.samples_ns[1].append(beside)  # else two bursts of so short executions would say all
        return Round(self._singles(gaps_ns(service_ns, count, seed=seed)), float(np.median(beside)))

    def _singles(self, gaps: Times) -> Trace:
        alone = Sequences(in_flight=1, length=1) if self._has_sequences else None
        return self.tracer.send(np.cumsum(gaps), sequences=alone)

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


def _calm(times: Times) -> Times:
    """Of short executions those of no slower phase; longer ones meet phases as they do when they serve."""
    return times[is_calm(times)] if is_short(float(np.median(times))) else times


def _ways_of(traces: Sequence[Trace]) -> tuple[float, float]:
    wakes = np.concatenate([(trace.start_ns - trace.arrival_ns)[trace.found_idle()] for trace in traces])
    ways = np.concatenate([trace.arrival_ns - trace.sent_ns for trace in traces])
    return max(0.0, float(np.median(wakes))) if len(wakes) else 0.0, max(0.0, float(np.median(ways)))


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
