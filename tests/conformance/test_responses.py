# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sender in the process hears of a request, whatever the order of responses and final flag."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import peer
from tests.flow import DECOUPLED, build_data_backend, write_repository

pytest.importorskip("workbench._native", reason="no core: make build")

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "response_calls.py"
TEXT = """
backend: "answers" instance_group { kind: KIND_CPU }
input { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] }
output { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }
"""
FINAL = 1
NO_RESPONSE = None


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    repository = write_repository(tmp_path_factory.mktemp("models"), {"plain": TEXT, "decoupled": TEXT + DECOUPLED})
    return repository, build_data_backend("answers", tmp_path_factory.mktemp("backends"))


def heard(library: str, folders: tuple[Path, Path], environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    command = [sys.executable, str(SCRIPT), library, *map(str, folders)]
    found = {**environment, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=found, capture_output=True, text=True, check=True, timeout=100)
    answers: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answers


@pytest.fixture(scope="module")
def ours(folders: tuple[Path, Path]) -> dict[str, Any]:
    return heard("own", folders)


@pytest.mark.parametrize("model", ["plain", "decoupled"])
@pytest.mark.parametrize(
    ("pattern", "responses"),
    [
        ("31", [[0, 1], [FINAL, NO_RESPONSE]]),
        ("2", [[FINAL, 1]]),
        ("3", [[FINAL, NO_RESPONSE]]),
        ("3111", [[0, 1], [0, 1], [0, 1], [FINAL, NO_RESPONSE]]),
        ("4", [[FINAL, 0]]),
    ],
)
def test_flags_come_as_the_backend_sent_them(
    ours: dict[str, Any], model: str, pattern: str, responses: list[list[int | None]]
) -> None:
    assert ours[model][pattern] == {"response": responses, "release": [1]}


def test_the_original_tells_the_same(ours: dict[str, Any], folders: tuple[Path, Path], real_wheel: Path) -> None:
    assert ours == heard(str(peer.core_library()), folders, peer.environment())
