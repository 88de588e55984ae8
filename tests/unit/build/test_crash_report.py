# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A backend that crashes under load takes its process along, and leaves a report for the next one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("workbench._native", reason="no core: make build")

from workbench.build.crash_report import take_crash_reports

SCRIPT = """
import numpy as np, sys, tempfile
import workbench as wb
wb.build_backend("fragile", '''
#include <workbench/backend.hpp>
struct Fragile {
  void Execute(workbench::Request& request) {
    const workbench::Input input = request.input("IN");
    if (*input.as<float>().begin() == 13) {
      *reinterpret_cast<volatile int*>(8) = 1;
    }
    request.output("OUT").Write(input.as<float>(), input.shape());
  }
};
WORKBENCH_BACKEND(Fragile)
''')
with tempfile.TemporaryDirectory() as folder, wb.Server(folder, name="fragile") as server:
    server.load("m", config='''
        backend: "fragile" max_batch_size: 4
        input [ { name: "IN" data_type: TYPE_FP32 dims: [ 1 ] } ]
        output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 1 ] } ]
        instance_group [ { kind: KIND_CPU } ]
    ''')
    model = server.model("m")
    model.infer({"IN": np.full((1, 1), 12, np.float32)})
    model.infer({"IN": np.full((1, 1), 13, np.float32)}, request_id="the last one")
"""


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """The status of a process whose backend crashed, and the cache folder that it used."""
    cache = tmp_path_factory.mktemp("cache")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode, cache


def test_the_crash_is_told_once_with_backend_line_and_request(
    crashed: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, cache = crashed
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    assert status == -11
    (report,) = take_crash_reports()
    assert (report.signal, report.backend, report.model) == ("SIGSEGV", "fragile", "m v1")
    assert report.request_ids == ("the last one",)
    assert report.trace[0].line == 7
    assert "the last one" in str(report)
    assert take_crash_reports() == ()


def test_a_report_of_a_process_that_lives_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "workbench" / "crashes"
    folder.mkdir(parents=True)
    (folder / f"{os.getpid()}.crash").write_text("signal 11\nlibrary /x.so\n")
    assert take_crash_reports() == ()


def test_a_torn_report_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "workbench" / "crashes"
    folder.mkdir(parents=True)
    (folder / "999999999.crash").write_text("sig")
    assert take_crash_reports() == ()
