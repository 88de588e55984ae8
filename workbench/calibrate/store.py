# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Calibrations in files, with the machine that they hold for."""

from __future__ import annotations

import json
import os
import platform
import warnings
from collections.abc import Mapping
from pathlib import Path

from workbench.errors import InvalidArgumentError
from workbench.simulate import AnyCalibration, Calibration, EnsembleCalibration


def fingerprint() -> dict[str, str]:
    """What a service time depends on, of this machine: processor, how many of them, kernel."""
    return {
        "processor": _processor(),
        "processors": str(len(os.sched_getaffinity(0))),
        "machine": platform.machine(),
        "system": f"{platform.system()} {platform.release()}",
    }


def save_calibration(calibration: AnyCalibration, path: str | Path) -> Path:
    """Writes a calibration as JSON; an older file is replaced as a whole.

    Args:
        calibration: what `calibrate` measured.
        path: the file.

    Raises:
        OSError: the file can not be written.
    """
    path = Path(path)
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(json.dumps(calibration.to_mapping(), indent=1) + "\n")
    return unfinished.replace(path)


def load_calibration(path: str | Path) -> AnyCalibration:
    """Reads a calibration, of a model or of an ensemble; warns where it was made on another machine.

    Args:
        path: a file of `save_calibration`.

    Raises:
        InvalidArgumentError: the file holds no calibration.
        FileNotFoundError: there is no file.
    """
    try:
        values = json.loads(Path(path).read_text())
        kind = EnsembleCalibration if "models" in values else Calibration
        calibration: AnyCalibration = kind.from_mapping(values)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"{path} holds no calibration: {error}") from error
    if differences := _differences(_machine(calibration)):
        message = f"{path} was measured on another machine: {differences}; calibrate again before you rely on it"
        warnings.warn(message, stacklevel=2)
    return calibration


def _machine(calibration: AnyCalibration) -> Mapping[str, str]:
    """Where it was measured; all models of an ensemble were so on one machine."""
    if isinstance(calibration, EnsembleCalibration):
        calibration = next(iter(calibration.models.values()))
    return calibration.machine


def _differences(machine: Mapping[str, str]) -> str:
    here = fingerprint()
    known = {name: value for name, value in machine.items() if name in here and name != "system"}
    return ", ".join(f"{name} {value}, here {here[name]}" for name, value in known.items() if value != here[name])


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
