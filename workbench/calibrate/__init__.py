# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a model's executions take, for simulations; keeps it in a file; asks "what if"."""

from workbench.calibrate.bench import Calibratable
from workbench.calibrate.calibrate import calibrate
from workbench.calibrate.calm import SLOWER, WINDOW, slowness
from workbench.calibrate.store import fingerprint, load_calibration, save_calibration
from workbench.calibrate.what_if import remembered_calibration, what_if

__all__ = [
    "SLOWER",
    "WINDOW",
    "Calibratable",
    "calibrate",
    "fingerprint",
    "load_calibration",
    "remembered_calibration",
    "save_calibration",
    "slowness",
    "what_if",
]
