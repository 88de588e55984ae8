# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A server that is recorded, and its recording in the views."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.events import read_recording

pytest.importorskip("workbench._native", exc_type=ImportError)
pytest.importorskip("pyarrow")

REPOSITORY = Path(__file__).parents[2] / "model_repository"
INPUTS = {"INPUT0": np.zeros((1, 16), np.float32)}
CRASH = f"""
import os, sys, time
import numpy as np
import workbench as wb
from workbench.events import read_recording

server = wb.Server({str(REPOSITORY)!r}, name="crash")
model = server.load("synthetic")
server.record(sys.argv[1])
for _ in range(50):
    model.infer({{"INPUT0": np.zeros((1, 16), np.float32)}})
while len(read_recording(sys.argv[1]).columns().requests) < 50:
    time.sleep(0.05)
os._exit(9)
"""


def test_a_replay_shows_what_the_server_did(tmp_path: Path) -> None:
    with wb.Server(REPOSITORY, name="recorded") as server:
        model = server.load("synthetic")
        with server.record(tmp_path / "run.wbr"):
            replies = [model.infer(INPUTS) for _ in range(20)]
    run = wb.replay(tmp_path / "run.wbr", objective_p99_ms=5)
    assert set(run.to_frame()["id"]) == {reply.serial for reply in replies}
    view = run.view()
    assert (view.facts.name, view.facts.objective_p99_ms, view.totals.latency.count) == ("synthetic", 5, 20)
    assert run.view().sentence.startswith("Requests spend")


def test_a_crash_leaves_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "run.wbr"
    done = subprocess.run([sys.executable, "-c", CRASH, str(path)], timeout=60, check=False)
    assert done.returncode == 9
    recording = read_recording(path)
    assert len(recording.columns().requests) == 50
    assert not recording.is_complete
