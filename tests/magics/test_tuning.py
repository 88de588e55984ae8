# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from workbench.calibrate import save_calibration
from workbench.load import Sequences, Workload
from workbench.server import Server
from workbench.simulate import Calibration
from workbench.sweep import SearchSpace


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What each magic's one call was given, instead of the call."""
    seen: dict[str, Any] = {}

    def instead_of(module: str, name: str) -> None:
        def call(*arguments: Any, **options: Any) -> Any:
            seen[name] = (arguments, options)
            return name

        monkeypatch.setattr(importlib.import_module(f"workbench.magics.{module}"), name, call)

    instead_of("drive", "run_drive")
    instead_of("sweep", "run_sweep")
    instead_of("export", "write_repository")
    return seen


def test_drive_measures_with_the_options_of_its_line(shell: Any, server: Server, called: dict[str, Any]) -> None:
    server.load("m")
    assert shell.run_line_magic("drive", "m --rate 2000 --arrivals gamma --duration 3 INPUT0=[[1,2]]") == "run_drive"
    (model,), options = called["run_drive"]
    assert model.name == "m"
    assert options["workload"] == Workload(rate=2000, arrivals="gamma", duration_s=3)
    assert options["inputs"] == {"INPUT0": [[1, 2]]}


def test_drive_goes_to_a_server_elsewhere(shell: Any, called: dict[str, Any]) -> None:
    shell.run_line_magic("drive", "m --url http://host:9000 --concurrency 8 --sequences 2 --priority 1")
    (model,), options = called["run_drive"]
    assert str(model) == "m at http://host:9000"
    assert options["sequences"] == Sequences(2)
    assert options["priority"] == 1


def test_drive_without_inputs_makes_them_up(shell: Any, server: Server, called: dict[str, Any]) -> None:
    server.load("m")
    shell.run_line_magic("drive", "m --concurrency 8")
    assert called["run_drive"][1]["inputs"] is None


def test_sweep_searches_the_space_of_its_line(shell: Any, server: Server, called: dict[str, Any]) -> None:
    server.load("m")
    line = "m --max_batch_size 1 8 --preferred_batch_size max 4,8 --count 1 2 --rate 500 --slo 5 --duration 1"
    shell.run_line_magic("sweep", line)
    options = called["run_sweep"][1]
    assert options["space"] == SearchSpace(max_batch_size=(1, 8), preferred_batch_size=((), (4, 8)), count=(1, 2))
    assert options["workload"] == Workload(rate=500, duration_s=1)
    assert options["slo_p99_ms"] == 5


def test_sweep_shows_itself_live_and_writes_its_report(
    shell: Any, server: Server, called: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.load("m")
    written: list[Any] = []
    monkeypatch.setattr("workbench.views.sweep_report.report", lambda *given: written.append(given))
    shell.run_line_magic(
        "sweep", "m --count 1 2 --rate 5 --live --report out.html --least 10 --dynamic_batching on off"
    )
    options = called["run_sweep"][1]
    assert options["watch"].__self__.rows == []
    assert options["constraints"].throughput == 10
    assert options["space"].dynamic_batching == (True, False)
    assert written == [("run_sweep", "out.html")]


def test_a_sweep_that_is_told_an_objective_alone_leaves_the_rest_to_the_calibration(
    shell: Any, server: Server, called: dict[str, Any]
) -> None:
    server.load("m")
    shell.run_line_magic("sweep", "m --slo 5")
    options = called["run_sweep"][1]
    assert (options["space"], options["workload"], options["slo_p99_ms"]) == ("auto", "auto", 5)


def test_sweep_takes_its_space_from_a_file_of_model_analyzer(
    shell: Any, server: Server, called: dict[str, Any], tmp_path: Path
) -> None:
    server.load("m")
    (tmp_path / "c.yaml").write_text("profile_models: { m: { model_config_parameters: { max_batch_size: [2, 4] } } }")
    shell.run_line_magic("sweep", f"m --concurrency 4 --model_analyzer {tmp_path / 'c.yaml'}")
    assert called["run_sweep"][1]["space"] == SearchSpace(max_batch_size=(2, 4))


def test_export_takes_a_model_by_name(shell: Any, server: Server, called: dict[str, Any]) -> None:
    server.load("m")
    shell.run_line_magic("export", "m out/tuned")
    (model, folder), _ = called["write_repository"]
    assert (model.name, folder) == ("m", "out/tuned")


def test_simulate_asks_what_if(shell: Any, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: dict[str, Any] = {}
    monkeypatch.setattr(
        importlib.import_module("workbench.magics.simulate"),
        "ask",
        lambda model, **given: seen.update(given, model=model),
    )
    server.load("m")
    path = save_calibration(Calibration(service_ns={1: 1e6}), tmp_path / "m.json")
    shell.run_line_magic("simulate", f"m --rate 500 --preferred_batch_size 4,8 --count 2 --calibration {path}")
    assert seen["model"].name == "m"
    assert seen["rate"] == 500
    assert (seen["preferred_batch_size"], seen["count"]) == ((4, 8), 2)
    assert seen["calibration"].service_ns == {1: 1e6}
    assert "max_batch_size" not in seen
