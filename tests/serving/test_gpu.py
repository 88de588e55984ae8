# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays that enter and leave without a copy, on the host and on a (stand-in) GPU, and what is counted of copies."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.stand_ins.cuda import CudaStandIn
from workbench.tensors import DeviceArray

CELL = """
#include <workbench/backend.hpp>
#include <workbench/backend/gpu.hpp>
struct Copies {
  explicit Copies(const workbench::Instance& instance) : stream_(instance) {}
  void Execute(workbench::Batch& batch) {
    stream_.Run(batch, [&] {
      const float* rows = stream_.Gather<float>(batch, "INPUT0");
      stream_.Scatter<float>(batch, "OUTPUT0", rows, {4});
    });
  }
  workbench::GpuStream stream_;
};
WORKBENCH_BACKEND(Copies)
"""
GATHERS = """
#include <workbench/backend.hpp>
struct Gathers {
  void Execute(workbench::Batch& batch) {
    const auto rows = batch.Gather<float>("INPUT0");
    const auto out = batch.Scatter<float>("OUTPUT0", {4});
    std::copy(rows.begin(), rows.end(), out.begin());
  }
};
WORKBENCH_BACKEND(Gathers)
"""
X = np.arange(8, dtype=np.float32).reshape(2, 4)


def config(backend: str, extra: str = "") -> str:
    """A model that answers with its input."""
    return f"""
    backend: "{backend}" max_batch_size: 8
    input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] }} ]
    output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] }} ]
    {extra}
    """


@pytest.fixture
def on_gpu(cuda_stand_in: CudaStandIn, tmp_path: Path) -> Iterator[wb.Model]:
    """A model of a backend that works on the stand-in."""
    assert cuda_stand_in.path
    wb.build_backend("copies", CELL)
    with wb.Server(tmp_path, name="gpu") as server:
        yield server.load("copies", config=config("copies"))


def copies(model: wb.Model) -> dict[str, int]:
    """Bytes by reason, without zeros."""
    return {reason: count for reason, count in model.statistics().copies.items() if count}


class TestOnTheHost:
    def test_a_contiguous_array_is_not_copied(self, identity: Callable[..., wb.Model]) -> None:
        model = identity()
        assert np.array_equal(model.infer({"INPUT0": X})["OUTPUT0"], X)
        assert copies(model) == {}

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            (np.asfortranarray(X), {"not_contiguous": 32}),
            (X.astype(">f4"), {"converted": 32}),
            (X.tolist(), {"converted": 32}),
        ],
    )
    def test_what_is_copied_is_counted_with_the_reason(
        self, identity: Callable[..., wb.Model], given: Any, expected: dict[str, int]
    ) -> None:
        model = identity()
        assert np.array_equal(model.infer({"INPUT0": given})["OUTPUT0"], X)
        assert copies(model) == expected
        assert next(iter(expected)) in str(model.statistics())

    def test_what_a_backend_gathers_and_scatters_is_counted(self, server: wb.Server) -> None:
        wb.build_backend("gathers", GATHERS)
        extra = "dynamic_batching { max_queue_delay_microseconds: 500000 preferred_batch_size: [ 2 ] }"
        model = server.load("gathers", config=config("gathers", extra))
        streams = [model.stream({"INPUT0": X[:1]}) for _ in range(2)]
        assert all(np.array_equal(next(stream)["OUTPUT0"], X[:1]) for stream in streams)
        assert copies(model) == {"gathered": 32, "scattered": 32}

    @pytest.mark.parametrize("library", ["torch", "jax"])
    def test_tensors_of_other_libraries_enter_and_leave_without_a_copy(
        self, identity: Callable[..., wb.Model], library: str
    ) -> None:
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
        if library == "torch":
            import torch

            given, back = torch.from_numpy(X.copy()), torch.from_dlpack
        else:
            import jax

            given, back = jax.numpy.asarray(X), jax.dlpack.from_dlpack
        model = identity()
        reply = model.infer({"INPUT0": given})["OUTPUT0"]
        assert np.array_equal(np.asarray(back(reply)), X)
        assert copies(model) == {}

    def test_anything_that_speaks_dlpack_or_the_array_interface_is_borrowed(
        self, identity: Callable[..., wb.Model]
    ) -> None:
        class Speaks:
            def __init__(self, array: np.ndarray[Any, Any]) -> None:
                self._array = array

            @property
            def __array_interface__(self) -> Any:
                return self._array.__array_interface__

        class SpeaksDlpack:
            def __dlpack__(self, **_: Any) -> Any:
                return X.__dlpack__()

            def __dlpack_device__(self) -> tuple[int, int]:
                return 1, 0

        model = identity()
        for given in (Speaks(X), SpeaksDlpack()):
            assert np.array_equal(model.infer({"INPUT0": given})["OUTPUT0"], X)
        assert copies(model) == {}

    def test_an_answer_is_handed_on_by_dlpack_without_a_copy(self, identity: Callable[..., wb.Model]) -> None:
        output = identity().infer({"INPUT0": X})["OUTPUT0"]
        assert np.shares_memory(np.from_dlpack(output), output)


class TestOnAGpu:
    def test_numpy_arrays_go_there_and_come_back(self, on_gpu: wb.Model) -> None:
        assert np.array_equal(on_gpu.infer({"INPUT0": X})["OUTPUT0"], X)
        assert copies(on_gpu) == {"host_to_device": 32, "brought_home": 32}

    def test_an_output_that_stays_there_is_an_array_that_others_take(self, on_gpu: wb.Model) -> None:
        output = on_gpu.infer({"INPUT0": X}, outputs_on="device")["OUTPUT0"]
        assert isinstance(output, DeviceArray)
        assert repr(output) == "<DeviceArray FP32[2, 4] on GPU 0>"
        interface = output.__cuda_array_interface__
        assert (interface["shape"], interface["typestr"], interface["strides"]) == ((2, 4), "<f4", None)
        assert output.__dlpack_device__() == (2, 0)
        assert np.array_equal(output.numpy(), X)
        assert np.array_equal(np.asarray(output), X)
        assert copies(on_gpu) == {"host_to_device": 32, "scattered": 32}

    def test_an_array_that_lies_there_enters_without_a_copy(self, on_gpu: wb.Model) -> None:
        there = on_gpu.infer({"INPUT0": X}, outputs_on="device")["OUTPUT0"]
        before = copies(on_gpu)
        again = on_gpu.infer({"INPUT0": there}, outputs_on="device")["OUTPUT0"]
        assert np.array_equal(np.asarray(again), X)
        assert copies(on_gpu)["host_to_device"] == before["host_to_device"]

    def test_a_capsule_keeps_the_memory(self, on_gpu: wb.Model) -> None:
        output: Any = on_gpu.infer({"INPUT0": X}, outputs_on="device")["OUTPUT0"]
        capsule = output.__dlpack__()
        memory = output._memory
        address = memory.address
        del output, memory
        kept = on_gpu.infer({"INPUT0": X}, outputs_on="device")["OUTPUT0"]
        assert kept.__cuda_array_interface__["data"][0] != address
        assert "dltensor" in repr(capsule)
        del capsule

    def test_strides_and_types_that_do_not_fit_are_refused(self, on_gpu: wb.Model) -> None:
        class There:
            def __init__(self, **changes: Any) -> None:
                self.__cuda_array_interface__ = {
                    "shape": (1, 4), "typestr": "<f4", "data": (4096, False), "version": 3, "strides": None, **changes
                }  # fmt: skip

        with pytest.raises(wb.InvalidArgumentError, match=r"contiguous.*strides \(4, 4\)"):
            on_gpu.infer({"INPUT0": There(strides=(4, 4))})
        with pytest.raises(wb.InvalidArgumentError, match="complex64"):
            on_gpu.infer({"INPUT0": There(typestr="<c8")})
