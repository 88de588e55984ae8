# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backend `pytorch`: TorchScript programs (`model.pt`) and exported ones (`model.pt2`).

Inputs go in the configuration's order, or where names end in `__<number>` by that number; outputs come in their order,
or by name where the program returns a dict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError, MissingExtraError
from workbench.python_backend.batching import Arrays, ModelSpec, TensorSpec, execute, named_outputs
from workbench.python_backend.request import InferenceRequest
from workbench.python_backend.response import InferenceResponse

_NUMBERED: Final = re.compile(r"__(\d+)$")
_FILES: Final = ("model.pt", "model.pt2")


class TritonPythonModel:
    """One instance of a program."""

    def initialize(self, args: Mapping[str, str]) -> None:
        """Read the program."""
        self._torch = _import_torch()
        self._spec = ModelSpec.of(args)
        for tensor in (*self._spec.inputs, *self._spec.outputs):
            if tensor.datatype == "BYTES":
                raise InvalidArgumentError(f"tensor {tensor.name!r} is BYTES, and PyTorch has no type for texts")
        is_gpu = args["model_instance_kind"] == "GPU"
        self._device = f"cuda:{args['model_instance_device_id']}" if is_gpu else "cpu"
        if is_gpu and not self._torch.cuda.is_available():
            raise InvalidArgumentError("instances are KIND_GPU, and this PyTorch has no GPU: use KIND_CPU")
        self._inputs = ordered(self._spec.inputs)
        self._program = self._read(Path(self._spec.folder))
        self._set_threads()

    def execute(self, requests: Sequence[InferenceRequest]) -> list[InferenceResponse]:
        """Answer the requests of a batch by one call of the program."""
        with self._torch.inference_mode():
            return execute(requests, self._spec, self._run)

    def _run(self, arrays: Arrays) -> Arrays:
        inputs = [self._tensor(arrays[tensor.name]) for tensor in self._inputs if tensor.name in arrays]
        result = self._program(*inputs)
        return {name: self._array(value) for name, value in named_outputs(result, self._spec).items()}

    def _tensor(self, array: np.ndarray[Any, Any]) -> Any:
        # PyTorch warns of arrays that must not be written; a program that writes its inputs needs a copy anyway.
        return self._torch.from_numpy(array if array.flags.writeable else array.copy()).to(self._device)

    def _array(self, value: Any) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = value.detach().cpu().contiguous().numpy()
        return array

    def _read(self, folder: Path) -> Callable[..., Any]:
        file = next((folder / name for name in _FILES if (folder / name).is_file()), None)
        if file is None:
            raise InvalidArgumentError(f"{folder} has no {' and no '.join(_FILES)}: a TorchScript or exported program")
        try:
            if file.suffix == ".pt2":
                program: Callable[..., Any] = self._torch.export.load(str(file)).module().to(self._device)
            else:
                program = self._torch.jit.load(str(file), map_location=self._device).eval()
        except Exception as exc:  # the library raises what it likes
            raise InvalidArgumentError(f"{file} is no program that this PyTorch reads: {exc}") from exc
        return program

    def _set_threads(self) -> None:
        for parameter, set_count in (
            ("INTRA_OP_THREAD_COUNT", self._torch.set_num_threads),
            ("INTER_OP_THREAD_COUNT", self._torch.set_num_interop_threads),
        ):
            if parameter in self._spec.parameters:
                # The second may be set once in a process.
                with suppress(RuntimeError):
                    set_count(int(self._spec.parameters[parameter]))


def ordered(inputs: Sequence[TensorSpec]) -> list[TensorSpec]:
    """Inputs in the order of a program's arguments."""
    numbers = [_NUMBERED.search(tensor.name) for tensor in inputs]
    if inputs and all(numbers):
        return sorted(inputs, key=lambda tensor: int(tensor.name.rsplit("__", 1)[1]))
    return list(inputs)


def _import_torch() -> Any:
    try:
        import torch
    except ImportError as exc:
        raise MissingExtraError("backend pytorch", extra="pytorch") from exc
    return torch
