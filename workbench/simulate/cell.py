# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One simulation as the native core is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import BatchingSpec, EnsembleSpec, ModelConfig, batching_spec, parse_config
from workbench.simulate.calibration import Calibration
from workbench.simulate.interpolation import service_table, speed_table
from workbench.simulate.traffic import Traffic

_NO_TIMES: Final = np.empty(0, dtype=np.int64)
_FEWEST: Final = 1000
"""Requests of a closed loop whose duration alone is known."""


@dataclass(frozen=True, slots=True)
class Service:
    """A calibration as tables, by batch size and by active instances."""

    service_ns: tuple[int, ...]
    speeds: tuple[float, ...]
    spread: tuple[float, ...]
    overhead_ns: int
    turnaround_ns: int
    wake_ns: int
    timer_late_ns: int
    after_pause: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, calibration: Calibration, *, max_batch_size: int, instances: int) -> Service:
        """For batches and instances up to the given numbers."""
        table = service_table(calibration.service_ns, max_batch_size)
        return cls(
            service_ns=tuple(np.maximum(np.rint(table), 1).astype(np.int64).tolist()),
            speeds=tuple(speed_table(calibration.contention, instances).tolist()) if calibration.contention else (),
            spread=calibration.spread,
            overhead_ns=round(calibration.overhead_ns),
            turnaround_ns=round(calibration.turnaround_ns),
            wake_ns=round(calibration.wake_ns),
            timer_late_ns=round(calibration.timer_late_ns),
            after_pause=tuple((pause, round(extra)) for pause, extra in calibration.after_pause_ns.items()),
        )


@dataclass(frozen=True, slots=True)
class Services:
    """The tables of a calibration, each made once."""

    calibration: Calibration
    known: dict[tuple[int, int], Service] = field(default_factory=dict)

    def of(self, max_batch_size: int, instances: int) -> Service:
        """For batches and instances up to the given numbers."""
        key = max_batch_size, instances
        if key not in self.known:
            self.known[key] = Service.of(self.calibration, max_batch_size=max_batch_size, instances=instances)
        return self.known[key]


@dataclass(frozen=True, slots=True)
class Station:
    """A model of an ensemble. Read by the extension module, attribute by attribute."""

    batching: BatchingSpec
    max_batch_size: int
    instance_count: int
    service: Service


@dataclass(frozen=True, slots=True)
class EnsembleCell:
    """How an ensemble's requests run through its models. Read by the extension module, attribute by attribute."""

    graph: EnsembleSpec
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    models: tuple[Station, ...]
    model_of_step: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A configuration under a load. Read by the extension module, attribute by attribute."""

    batching: BatchingSpec
    max_batch_size: int
    instance_count: int
    service: Service
    schedule_ns: NDArray[np.int64] = field(default_factory=lambda: _NO_TIMES)
    rate: float = 0.0
    concurrency: int = 0
    requests: int = 0
    seed: int = 1
    warmup_requests: int = 0
    priority_shares: tuple[float, ...] = ()
    row_shares: tuple[float, ...] = ()
    timeout_ns: int = 0
    sequence_count: int = 0
    sequence_length: int = 1
    keeps_records: bool = False
    ensemble: EnsembleCell | None = None


@dataclass(frozen=True, slots=True)
class Requests:
    """How requests differ from each other, and what is kept of them.

    Args:
        priorities: share of the requests with priority 1, 2, ...; empty: all have the model's default.
        rows: share of the requests with 1, 2, ... rows of a batch; empty: one row each.
        timeout_us: that each asks for; 0 for none.
        sequences: how many sequences are under way, of a model that has them; they take turns.
        sequence_length: requests of each.
        warmup: share of the requests, the first ones, that is left out of the figures.
        keep_records: one record for each request.
    """

    priorities: tuple[float, ...] = ()
    rows: tuple[float, ...] = ()
    timeout_us: int = 0
    sequences: int = 0
    sequence_length: int = 1
    warmup: float = 0.05
    keep_records: bool = False


ALIKE: Final = Requests()
"""One row each, no priority, no timeout."""


def model_config(config: ModelConfig | str) -> ModelConfig:
    """The message; a text is parsed.

    Raises:
        ConfigError: the text is no configuration.
    """
    return parse_config(config) if isinstance(config, str) else config


def instance_count(config: ModelConfig, rate_limits: Mapping[str, int] | None = None) -> int:
    """Instances that may execute at once.

    Args:
        config: a configuration, completed or not: a group without a count has one instance for each of its devices.
        rate_limits: the server's resources; None where rates are not limited.
    """
    groups = [group for group in config.instance_group if not group.passive]
    counts = [max(group.count, 1) * max(len(group.gpus), 1) for group in groups]
    total = sum(counts) or 1
    for group, count in zip(groups, counts, strict=True):
        for resource in group.rate_limiter.resources if rate_limits is not None else ():
            # A resource that nobody sized is as large as the hungriest instance needs it, as in the server.
            available = (rate_limits or {}).get(resource.name, resource.count)
            total = min(total, total - count + available // max(resource.count, 1))
    return max(total, 1)


def cell_of(
    config: ModelConfig,
    services: Services,
    workload: Traffic,
    schedule_ns: NDArray[np.int64],
    requests: Requests,
    *,
    rate_limits: Mapping[str, int] | None = None,
) -> Cell:
    """The simulation of a configuration under a load.

    Raises:
        UnsupportedError: the configuration has a scheduler that is not simulated.
    """
    largest, instances = max(config.max_batch_size, 1), instance_count(config, rate_limits)
    station = station_of(config, services.of(largest, instances), instances)
    per_s = _closed_loop_rate(services.calibration, min(largest, max(workload.concurrency, 1)), instances)
    return loaded(station, workload, schedule_ns, requests, per_s=per_s)


def station_of(config: ModelConfig, service: Service, instances: int) -> Station:
    """A model, with its calibration as tables."""
    return Station(_batching(config), max(config.max_batch_size, 1), instances, service)


def loaded(
    station: Station,
    workload: Traffic,
    schedule_ns: NDArray[np.int64],
    requests: Requests,
    *,
    per_s: float,
    ensemble: EnsembleCell | None = None,
) -> Cell:
    """A model, or an ensemble in its place, under a load; `per_s` is how many a closed loop would send."""
    count = len(schedule_ns) or workload.requests or max(_FEWEST, round(per_s * workload.duration_s))
    return Cell(
        batching=station.batching,
        max_batch_size=station.max_batch_size,
        instance_count=station.instance_count,
        service=station.service,
        schedule_ns=schedule_ns,
        concurrency=0 if workload.is_open_loop else workload.concurrency,
        requests=count,
        seed=workload.seed,
        warmup_requests=int(count * requests.warmup),
        priority_shares=requests.priorities,
        row_shares=requests.rows,
        timeout_ns=requests.timeout_us * 1000,
        sequence_count=requests.sequences,
        sequence_length=requests.sequence_length,
        keeps_records=requests.keep_records,
        ensemble=ensemble,
    )


def _batching(config: ModelConfig) -> BatchingSpec:
    """Of a configuration that may not be completed: a sequence may be idle for a second unless told otherwise."""
    spec = batching_spec(config)
    if spec.sequence is None or spec.sequence.max_idle_ns > 0:
        return spec
    return replace(spec, sequence=replace(spec.sequence, max_idle_ns=1_000_000_000))


def _closed_loop_rate(calibration: Calibration, size: int, instances: int) -> float:
    """Answers per second with batches of that size."""
    return instances * calibration.speed(instances) * size * 1e9 / calibration.service_time_ns(size)
