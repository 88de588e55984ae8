# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backends built with checks: a model's first load is tried under them, and the kernel never loads that object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.build.compiler import probe
from workbench.build.sanitizers import runtime
from workbench.errors import PreflightError

pytest.importorskip("workbench._native", reason="no core: make build")
GCC = probe("g++")
pytestmark = pytest.mark.skipif(GCC is None or not runtime(GCC), reason="g++ has no address checks here")

SUMS = """
#include <vector>
#include <workbench/backend.hpp>

struct Sums {
  void Execute(workbench::Request& request) {
    const workbench::Input input = request.input("X");
    std::vector<float> sums(input.as<float>().begin(), input.as<float>().end());
    for (size_t i = 0; i + %d < sums.size(); ++i) sums[i] += sums[i + 1];
    request.output("Y").Write(sums, input.shape());
  }
};
WORKBENCH_BACKEND(Sums)
"""
CONFIG = """
    name: "sums" backend: "sums" max_batch_size: 4
    input [ { name: "X" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "Y" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name="sanitized") as made:
        yield made


def test_a_read_past_the_end_is_found_when_the_model_is_loaded(server: wb.Server) -> None:
    wb.build_backend("sums", SUMS % 0, sanitize=True, compiler="g++")
    with pytest.raises(PreflightError, match="heap-buffer-overflow") as caught:
        server.load("sums", config=CONFIG)
    assert caught.value.cell_line == 9


def test_a_sound_backend_serves_from_the_object_without_checks(server: wb.Server) -> None:
    library = wb.build_backend("sums", SUMS % 1, sanitize=True, compiler="g++")
    model = server.load("sums", config=CONFIG)
    np.testing.assert_array_equal(model.infer({"X": [[1, 2, 3, 4]]})["Y"], [[3, 5, 7, 4]])
    assert model.library == library.path
