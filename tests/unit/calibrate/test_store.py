# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Calibrations in files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.calibrate import fingerprint, load_calibration, save_calibration
from workbench.errors import InvalidArgumentError
from workbench.simulate import Calibration

HERE = Calibration(service_ns={1: 1.5e6, 4: 2e6}, model="m", machine=fingerprint(), samples_ns={1: (1, 2)})


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    assert load_calibration(save_calibration(HERE, tmp_path / "m.json")) == HERE


def test_another_machine_is_told(tmp_path: Path) -> None:
    path = save_calibration(replace(HERE, machine={**HERE.machine, "processor": "abacus"}), tmp_path / "m.json")
    with pytest.warns(UserWarning, match="abacus"):
        load_calibration(path)


@pytest.mark.parametrize("text", ["", "[]", '{"service_ns": {}}', '{"service_ns": {"one": 1}}'])
def test_what_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(InvalidArgumentError):
        load_calibration(tmp_path / "m.json")
