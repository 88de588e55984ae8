# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Importing the package is quick, light, and lives beside other native packages."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

LIMIT_S = 0.3
HEAVY = (
    "IPython", "anywidget", "google.protobuf", "grpc", "ipywidgets", "jupyterlab", "matplotlib", "onnxruntime",
    "pandas", "pyarrow", "rich", "shtab", "tqdm", "tritonclient",
)  # fmt: skip
NEIGHBOURS = ("grpc", "jax", "onnx", "onnxruntime", "torch")

pytestmark = pytest.mark.usefixtures("native_path")


def python(code: str) -> str:
    """Standard output of `code` in a fresh interpreter."""
    environment = dict(os.environ, ORT_DISABLE_TELEMETRY="1")
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120, env=environment
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_import_is_quick() -> None:
    measure = "import time; begin = time.process_time(); import workbench; print(time.process_time() - begin)"
    seconds = sorted(float(python(measure)) for _ in range(5))
    generous = 3 if os.environ.get("CI") else 1
    assert seconds[0] <= LIMIT_S * generous, seconds


def test_import_brings_no_heavy_package() -> None:
    loaded = python("import sys, workbench; print(*sys.modules)").split()
    assert not [name for name in HEAVY if name in loaded]


def test_import_brings_numpy_and_nothing_else_of_others() -> None:
    before = set(python("import sys; print(*sys.modules)").split())
    brought = set(python("import sys, workbench; print(*sys.modules)").split()) - before
    packages = {name.partition(".")[0] for name in brought} - sys.stdlib_module_names
    assert packages == {"numpy", "workbench"}
    assert {name for name in brought if name.startswith("workbench")} == {"workbench", "workbench._native"}


def test_the_package_tells_its_version() -> None:
    command = "import importlib.metadata as m, workbench as w; print(w.__version__ == m.version('workbench-serving'))"
    assert python(command) == "True"


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
@pytest.mark.parametrize("first", ["workbench", "neighbour"])
def test_lives_beside(neighbour: str, first: str) -> None:
    if importlib.util.find_spec(neighbour) is None:
        pytest.skip(f"{neighbour} is not installed")
    own = "workbench._native"  # the package alone opens no shared object
    names = (own, neighbour) if first == "workbench" else (neighbour, own)
    assert python(f"import {names[0]}, {names[1]}; print('both')") == "both"
