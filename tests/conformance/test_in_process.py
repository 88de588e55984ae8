# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The in-process driver gets right outputs, in every mode, from either library."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from benchmarks import in_process

BRIEF = ["--seconds", "0.2", "--warmup-s", "0.1"]
ROWS = [in_process.Row(mode, batching, 8) for mode in in_process.MODES for batching in in_process.MODELS]
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.mode}-{row.batching}")


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> dict[str, in_process.Side]:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    repository = tmp_path_factory.mktemp("repository")
    in_process.write_repository(repository)
    return in_process.sides(in_process.build(), repository)


def _own_core_is_built() -> bool:
    try:
        return importlib.util.find_spec("workbench._native") is not None
    except ImportError:
        return False


def _check(result: in_process.Result, row: in_process.Row) -> None:
    assert result["requests"] > 0
    assert result["mismatches"] == 0
    (statistics,) = result["statistics"]["model_stats"]
    assert statistics["name"] == row.batching
    assert statistics["inference_stats"]["fail"]["count"] == 0
    assert statistics["inference_count"] >= result["requests"]


@every_row
def test_real_library_answers_all_rightly(
    sides: dict[str, in_process.Side], row: in_process.Row, real_wheel: Path
) -> None:
    _check(sides["real"]([*row.arguments(), *BRIEF]), row)


@every_row
@pytest.mark.skipif(not _own_core_is_built(), reason="workbench._native is not built")
def test_own_core_answers_all_rightly(sides: dict[str, in_process.Side], row: in_process.Row) -> None:
    _check(sides["own"]([*row.arguments(), *BRIEF]), row)


def test_open_load_counts_what_it_drops(sides: dict[str, in_process.Side], real_wheel: Path) -> None:
    load = ["--mode", "open", "--rate", "20000", "--in-flight", "1", "--model", "dynamic"]
    result = sides["real"]([*load, *BRIEF])
    assert result["mismatches"] == 0
    assert result["dropped"] > 0
