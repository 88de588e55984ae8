# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Predicts how a configuration serves a load, by running the scheduler's own batching policy in virtual time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.config import ModelConfig, is_ensemble
from workbench.display import Report, reporting, silent
from workbench.errors import InvalidArgumentError, UnsupportedError, error_for
from workbench.simulate.calibration import Calibration
from workbench.simulate.cell import ALIKE, Cell, Requests, Services, cell_of, model_config
from workbench.simulate.ensemble import EnsembleCalibration, ensemble_cell_of
from workbench.simulate.prediction import Prediction, prediction_of
from workbench.simulate.traffic import Traffic

AnyCalibration: TypeAlias = Calibration | EnsembleCalibration
"""Of a model, or of an ensemble: those of its models."""

_WAIT_S: Final = 0.05
"""How often a waiting call looks for the stop button."""


def simulate(
    config: ModelConfig | str,
    calibration: AnyCalibration,
    workload: Traffic,
    *,
    priorities: Sequence[float] = (),
    rows: Sequence[float] = (),
    timeout_us: int = 0,
    sequences: int = 0,
    sequence_length: int = 1,
    rate_limits: Mapping[str, int] | None = None,
    models: Mapping[str, ModelConfig | str] = MappingProxyType({}),
    warmup: float = 0.05,
    keep_records: bool = False,
) -> Prediction:
    """What a configuration would do under a load: the same arguments give the same prediction to the last bit.

    Queue and batches are those of the server's own code: delay, preferred sizes, priorities, timeouts, full queues.
    An open loop's requests come at the very times at which `drive` would send them.

    >>> calibration = wb.Calibration(service_ns={1: 1_000_000, 8: 1_700_000})
    >>> config = 'name: "m" max_batch_size: 8 dynamic_batching { }'
    >>> print(simulate(config, calibration, wb.Workload.poisson(rate=2000, requests=20_000, seed=1)))
    m (predicted): 2,009/s, p50 1.77 ms, p99 2.69 ms, mean batch 2.4, utilisation 95%

    Args:
        config: a configuration, or its text.
        calibration: how long executions take; see `calibrate`. Of an ensemble, the `EnsembleCalibration`.
        workload: what comes, such as `Workload.poisson(rate=2000, requests=20_000)`.
        priorities: share of the requests with priority 1, 2, ...; empty: all have the model's default.
        rows: share of the requests with 1, 2, ... rows of a batch; empty: one row each.
        timeout_us: that each request asks for; 0 for none.
        sequences: how many sequences are under way, of a model that has them; they take turns.
        sequence_length: requests of each.
        rate_limits: the server's resources, where rates are limited.
        models: of an ensemble, the configurations of its steps' models where they are to differ from the calibrated.
        warmup: share of the requests, the first ones, that is left out of the figures.
        keep_records: keeps a record for each request.

    Raises:
        ConfigError: the text is no configuration.
        InvalidArgumentError: a workload without requests, or shares that are none.
        UnsupportedError: a scheduler that is not simulated; of an ensemble, steps that have sequences, answer any
            number of times, or are ensembles themselves.
        KeyboardInterrupt: within 0.1 s of the stop button.
    """
    requests = Requests(
        tuple(priorities), tuple(rows), timeout_us, sequences, sequence_length, warmup=warmup, keep_records=keep_records
    )
    if isinstance(calibration, EnsembleCalibration):
        calibration = calibration.configured(models)
    elif models:
        raise InvalidArgumentError("models are of an ensemble: its calibration is an EnsembleCalibration")
    return simulate_all([config], calibration, workload, requests=requests, rate_limits=rate_limits, threads=1)[0]


def simulate_all(
    configs: Sequence[ModelConfig | str],
    calibration: AnyCalibration,
    workload: Traffic,
    *,
    requests: Requests = ALIKE,
    rate_limits: Mapping[str, int] | None = None,
    threads: int = 0,
    progress: bool | Report = False,
) -> list[Prediction]:
    """`simulate` of many configurations under one load, on several threads; which changes no figure.

    Args:
        configs: configurations, or their texts.
        calibration: of the model that they configure.
        workload: what comes, to each the same.
        requests: how requests differ from each other, and what is kept of them.
        rate_limits: the server's resources, where rates are limited.
        threads: how many; 0 for one on each processor.
        progress: true for a bar, or a callable.

    Raises:
        As `simulate` does.
    """
    messages = [model_config(config) for config in configs]
    schedule_ns = workload.schedule_ns()
    cells = _cells(messages, calibration, workload, schedule_ns, requests, rate_limits)
    names = [config.name or calibration.model or "model" for config in messages]
    threads = threads or len(os.sched_getaffinity(0))
    with reporting(progress=progress, title="simulate", unit="", total=len(cells)) as report:
        return _predictions(cells, names, workload, calibration, threads=threads, report=report)


@dataclass(frozen=True, slots=True)
class Simulator:
    """A calibrated model that answers `simulator(config, workload)`; it can go to other processes."""

    calibration: AnyCalibration
    requests: Requests = ALIKE

    def __call__(self, config: ModelConfig, workload: Traffic) -> Prediction:
        """What the model would do."""
        return simulate_all([config], self.calibration, workload, requests=self.requests, threads=1)[0]


@dataclass(frozen=True, slots=True)
class _Poisson:
    """Drawn by the simulation itself, the same times as of a `Workload`."""

    rate: float
    requests: int
    seed: int
    concurrency: int = 0
    duration_s: float = 0.0
    is_open_loop: bool = True

    def schedule_ns(self) -> NDArray[np.int64]:
        return np.empty(0, dtype=np.int64)

    def __str__(self) -> str:
        return f"{self.rate:,.0f} requests/s, poisson arrivals, {self.requests:,} requests"


def predict(
    config: ModelConfig | str, calibration: AnyCalibration, *, rate: float, requests: int = 50_000, seed: int = 1
) -> Prediction:
    """`simulate` of Poisson arrivals, quick enough for a slider: some 5 ms for 50,000 requests.

    Args:
        config: a configuration, or its text.
        calibration: how long executions take.
        rate: requests per second.
        requests: how many; a p99 is good to about 5 % with 50,000 at utilisation 0.8.
        seed: of the arrivals.

    Raises:
        As `simulate` does.
    """
    message, workload = model_config(config), _Poisson(rate, requests, seed)
    (cell,) = _cells([message], calibration, workload, workload.schedule_ns(), ALIKE, None)
    cell = replace(cell, rate=rate)
    return _predictions([cell], [message.name or calibration.model or "model"], workload, calibration, threads=1)[0]


def _cells(
    configs: Sequence[ModelConfig],
    calibration: AnyCalibration,
    workload: Traffic,
    schedule_ns: NDArray[np.int64],
    requests: Requests,
    rate_limits: Mapping[str, int] | None,
) -> list[Cell]:
    for config in configs:
        _check_kind(config, calibration)
    given = (workload, schedule_ns, requests)
    if isinstance(calibration, EnsembleCalibration):
        return [ensemble_cell_of(config, calibration, *given, rate_limits=rate_limits) for config in configs]
    services = Services(calibration)
    return [cell_of(config, services, *given, rate_limits=rate_limits) for config in configs]


def _check_kind(config: ModelConfig, calibration: AnyCalibration) -> None:
    is_of_ensemble = isinstance(calibration, EnsembleCalibration)
    if is_ensemble(config) and not is_of_ensemble:
        raise UnsupportedError("an ensemble is simulated with the calibrations of its models: calibrate it as a whole")
    if is_of_ensemble and not is_ensemble(config):
        raise InvalidArgumentError(f"{config.name!r} is no ensemble, and is simulated with a calibration of its own")


def _predictions(
    cells: Sequence[Cell],
    names: Sequence[str],
    workload: Traffic,
    calibration: AnyCalibration,
    *,
    threads: int,
    report: Report = silent,
) -> list[Prediction]:
    try:
        run = _native.Simulation(cells, threads=threads)
        try:
            while not run.wait(_WAIT_S):
                report(run.done, len(cells), "simulated")
        except BaseException:
            run.stop()
            raise
        report(len(cells), len(cells), "simulated")
        told = run.results()
    except _native.StatusError as error:
        raise error_for(error.code, str(error)) from error
    words, overhead_ns = str(workload), calibration.overhead_ns
    models = tuple(calibration.models) if isinstance(calibration, EnsembleCalibration) else ()
    return [
        prediction_of(one, model=name, workload=words, overhead_ns=overhead_ns, models=models)
        for one, name in zip(told, names, strict=True)
    ]
