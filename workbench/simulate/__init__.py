# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Predictions: the scheduler's own policy under virtual time, calibrated on the model; and theory beside them."""

from workbench.simulate.calibration import Calibration
from workbench.simulate.cell import Requests, instance_count
from workbench.simulate.ensemble import EnsembleCalibration
from workbench.simulate.exact import ExactLatency, exact_latency
from workbench.simulate.interpolation import Line, isotonic
from workbench.simulate.prediction import SIMULATION_DTYPE, Prediction
from workbench.simulate.simulator import AnyCalibration, Simulator, predict, simulate, simulate_all
from workbench.simulate.theory import (
    ClosedLoop,
    capacity,
    closed_loop,
    mean_batch_with_delay,
    mean_latency_bound_ns,
    single_requests_mean_ns,
    utilisation,
)
from workbench.simulate.traffic import Traffic

__all__ = [
    "SIMULATION_DTYPE",
    "AnyCalibration",
    "Calibration",
    "ClosedLoop",
    "EnsembleCalibration",
    "ExactLatency",
    "Line",
    "Prediction",
    "Requests",
    "Simulator",
    "Traffic",
    "capacity",
    "closed_loop",
    "exact_latency",
    "instance_count",
    "isotonic",
    "mean_batch_with_delay",
    "mean_latency_bound_ns",
    "predict",
    "simulate",
    "simulate_all",
    "single_requests_mean_ns",
    "utilisation",
]
