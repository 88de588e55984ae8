# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The samples for GPUs: their twins on the processor give what numpy gives; they themselves build everywhere."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import workbench as wb
from model_repository import fetch
from tests.samples.conftest import REPOSITORY
from workbench.build.compiler import probe

MEAN, DEVIATION = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)
INPUTS, HIDDEN, OUTPUTS = 256, 512, 16


@pytest.fixture
def server() -> Iterator[wb.Server]:
    """On the samples; what these need is the core alone."""
    pytest.importorskip("workbench._native", reason="no core: make build")
    with wb.Server(REPOSITORY, name="gpu-samples") as server:
        yield server


def images(rows: int, height: int = 20, width: int = 30) -> NDArray[np.uint8]:
    """Noise."""
    return np.random.default_rng(rows).integers(0, 256, (rows, height, width, 3), dtype=np.uint8)


def normalized(given: NDArray[np.uint8]) -> NDArray[np.float32]:
    """By numpy."""
    return ((given.astype(np.float32) / 255 - MEAN) / DEVIATION).transpose(0, 3, 1, 2)


def weights(rows: int, columns: int, seed: int) -> NDArray[np.float32]:
    """By the formula of mlp_weights.hpp."""
    state, values = seed, []
    for _ in range(rows * columns):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append((state >> 8) / 8388608 - 1)
    return (np.array(values, np.float32) / np.sqrt(np.float32(rows))).reshape(rows, columns)


def test_the_twin_of_normalize_cuda_gives_what_numpy_gives(server: wb.Server) -> None:
    fetch.build(["normalize_cpu"])
    model = server.load("normalize_cpu")
    for rows in (1, 5):
        given = images(rows)
        np.testing.assert_allclose(model.infer({"IMAGES": given})["PIXELS"], normalized(given), rtol=1e-5, atol=1e-5)


def test_the_twin_of_mlp_cuda_gives_what_numpy_gives(server: wb.Server) -> None:
    fetch.build(["mlp_cpu"])
    x = np.random.default_rng(1).standard_normal((7, INPUTS), np.float32)
    expected = np.maximum(x @ weights(INPUTS, HIDDEN, 1), 0) @ weights(HIDDEN, OUTPUTS, 2)
    found = server.load("mlp_cpu").infer({"X": x})["Y"]
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


@pytest.mark.skipif(probe("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize("name", ["normalize_cuda", "mlp_cuda"])
def test_a_cuda_sample_builds_and_needs_nothing_that_a_machine_may_lack(name: str) -> None:
    library = wb.build_backend(
        name,
        fetch.source_of(name).read_text(),
        language="cuda",
        files=fetch.headers(name),
        flags=["-arch=sm_80"],  # of one GPU: a fifth of the time
    )  # which also opens it in a child process
    defined = subprocess.run(["nm", "-D", "--defined-only", library.path], capture_output=True, text=True, check=True)
    exported = {line.split()[-1] for line in defined.stdout.splitlines()}
    assert "TRITONBACKEND_ModelInstanceExecute" in exported
    assert {symbol for symbol in exported if not symbol.startswith("TRITONBACKEND_")} == set()
    needed = subprocess.run(["readelf", "-d", library.path], capture_output=True, text=True, check=True).stdout
    assert not [word for word in ("libcuda", "cudart", "cublas", "tritonserver") if word in needed]


@pytest.mark.parametrize("name", ["normalize_cuda", "mlp_cuda"])
def test_a_machine_without_a_gpu_is_told_where_the_sample_runs(server: wb.Server, name: str) -> None:
    from workbench.server import gpu_count

    if gpu_count():
        pytest.skip("this machine has a GPU")
    with pytest.raises(wb.WorkbenchError, match=r"this machine has no GPU(.|\n)*KIND_CPU"):
        server.load(name)
