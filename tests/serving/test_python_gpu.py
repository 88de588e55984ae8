# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Python models with instances of KIND_GPU: what lies on a (stand-in) GPU reaches them as arrays of the host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.python_models import BATCHED, DOUBLE, Load, body, loader, parameter
from tests.stand_ins.cuda import CudaStandIn
from workbench.tensors import DeviceArray

pytest.importorskip("workbench._native", reason="no core: make build")

X = np.arange(8, dtype=np.float32).reshape(2, 4)
ON_GPU = BATCHED + "\ninstance_group [ { count: 1 kind: KIND_GPU } ]\n"
BACKEND = Path(__file__).parents[2] / "native/src/testing/gpu_backend.cc"


@pytest.fixture
def server(cuda_stand_in: CudaStandIn, tmp_path: Path) -> Iterator[wb.Server]:
    assert cuda_stand_in.path
    with wb.Server(tmp_path, name="python-gpu") as server:
        yield server


@pytest.fixture
def load(isolation: str, server: wb.Server, tmp_path: Path) -> Load:
    return loader(server, tmp_path, isolation, config=ON_GPU)


@pytest.fixture
def there(server: wb.Server) -> DeviceArray:
    """X in the GPU's memory."""
    wb.build_backend("device_copy", BACKEND.read_text())
    dims = "data_type: TYPE_FP32 dims: [ 4 ]"
    config = f'backend: "device_copy" max_batch_size: 8 input {{ name: "IN" {dims} }} output {{ name: "OUT" {dims} }}'
    output: Any = server.load("device_copy", config=config).infer({"IN": X}, outputs_on="device")["OUT"]
    assert isinstance(output, DeviceArray)
    return output


def copies(model: Any) -> dict[str, int]:
    return {reason: count for reason, count in model.statistics().copies.items() if count}


@pytest.mark.parametrize("forced", ["", "yes", "no"])
def test_inputs_of_a_gpu_are_copied_and_the_copy_is_counted(load: Load, there: DeviceArray, forced: str) -> None:
    told = parameter("FORCE_CPU_ONLY_INPUT_TENSORS", forced) if forced else ""
    model = load(body("assert request.inputs()[0].is_cpu()\nresponses.append(answer(x * 2))"), ON_GPU + told)
    np.testing.assert_array_equal(model.infer({"IN": there})["OUT"], X * 2)
    assert copies(model)["device_to_host"] == X.nbytes


def test_inputs_of_the_host_stay_there(load: Load) -> None:
    model = load(DOUBLE)
    np.testing.assert_array_equal(model.infer({"IN": X})["OUT"], X * 2)
    assert "device_to_host" not in copies(model)


def test_arrays_of_a_gpu_that_a_model_answers_with_are_copied(load: Load) -> None:
    code = body(
        """
        class OnGpu:
            __cuda_array_interface__ = {"shape": x.shape, "typestr": "<f4", "data": (4096, False), "version": 3}
            def __dlpack_device__(self): return (2, 0)
            def get(self): return x * 3
        tensor = pb_utils.Tensor.from_dlpack("OUT", OnGpu())
        assert tensor.is_cpu() and tensor.as_numpy()[0, 1] == x[0, 1] * 3
        responses.append(pb_utils.InferenceResponse([tensor]))
        """
    )
    np.testing.assert_array_equal(load(code).infer({"IN": X})["OUT"], X * 3)


def test_one_that_can_not_be_copied_is_told(load: Load) -> None:
    code = body(
        """
        class OnGpu:
            def __dlpack_device__(self): return (2, 0)
        responses.append(pb_utils.InferenceResponse([pb_utils.Tensor.from_dlpack("OUT", OnGpu())]))
        """
    )
    with pytest.raises(wb.WorkbenchError, match="tensor 'OUT': this OnGpu of a GPU has no method"):
        load(code).infer({"IN": X})
