# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What simulation and theory say of a candidate over the load, to be drawn beside its measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from workbench.config import parse_config
from workbench.simulate import Calibration, Simulator, capacity, exact_latency
from workbench.sweep import Candidate, Point, Study, Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES: Final = (0.05, 0.15, 0.3, 0.45, 0.6, 0.7, 0.78, 0.84, 0.88, 0.91, 0.94, 0.96, 0.98)
"""Of the capacity: dense where the curve bends."""
_REQUESTS: Final = 20_000


def predicted_curve(study: Study, trial: Trial) -> Sequence[Point]:
    """Simulations of a candidate over the load; those of the sweep where it had no calibration."""
    forecast = study.forecast_of(trial.candidate)
    if study.calibration is None or study.workload.rate <= 0 or not trial.config:
        return forecast.points if forecast is not None else ()
    simulator, config = Simulator(study.calibration), parse_config(trial.config)
    workload = replace(study.workload, requests=_REQUESTS)
    rates = [share * _capacity(study.calibration, trial.candidate) for share in _SHARES]
    return [Point.predicted(simulator(config, workload.at(rate)), workload.at(rate)) for rate in rates]


def draw_theory(axes: Axes, study: Study, candidate: Candidate, colour: str) -> None:
    """The capacity as an upright line; the exact p99 where the candidate and the load are of its kind."""
    if study.calibration is None:
        return
    most = _capacity(study.calibration, candidate)
    axes.axvline(most, color=colour, lw=0.8, ls=":", alpha=0.7)
    if candidate.count != 1 or candidate.max_queue_delay_microseconds or study.workload.arrivals != "poisson":
        return
    sizes = range(1, max(candidate.max_batch_size, 1) + 1)
    service = np.array([study.calibration.service_time_ns(size) for size in sizes])
    rates = [share * most for share in _SHARES[2:-2]]
    p99s = [exact_latency(service, rate=rate).quantile_ns(0.99) + study.calibration.overhead_ns for rate in rates]
    axes.plot(rates, np.array(p99s) / 1e6, color=colour, lw=1.0, ls=":", zorder=2)


def _capacity(calibration: Calibration, candidate: Candidate) -> float:
    return capacity(calibration, max(candidate.max_batch_size, 1), instances=candidate.count)
