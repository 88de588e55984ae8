# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`benchmarks/gpu_check.py` says so where there is no GPU, and prints one table."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from workbench.server import gpu_count

SCRIPT = Path(__file__).parents[2] / "benchmarks/gpu_check.py"


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.setattr(sys, "argv", [str(SCRIPT)])
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location("gpu_check", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(gpu_count() > 0, reason="this machine has a GPU")
def test_without_a_gpu_it_says_so_and_checks_nothing(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main() == 2
    told = capsys.readouterr()
    assert "has no GPU" in told.err
    assert told.out == ""


def test_rows_become_one_table(check: ModuleType) -> None:
    assert check.table([("card", "none", ""), ("build", "ready", "1 s")]).splitlines()[2:] == [
        "| card | none |  |",
        "| build | ready | 1 s |",
    ]
