# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Situations of model repositories are answered through the C interface as the original answers them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import peer

pytest.importorskip("workbench._native", reason="no core: make build")

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("repository_calls.py")


def answers(
    library: str, situation: str, folder: Path, backends: Path, environment: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """What one library answers in a process of its own."""
    folder.mkdir()
    command = [sys.executable, str(SCRIPT), library, str(folder), str(backends), situation]
    found = {**environment, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=found, capture_output=True, text=True, check=True, timeout=100)
    told: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return told


def answers_of_the_survivor(situation: str, folder: Path, backends: Path) -> dict[str, Any]:
    """What the real library answers in the first of ten processes that it does not crash."""
    for attempt in range(10):
        try:
            own_folder = folder / f"real{attempt}"
            return answers(str(peer.core_library()), situation, own_folder, backends, peer.environment())
        except subprocess.CalledProcessError as error:
            if error.returncode != -signal.SIGSEGV:
                raise
    pytest.fail("the real library crashed ten times")


def differences(situation: str, folder: Path, backends: Path) -> dict[str, tuple[Any, Any]]:
    """What the two libraries answer differently, by the call."""
    own = answers("own", situation, folder / "own", backends)
    real = answers(str(peer.core_library()), situation, folder / "real", backends, peer.environment())
    assert own.keys() == real.keys()
    return {call: (own[call], real[call]) for call in real if own[call] != real[call]}


@pytest.mark.parametrize(
    "situation", ["refused", "unloaded", "twins", "retries", "config_names", "options", "namespaces"]
)
def test_situation_is_answered_alike(situation: str, tmp_path: Path, test_backends: Path, real_wheel: Path) -> None:
    assert differences(situation, tmp_path, test_backends) == {}


def test_warm_up_is_done_counted_and_refused_alike(tmp_path: Path, test_backends: Path, real_wheel: Path) -> None:
    assert differences("warmups", tmp_path, test_backends) == {
        "load file_elsewhere": ("Invalid argument", None),
        "executions of file_elsewhere": ("Invalid argument", [1, 1, 1]),
        "load large_batch": ("Invalid argument", None),
        "executions of large_batch": ("Invalid argument", [1, 9, 9]),
    }


def test_warm_up_that_fails_refuses_the_model_alike(tmp_path: Path, test_backends: Path, real_wheel: Path) -> None:
    # The real library lets go of a failed warm-up's instance while its response may still be on its way: one
    # process in seven dies of it.
    own = answers("own", "failed_warmups", tmp_path / "own", test_backends)
    assert own == answers_of_the_survivor("failed_warmups", tmp_path, test_backends)
