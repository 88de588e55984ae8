# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the stand-in can not tell: kernels, cuBLAS, real streams and memory."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from model_repository import fetch
from tests.samples.test_gpu_samples import images
from workbench.tensors import DeviceArray

PAIRS = [("normalize", "IMAGES", "PIXELS"), ("mlp", "X", "Y")]
FILLS = """
#include <cuda_runtime.h>
#include <workbench/backend.hpp>
#include <workbench/backend/gpu.hpp>
__global__ void Add(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] + 1;
}
struct Adds {
  explicit Adds(const workbench::Instance& instance) : stream_(instance), device_(instance.device_id()) {}
  void Execute(workbench::Batch& batch) {
    cudaSetDevice(device_);
    stream_.Run(batch, [&] {
      const int count = static_cast<int>(batch.rows()) * 4;
      const float* from = stream_.Gather<float>(batch, "IN");
      float* to = stream_.Take<float>(count);
      Add<<<(count + 255) / 256, 256, 0, static_cast<cudaStream_t>(stream_.handle())>>>(from, to, count);
      stream_.Scatter<float>(batch, "OUT", to, {4});
    });
  }
  workbench::GpuStream stream_;
  int device_;
};
WORKBENCH_BACKEND(Adds)
"""
CONFIG = """
backend: "adds" max_batch_size: 64 dynamic_batching { }
input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] } ]
instance_group [ { count: 2 kind: KIND_GPU } ]
"""
X = np.arange(8, dtype=np.float32).reshape(2, 4)


def given(name: str, rows: int) -> Any:
    """An input of a sample."""
    return images(rows) if name == "normalize" else np.random.default_rng(rows).standard_normal((rows, 256), np.float32)


@pytest.fixture
def adds(server: wb.Server) -> wb.Model:
    """A cell's kernel, on two instances."""
    wb.build_backend("adds", FILLS, language="cuda", flags=["-arch=native"])
    return server.load("adds", config=CONFIG)


@pytest.mark.parametrize(("name", "source", "result"), PAIRS)
def test_a_sample_gives_what_its_twin_gives(server: wb.Server, name: str, source: str, result: str) -> None:
    names = [f"{name}_cpu", f"{name}_cuda"]
    fetch.build(names)
    on_cpu, on_gpu = (server.load(each) for each in names)
    for rows in (1, 3, 32):
        x = given(name, rows)
        expected = on_cpu.infer({source: x})[result]
        np.testing.assert_allclose(on_gpu.infer({source: x})[result], expected, rtol=1e-3, atol=1e-4)
        there = on_gpu.infer({source: x}, outputs_on="device")[result]
        assert isinstance(there, DeviceArray)
        np.testing.assert_allclose(there.numpy(), expected, rtol=1e-3, atol=1e-4)


def test_a_cell_of_cuda_runs_and_is_replaced(server: wb.Server, adds: wb.Model) -> None:
    assert np.array_equal(adds.infer({"IN": X})["OUT"], X + 1)
    wb.build_backend("adds", FILLS.replace("+ 1;", "+ 2;"), language="cuda", flags=["-arch=native"])
    assert np.array_equal(server.model("adds").infer({"IN": X})["OUT"], X + 2)


def test_many_senders_get_their_own_rows(adds: wb.Model) -> None:
    wrong: list[int] = []

    def send(number: int) -> None:
        x = np.full((1, 4), number, np.float32)
        wrong.extend(1 for _ in range(200) if not np.array_equal(adds.infer({"IN": x})["OUT"], x + 1))

    threads = [threading.Thread(target=send, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert adds.statistics().mean_batch_size > 1


def test_arrays_that_lie_there_enter_and_leave_without_a_copy(adds: wb.Model) -> None:
    there = adds.infer({"IN": X}, outputs_on="device")["OUT"]
    copied = adds.statistics().copies["host_to_device"]
    again = adds.infer({"IN": there}, outputs_on="device")["OUT"]
    assert np.array_equal(np.asarray(again), X + 2)
    assert adds.statistics().copies["host_to_device"] == copied


@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_other_libraries_take_and_give_arrays(adds: wb.Model, library: str) -> None:
    module = pytest.importorskip(library)
    if library == "torch" and not module.cuda.is_available():
        pytest.skip("this PyTorch is built for the processor")
    array = module.asarray(X) if library == "cupy" else module.from_numpy(X.copy()).cuda()
    there = adds.infer({"IN": array}, outputs_on="device")["OUT"]
    back = module.from_dlpack(there)
    assert np.array_equal(np.asarray(back.get() if library == "cupy" else back.cpu()), X + 1)


def test_memory_that_the_gpu_does_not_have_is_refused_with_the_figures(tmp_path: Path) -> None:
    wanted = "device_(0), held_(instance.model(), 1ull << 40, TRITONSERVER_MEMORY_GPU, 0) {}"
    cell = FILLS.replace("device_(instance.device_id()) {}", wanted)
    cell = cell.replace("int device_;", "int device_; workbench::Memory held_;")
    wb.build_backend("greedy", cell, language="cuda", flags=["-arch=native"])
    with (
        wb.Server(tmp_path, name="greedy", cuda_memory_pool_byte_sizes={0: 1 << 50}) as server,
        pytest.raises(wb.WorkbenchError, match=r"GPU 0 cannot give .* are free"),
    ):
        server.load("greedy", config=CONFIG.replace("adds", "greedy"))


def test_unloading_while_the_gpu_works_loses_nothing(server: wb.Server, adds: wb.Model) -> None:
    streams = [adds.stream({"IN": X}) for _ in range(100)]
    server.unload("adds")
    assert all(np.array_equal(next(stream)["OUT"], X + 1) for stream in streams)
    pools = {pool.name: pool for pool in server.memory().pools}
    assert pools["GPU 0 pool"].live_byte_size == 0
