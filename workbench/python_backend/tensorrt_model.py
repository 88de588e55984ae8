# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `tensorrt`: plans (`model.plan`), through TensorRT's wheel; PyTorch's holds the memory on the GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.errors import InvalidArgumentError, MissingExtraError
from workbench.python_backend.batching import Arrays, ModelSpec, execute
from workbench.python_backend.request import InferenceRequest
from workbench.python_backend.response import InferenceResponse


class TritonPythonModel:
    """One instance: an execution context of a plan."""

    def initialize(self, args: Mapping[str, str]) -> None:
        """Read the plan."""
        self._tensorrt, self._torch = _import_libraries()
        if not self._torch.cuda.is_available():
            raise InvalidArgumentError(
                "backend tensorrt needs an NVIDIA GPU and its driver, and there is none here: serve the ONNX model by "
                "backend onnxruntime on KIND_CPU"
            )
        self._spec = ModelSpec.of(args)
        self._device = f"cuda:{args['model_instance_device_id']}"
        self._engine = self._read(Path(self._spec.folder) / "model.plan")
        self._context = self._engine.create_execution_context()
        self._stream = self._torch.cuda.Stream(self._device)

    def execute(self, requests: Sequence[InferenceRequest]) -> list[InferenceResponse]:
        """Answer the requests of a batch by one execution."""
        return execute(requests, self._spec, self._run)

    def _read(self, file: Path) -> Any:
        if not file.is_file():
            raise InvalidArgumentError(f"no file {file}: a TensorRT model is a plan of that name")
        self._log = self._tensorrt.Logger(self._tensorrt.Logger.WARNING)
        engine = self._tensorrt.Runtime(self._log).deserialize_cuda_engine(file.read_bytes())
        if engine is None:
            version = self._tensorrt.__version__
            raise InvalidArgumentError(
                f"{file} is no plan for TensorRT {version} on this GPU: a plan is for one version and one kind of GPU"
            )
        return engine

    def _run(self, arrays: Arrays) -> Arrays:
        torch = self._torch
        with torch.cuda.stream(self._stream):
            tensors = {name: torch.from_numpy(np.array(array)).to(self._device) for name, array in arrays.items()}
            for name, tensor in tensors.items():
                self._context.set_input_shape(name, tuple(tensor.shape))
                self._context.set_tensor_address(name, tensor.data_ptr())
            outputs = {output.name: self._output(output.name) for output in self._spec.outputs}
            if not self._context.execute_async_v3(self._stream.cuda_stream):
                raise InvalidArgumentError(f"the plan can not be executed with {_shapes(arrays)}")
            return {name: tensor.cpu().numpy() for name, tensor in outputs.items()}

    def _output(self, name: str) -> Any:
        kind = self._tensorrt.nptype(self._engine.get_tensor_dtype(name))
        dtype = self._torch.from_numpy(np.empty(0, kind)).dtype
        tensor = self._torch.empty(tuple(self._context.get_tensor_shape(name)), dtype=dtype, device=self._device)
        self._context.set_tensor_address(name, tensor.data_ptr())
        return tensor


def _shapes(arrays: Arrays) -> str:
    return ", ".join(f"{name} {list(array.shape)}" for name, array in arrays.items())


def _import_libraries() -> tuple[Any, Any]:
    try:
        import tensorrt
        import torch
    except ImportError as exc:
        raise MissingExtraError("backend tensorrt", extra="tensorrt") from exc
    return tensorrt, torch
