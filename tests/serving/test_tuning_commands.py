# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m workbench drive`, `sweep` and `export` on the samples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import workbench as wb
from workbench.config import parse_config
from workbench.terminal import main

SAMPLES = str(Path(__file__).parents[2] / "model_repository")


def test_drive_prints_the_measurement_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["drive", SAMPLES, "identity", "--rate", "200", "--duration", "0.3", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["model"] == "identity"
    assert facts["failed"] == 0
    assert facts["p50_ms"] > 0
    assert status == (0 if facts["verdict"] == "steady" else 2)


def test_drive_goes_to_a_server_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with wb.Server(SAMPLES, name="elsewhere") as server:
        server.load("identity")
        url = f"http://127.0.0.1:{server.http().port}"
        main(["drive", "identity", "--url", url, "--concurrency", "2", "--requests", "50", "--warmup", "0", "--json"])
        facts = json.loads(capsys.readouterr().out)
        assert (facts["model"], facts["failed"], facts["requests"]) == (f"identity at {url}", 0, 50)
        assert main(["drive", "nobody", "--url", url, "--rate", "1"]) == 1


def test_drive_needs_one_place_to_send_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drive", "identity", "--rate", "1"]) == 1
    assert "--url" in capsys.readouterr().err


def test_sweep_prints_the_ranking_and_writes_the_best(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    space = ["--max_batch_size", "4", "8", "--preferred_batch_size", "max", "2"]
    load = ["--rate", "200", "--duration", "0.1", "--slo", "1000"]
    out = str(tmp_path / "tuned")
    assert main(["sweep", SAMPLES, "synthetic", *space, *load, "--strategy", "grid", "--export", out]) == 0
    assert "4 trials" in capsys.readouterr().out
    config = parse_config((tmp_path / "tuned/synthetic/config.pbtxt").read_text())
    assert config.max_batch_size in (4, 8)


def test_a_sweep_in_which_nothing_meets_the_objective_says_so_in_its_status() -> None:
    load = ["--rate", "200", "--duration", "0.1", "--slo", "0.1"]
    assert main(["sweep", SAMPLES, "synthetic", "--max_batch_size", "4", *load]) == 2


def test_export_writes_a_repository(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["export", SAMPLES, "identity", str(tmp_path / "out")]) == 0
    assert "libtriton_identity.so" in capsys.readouterr().out


def test_a_command_on_a_model_that_is_not_there_names_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drive", SAMPLES, "nobody", "--rate", "1"]) == 1
    assert "identity" in capsys.readouterr().err
