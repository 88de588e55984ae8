# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from workbench.terminal import main
from workbench.terminal.doctor import examine
from workbench.testing import FakeEngine, write_model


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("workbench.server.server.new_engine", lambda _: FakeEngine())
    monkeypatch.setattr("workbench.server.builds.preflight.try_model", lambda *_, **__: None)
    (tmp_path / "backends" / "echo").mkdir(parents=True)
    (tmp_path / "backends" / "echo" / "libtriton_echo.so").touch()
    write_model(tmp_path / "models", "m")
    return tmp_path / "models"


def test_serve_once_loads_and_shows_every_model(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(repository), "--backends", str(repository.parent / "backends"), "--once"]) == 0
    assert "READY" in capsys.readouterr().out


def test_repository_that_can_not_be_served_ends_with_a_message(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(repository), "--once"]) == 1
    assert "no backend 'echo'" in capsys.readouterr().err
    assert main(["serve", "/nowhere", "--once"]) == 1


def test_unknown_command_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["frobnicate"])
    assert "doctor" in capsys.readouterr().err


def test_doctor_examines_compilers_gpus_and_packages(capsys: pytest.CaptureFixture[str]) -> None:
    subjects = [finding.subject for finding in examine()]
    assert {"Python", "core", "CUDA compiler", "GPU", "pandas"} <= set(subjects)
    main(["doctor"])
    assert capsys.readouterr().out.count("\n") == len(subjects)
