# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A little fuzzing of what reads bytes of clients, under sanitizers; `make fuzz` does more of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tools.fuzz import ROOT, SEEDS, fuzz

BUILD_LIMIT_S = 600
SECONDS = 1
"""For each target, beside its seeds."""


@pytest.fixture(scope="module")
def binaries() -> Path:
    if shutil.which("clang++") is None:
        pytest.skip("clang++ is not installed; it has the fuzzer")
    build = ROOT / "build/fuzz"
    for command in (["cmake", "--preset", "fuzz"], ["cmake", "--build", str(build), "--target", "wb_fuzz"]):
        done = subprocess.run(
            command, cwd=ROOT / "native", capture_output=True, text=True, timeout=BUILD_LIMIT_S, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return build / "fuzz"


@pytest.mark.parametrize("target", SEEDS)
def test_nothing_breaks_within_a_short_run(target: str, binaries: Path, tmp_path: Path) -> None:
    assert fuzz(target, seconds=SECONDS, binaries=binaries, folder=tmp_path) == 0
