# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sweeps over models of the real core."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.config import parse_config
from workbench.errors import InvalidArgumentError
from workbench.sweep import SweepInterruptedError, candidate_of

SPACE = {"max_batch_size": [2, 8], "max_queue_delay_microseconds": [0, 1000], "count": [1, 2]}
WORKLOAD = wb.Workload(rate=500, duration_s=0.1)


def sweep(model: Any, **options: Any) -> Any:
    options = {"space": SPACE, "workload": WORKLOAD, "strategy": "grid", "repeats": 0, "progress": False} | options
    return wb.sweep(model, **options)


def test_every_candidate_is_measured_as_it_says(synthetic: Any) -> None:
    study = sweep(synthetic(1, extra="dynamic_batching { }"))
    assert len(study.trials) == 8
    for trial in study.trials:
        assert candidate_of(parse_config(trial.config)) == trial.candidate
        assert trial.point.throughput > 0


def test_the_model_has_its_own_configuration_afterwards(synthetic: Any) -> None:
    model = synthetic(1, extra="dynamic_batching { max_queue_delay_microseconds: 77 preferred_batch_size: [ 4 ] }")
    before = model.config
    sweep(model)
    assert model.config == before


def test_a_model_without_dynamic_batching_has_none_afterwards(synthetic: Any) -> None:
    model = synthetic(1)
    before = model.config
    study = sweep(model, space={"max_queue_delay_microseconds": [0, 100]})
    assert all("dynamic_batching" in trial.config for trial in study.trials)
    assert model.config == before


def test_no_request_is_lost_while_a_sweep_changes_the_model(synthetic: Any) -> None:
    model = synthetic(1, extra="dynamic_batching { }")
    others: list[Any] = []
    driving = threading.Thread(
        target=lambda: others.append(wb.drive(model, rate=200, duration_s=1.5, warmup=0.0, repeats=0))
    )
    driving.start()
    sweep(model)
    driving.join()
    assert others[0].errors == {}
    assert others[0].unanswered == 0


def test_the_stop_button_leaves_the_model_as_it_was(synthetic: Any) -> None:
    model = synthetic(1, extra="dynamic_batching { }")
    before = model.config

    def stop(done: float, _total: float, _words: str) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(SweepInterruptedError) as stopped:
        sweep(model, progress=stop)
    assert len(stopped.value.study.trials) == 3
    for thread in threading.enumerate():
        if thread.name == "wb-sweep-restore":
            thread.join()
    assert model.config == before


def test_a_sweep_goes_on_from_its_checkpoint(synthetic: Any, tmp_path: Path) -> None:
    model = synthetic(1, extra="dynamic_batching { }")
    first = sweep(model, checkpoint=tmp_path / "sweep.json")
    count = model.statistics().success.count
    again = sweep(model, checkpoint=tmp_path / "sweep.json")
    assert model.statistics().success.count == count
    assert [trial.score for trial in again.trials] == [trial.score for trial in first.trials]


def test_sequence_models_are_not_swept(identity: Any) -> None:
    model = identity(extra="max_batch_size: 4 sequence_batching { }")
    with pytest.raises(InvalidArgumentError, match="sequence_batching"):
        sweep(model)


def test_the_best_is_exported_with_its_backend(synthetic: Any, tmp_path: Path) -> None:
    model = synthetic(1, extra="dynamic_batching { }")
    study = sweep(model)
    exported = wb.export(study, tmp_path / "tuned", model=model)
    assert candidate_of(parse_config(exported.config_path.read_text())) == study.best.candidate
    with wb.Server(tmp_path / "tuned", name="tuned") as server:
        assert server.load("slow").library.parent == (tmp_path / "tuned" / "slow").resolve()
