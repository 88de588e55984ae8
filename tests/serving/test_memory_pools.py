# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Memory pools of a server, and GPUs as the stand-in for the driver has them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import workbench as wb
from tests.stand_ins.cuda import CudaStandIn
from tests.waiting import wait_until
from workbench.events import EventKind

SAMPLES = Path(__file__).parents[2] / "model_repository"
CELL = """
#include <workbench/backend.hpp>
#include <workbench/backend/memory.hpp>
struct Keeps {
  explicit Keeps(const workbench::Instance& instance) : instance_(instance) {
    const std::string place = instance.model().parameter("place", "GPU");
    const auto type = place == "GPU" ? TRITONSERVER_MEMORY_GPU
                    : place == "CPU" ? TRITONSERVER_MEMORY_CPU : TRITONSERVER_MEMORY_CPU_PINNED;
    memory_ = workbench::Memory(instance.model(), instance.model().parameter("bytes", 0), type, 0);
  }
  void Execute(workbench::Request& request) {
    const auto input = request.input("IN").as<float>();
    auto output = request.output("OUT").Allocate<float>(request.input("IN").shape());
    std::copy(input.begin(), input.end(), output.begin());
  }
  const workbench::Instance& instance_;
  workbench::Memory memory_;
};
WORKBENCH_BACKEND(Keeps)
"""


def config(place: str, byte_size: int, extra: str = "") -> str:
    """A model that keeps that much memory."""
    return f"""
    backend: "keeps" max_batch_size: 4
    input [ {{ name: "IN" data_type: TYPE_FP32 dims: [ 4 ] }} ]
    output [ {{ name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }} ]
    parameters [ {{ key: "place" value {{ string_value: "{place}" }} }},
                 {{ key: "bytes" value {{ string_value: "{byte_size}" }} }} ]
    {extra}
    """


@pytest.fixture(scope="module")
def keeps() -> wb.Library:
    """A backend that takes memory of the server when it starts."""
    return wb.build_backend("keeps", CELL)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., wb.Server]]:
    """Servers with options of the test's choice."""
    servers: list[wb.Server] = []

    def start(**options: object) -> wb.Server:
        servers.append(wb.Server([tmp_path, SAMPLES], name="pools", **options))  # type: ignore[arg-type]
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.mark.usefixtures("keeps")
class TestWithoutAGpu:
    def test_a_group_on_a_gpu_is_refused_and_told_what_runs_here(self, serve: Callable[..., wb.Server]) -> None:
        with pytest.raises(wb.ConfigError, match=r"no GPU(.|\n)*KIND_CPU(.|\n)*%%backend"):
            serve().load("kept", config=config("CPU", 1, "instance_group { kind: KIND_GPU }"))

    def test_kind_auto_runs_on_the_processor(self, serve: Callable[..., wb.Server]) -> None:
        model = serve().load("kept", config=config("CPU", 1, "instance_group { kind: KIND_AUTO }"))
        assert "KIND_CPU" in model.config

    @pytest.mark.parametrize(("place", "words"), [("GPU", "no GPU memory here"), ("CPU_PINNED", "no page-locked")])
    def test_memory_that_is_not_there_is_refused_with_the_reason(
        self, serve: Callable[..., wb.Server], place: str, words: str
    ) -> None:
        server = serve()
        with pytest.raises(wb.WorkbenchError, match=f"{words}.*no CUDA driver.*TRITONSERVER_MEMORY_CPU"):
            server.load("kept", config=config(place, 100))

    def test_the_map_tells_whose_each_block_is(self, serve: Callable[..., wb.Server]) -> None:
        server = serve()
        model = server.load("kept", config=config("CPU", 100_000))
        reply = model.infer({"IN": np.zeros((1, 4), np.float32)})
        memory = server.memory()
        live = [block for block in memory.blocks if not block.is_free]
        assert [(block.model, block.version, block.instance) for block in live] == [("kept", 1, 0)] * 2
        assert sorted(block.tensor for block in live) == ["", "OUT"]
        assert memory.live_byte_sizes()["kept"] >= 100_000
        assert memory.pool("host pool").hit_rate > 0
        assert "host pool" in memory._repr_html_() and "kept v1 instance 0, OUT" in memory._repr_html_()
        del reply
        assert sum(not block.is_free for block in server.memory().blocks) == 1
        server.unload("kept")

    def test_a_full_pool_is_an_error_in_a_strict_server(self, serve: Callable[..., wb.Server]) -> None:
        server = serve(strict_memory=True, pool_byte_size=50_000)
        with pytest.raises(wb.LoadError, match=r"host pool is full: cannot allocate .* of the limit of 50000"):
            server.load("kept", config=config("CPU", 100_000))
        server.load("kept", config=config("CPU", 1000)).infer({"IN": np.zeros((1, 4), np.float32)})
        assert server.memory().pool("host pool").failures >= 1

    def test_a_full_pool_falls_back_with_an_event_and_a_warning(
        self, serve: Callable[..., wb.Server], caplog: pytest.LogCaptureFixture
    ) -> None:
        server = serve(pool_byte_size=50_000)
        with caplog.at_level(logging.WARNING):
            server.load("kept", config=config("CPU", 100_000))
            wait_until(lambda: any("host pool could not give 100000 bytes" in text for text in caplog.messages))
        assert EventKind.FALLBACK in server.events().memory["kind"]
        assert server.memory().pool("host pool").fallbacks == 1

    def test_small_allocations_have_no_event_where_none_is_wanted(self, serve: Callable[..., wb.Server]) -> None:
        server = serve(memory_event_byte_size=10_000)
        model = server.load("kept", config=config("CPU", 20_000))
        model.infer({"IN": np.zeros((1, 4), np.float32)})
        told = server.events().memory
        assert told["start_ns"][told["kind"] == EventKind.ALLOCATED].tolist() == [20_000]

    def test_pools_grow_by_what_they_are_told(self, serve: Callable[..., wb.Server]) -> None:
        server = serve(pool_growth_byte_size=64 * 1024)
        server.load("kept", config=config("CPU", 100))
        assert server.memory().pool("host pool").reserved_byte_size == 64 * 1024


@pytest.mark.usefixtures("keeps")
class TestOnTheStandIn:
    def test_nothing_is_opened_before_a_model_wants_it(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]
    ) -> None:
        server = serve()
        server.load("kept", config=config("CPU", 100, "instance_group { kind: KIND_CPU }"))
        assert cuda_stand_in.calls("cuDevicePrimaryCtxRetain") == 0
        assert [pool.memory_type for pool in server.memory().pools] == ["CPU", "CPU"]

    def test_kind_auto_runs_on_the_gpu(self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]) -> None:
        model = serve().load("kept", config=config("GPU", 1000))
        assert "KIND_GPU" in model.config
        assert model.infer({"IN": np.ones((1, 4), np.float32)})["OUT"].sum() == 4

    def test_memory_comes_from_the_pool_of_its_place_and_goes_back(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]
    ) -> None:
        server = serve(cuda_memory_pool_byte_sizes={0: 1 << 20}, pinned_memory_pool_byte_size=1 << 19)
        server.load("on_gpu", config=config("GPU", 5000))
        server.load("pinned", config=config("CPU_PINNED", 6000))
        memory = server.memory()
        gpu, pinned = memory.pool("GPU 0 pool"), memory.pool("pinned pool")
        assert (gpu.live_byte_size, gpu.limit_byte_size, gpu.memory_type) == (5000, 1 << 20, "GPU")
        assert (pinned.live_byte_size, pinned.limit_byte_size) == (6000, 1 << 19)
        assert "nv_pinned_memory_pool_used_bytes 6000\n" in server.metrics()
        assert {block.model for block in memory.blocks if not block.is_free} == {"on_gpu", "pinned"}
        server.unload("on_gpu")
        server.unload("pinned")
        wait_until(lambda: sum(pool.live_byte_size for pool in server.memory().pools) == 0)

    def test_a_pool_that_is_full_says_so_and_the_others_serve_on(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]
    ) -> None:
        server = serve(cuda_memory_pool_byte_sizes={0: 1 << 20})
        small = server.load("small", config=config("GPU", 1000))
        with pytest.raises(wb.LoadError, match=r"GPU 0 pool is full: cannot allocate .* limit of 1048576"):
            server.load("large", config=config("GPU", 2 << 20))
        assert small.infer({"IN": np.ones((1, 4), np.float32)})["OUT"].sum() == 4
        states = {entry.name: (entry.state, entry.reason) for entry in server.index()}
        assert states["small"][0] == "READY"
        assert states["large"][0] == "UNAVAILABLE"
        assert "limit of 1048576" in states["large"][1]

    def test_a_device_that_is_full_says_how_much_is_free(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]
    ) -> None:
        cuda_stand_in.set(memory=3 << 20)
        server = serve(cuda_memory_pool_byte_sizes={0: 64 << 20})
        with pytest.raises(wb.WorkbenchError, match=r"GPU 0 cannot give .* bytes: 3145728 of 3145728 are free"):
            server.load("large", config=config("GPU", 8 << 20))

    def test_no_model_is_loaded_on_a_gpu_of_which_too_much_is_in_use(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]
    ) -> None:
        cuda_stand_in.set(memory=8 << 20)
        limit = {"": {"model-load-gpu-limit-device-0": "0.25"}}
        server = serve(backend_config=limit, cuda_memory_pool_byte_sizes={0: 6 << 20})
        server.load("first", config=config("GPU", 5 << 20))
        figures = r"of 8388608 bytes of GPU 0 are in use .*the limit for loads is 0.25 of it, 2097152 bytes"
        with pytest.raises(wb.WorkbenchError, match=figures):
            server.load("second", config=config("GPU", 1000))
        server.load("on_cpu", config=config("CPU", 1000, "instance_group { kind: KIND_CPU }"))
        assert server.model("first").infer({"IN": np.ones((1, 4), np.float32)})["OUT"].sum() == 4
        with pytest.raises(wb.InvalidArgumentError, match="0 to 1; got '2'"):
            serve(backend_config={"": {"model-load-gpu-limit-device-0": "2"}})

    @pytest.mark.parametrize("symbol", ["cuMemAlloc_v2", "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2"])
    def test_a_driver_that_fails_makes_the_load_fail(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server], symbol: str
    ) -> None:
        server = serve()
        cuda_stand_in.set(fail=f"{symbol}:0:719")
        with pytest.raises(wb.WorkbenchError, match="failed with CUDA error 719"):
            server.load("kept", config=config("GPU", 1000))
        cuda_stand_in.set(fail="")
        server.load("kept", config=config("GPU", 1000))


WISHES = """
#include <workbench/backend.hpp>
struct Wishes {
  void Execute(workbench::Request& request) {
    const auto input = request.input("IN");
    TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_GPU;
    int64_t id = 0;
    void* out = request.output("OUT").Allocate(TRITONSERVER_TYPE_FP32, input.shape(), input.byte_size(), &type, &id);
    if (type != TRITONSERVER_MEMORY_GPU) input.CopyTo(out);
    request.SetParameter("place", TRITONSERVER_MemoryTypeString(type));
  }
};
WORKBENCH_BACKEND(Wishes)
"""


class TestOutputsThatAreWishedForOnAGpu:
    def place(self, server: wb.Server, outputs_on: Literal["host", "device"] = "device") -> str:
        """Where the output came to lie."""
        wb.build_backend("wishes", WISHES)
        model = server.load("wishes", config=config("GPU", 0).replace("keeps", "wishes"))
        return str(model.infer({"IN": np.ones((1, 4), np.float32)}, outputs_on=outputs_on).parameters["place"])

    def test_lie_there_or_where_the_gpu_reaches_them(
        self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]
    ) -> None:
        assert cuda_stand_in.path
        server = serve()
        assert self.place(server) == "GPU"
        assert self.place(server, "host") == "CPU_PINNED"
        assert EventKind.FALLBACK not in server.events().memory["kind"]

    @pytest.mark.parametrize(
        ("pinned", "place", "fallbacks"), [(1 << 20, "CPU_PINNED", [0, 1]), (0, "CPU", [1, 1])], ids=["pinned", "none"]
    )
    def test_fall_back_with_an_event_for_each_step(
        self,
        cuda_stand_in: CudaStandIn,
        serve: Callable[..., wb.Server],
        pinned: int,
        place: str,
        fallbacks: list[int],
    ) -> None:
        assert cuda_stand_in.path
        server = serve(cuda_memory_pool_byte_sizes={0: 0}, pinned_memory_pool_byte_size=pinned)
        assert self.place(server) == place
        pools = server.memory()
        assert [pools.pool(name).fallbacks for name in ("pinned pool", "GPU 0 pool")] == fallbacks
        assert (server.events().memory["kind"] == EventKind.FALLBACK).sum() == sum(fallbacks)

    def test_are_an_error_in_a_strict_server(self, cuda_stand_in: CudaStandIn, serve: Callable[..., wb.Server]) -> None:
        assert cuda_stand_in.path
        server = serve(cuda_memory_pool_byte_sizes={0: 0}, strict_memory=True)
        with pytest.raises(wb.UnavailableError, match="GPU 0 pool is full"):
            self.place(server)
