# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a model would do with other settings, and whose calibration is remembered."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest

from workbench.calibrate import remembered_calibration, what_if
from workbench.errors import InvalidArgumentError
from workbench.simulate import Calibration

CALIBRATION = Calibration(service_ns={1: 1_100_000, 8: 1_800_000})
CONFIG = 'name: "m" max_batch_size: 8 dynamic_batching { max_queue_delay_microseconds: 100 }'


@dataclass(frozen=True)
class Served:
    """A model that nobody may touch."""

    config: str = CONFIG
    name: str = "m"
    version: int = -1
    engine: Any = None

    def statistics(self) -> Any:
        raise AssertionError("it is not asked")

    def reconfigure(self, **fields: Any) -> None:
        raise AssertionError("it stays as it is")


def test_fields_change_the_prediction_and_not_the_model() -> None:
    as_it_is = what_if(Served(), rate=2000, calibration=CALIBRATION)
    patient = what_if(Served(), rate=2000, calibration=CALIBRATION, max_queue_delay_microseconds=3000)
    assert patient.mean_batch_size > as_it_is.mean_batch_size


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="no field"):
        what_if(Served(), rate=2000, calibration=CALIBRATION, queue_dely=3)


def test_a_calibration_is_measured_once_for_all_settings_of_the_batcher(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []

    def calibrate(model: Served, **_: Any) -> Calibration:
        measured.append(model.config)
        return CALIBRATION

    monkeypatch.setattr(sys.modules["workbench.calibrate.what_if"], "calibrate", calibrate)
    monkeypatch.setattr(sys.modules["workbench.calibrate.what_if"], "_REMEMBERED", {})
    for config in (CONFIG, CONFIG.replace("100", "900"), CONFIG + ' parameters { key: "k" }'):
        remembered_calibration(Served(config))
    assert len(measured) == 2
    remembered_calibration(Served(), again=True)
    assert len(measured) == 3
