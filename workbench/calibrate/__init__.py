# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a model's executions take, for simulations; keeps it in a file."""

from workbench.calibrate.calibrate import calibrate
from workbench.calibrate.store import fingerprint, load_calibration, save_calibration

__all__ = ["calibrate", "fingerprint", "load_calibration", "save_calibration"]
