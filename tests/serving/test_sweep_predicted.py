# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep that is given an objective and little else: calibrated, predicted, raced, confirmed on the real core."""

from __future__ import annotations

from pathlib import Path

import workbench as wb
from workbench.simulate import Calibration

SAMPLES = Path(__file__).parents[2] / "model_repository"
CALIBRATION = Calibration(service_ns={1: 1_050_000, 32: 4_200_000}, overhead_ns=50_000)


def test_the_best_predicted_are_measured_and_the_winner_is_confirmed_and_exported(tmp_path: Path) -> None:
    with wb.Server(SAMPLES, name="predicted") as server:
        model = server.load("synthetic")
        study = wb.sweep(
            model,
            space={"max_batch_size": [1, 4, 16, 32], "max_queue_delay_microseconds": [0, 1000], "count": [1, 2]},
            workload=wb.Workload(rate=500, duration_s=0.15),
            objective="goodput",
            slo_p99_ms=40,
            calibration=CALIBRATION,
            most=1,
            repeats=0,
            progress=False,
        )
        assert len(study.forecasts) == 15  # and the model as it is
        raced = {trial.candidate for trial in study.trials} - {study.base}
        assert [(one.max_batch_size, one.count) for one in raced] == [(32, 2)]
        assert study.confirmation is not None
        assert study.predicted_confirmation is not None
        assert study.confirmation.point is not None
        assert study.predicted_confirmation.rate == study.confirmation.point.rate
        exported = wb.export(study, tmp_path, model=model)
    assert "# workbench: Predicted: " in exported.config_path.read_text()
