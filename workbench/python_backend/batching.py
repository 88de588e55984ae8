# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests of one execution as one batch of rows, and its outputs dealt back: for backends that run a whole batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.python_backend.exceptions import TritonError
from workbench.python_backend.request import InferenceRequest
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.tensor import Tensor
from workbench.tensors import dtype_of

Arrays = Mapping[str, np.ndarray[Any, Any]]
Run = Callable[[Arrays], Arrays]


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor of a configuration.

    Attributes:
        name: its name.
        datatype: as the protocol calls it, such as "FP32".
        dims: without the batch dimension.
    """

    name: str
    datatype: str
    dims: tuple[int, ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its elements."""
        return dtype_of(self.datatype)

    @property
    def is_fixed(self) -> bool:
        """Whether no dimension varies."""
        return all(dim >= 0 for dim in self.dims)


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """What a backend reads of a configuration."""

    name: str
    version: str
    folder: str
    max_batch_size: int
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, args: Mapping[str, str]) -> ModelSpec:
        """Out of what `initialize` is told."""
        config = json.loads(args["model_config"])
        parameters = {name: value.get("string_value", "") for name, value in config.get("parameters", {}).items()}
        return cls(
            args["model_name"],
            args["model_version"],
            f"{args['model_repository']}/{args['model_version']}",
            int(config.get("max_batch_size", 0)),
            tuple(map(_spec_of, config.get("input", ()))),
            tuple(map(_spec_of, config.get("output", ()))),
            parameters,
        )


def _spec_of(tensor: Mapping[str, Any]) -> TensorSpec:
    name = tensor["data_type"].removeprefix("TYPE_")
    return TensorSpec(tensor["name"], "BYTES" if name == "STRING" else name, tuple(int(dim) for dim in tensor["dims"]))


def execute(requests: Sequence[InferenceRequest], spec: ModelSpec, run: Run) -> list[InferenceResponse]:
    """Answer requests: those whose rows fit together run as one batch, where the model batches."""
    responses: dict[int, InferenceResponse] = {}
    for group in _groups(requests, spec):
        try:
            dealt = _run_group([requests[index] for index in group], spec, run)
        except InvalidArgumentError as exc:
            error = InferenceResponse(error=TritonError(str(exc), TritonError.INVALID_ARG))
            dealt = [error] * len(group)
        responses.update(zip(group, dealt, strict=True))
    return [responses[index] for index in range(len(requests))]


def _groups(requests: Sequence[InferenceRequest], spec: ModelSpec) -> Iterator[list[int]]:
    if not spec.max_batch_size:
        yield from ([index] for index in range(len(requests)))
        return
    groups: dict[tuple[Any, ...], list[int]] = {}
    for index, request in enumerate(requests):
        shapes = tuple((tensor.name(), tensor.as_numpy().shape[1:]) for tensor in request.inputs())
        groups.setdefault(shapes, []).append(index)
    yield from groups.values()


def _run_group(requests: Sequence[InferenceRequest], spec: ModelSpec, run: Run) -> list[InferenceResponse]:
    outputs = run(_joined(requests))
    if len(requests) == 1:
        return [_response(outputs, slice(None), spec)]
    sizes = [request.inputs()[0].as_numpy().shape[0] for request in requests]
    ends = np.cumsum(sizes)
    return [_response(outputs, slice(end - size, end), spec) for size, end in zip(sizes, ends, strict=True)]


def _joined(requests: Sequence[InferenceRequest]) -> Arrays:
    if len(requests) == 1:
        return {tensor.name(): tensor.as_numpy() for tensor in requests[0].inputs()}
    names = [tensor.name() for tensor in requests[0].inputs()]
    by_name = [{tensor.name(): tensor.as_numpy() for tensor in request.inputs()} for request in requests]
    return {name: np.concatenate([arrays[name] for arrays in by_name]) for name in names}


def _response(outputs: Arrays, rows: slice, spec: ModelSpec) -> InferenceResponse:
    return InferenceResponse([Tensor(output.name, _cut(outputs[output.name], rows)) for output in spec.outputs])


def _cut(array: np.ndarray[Any, Any], rows: slice) -> np.ndarray[Any, Any]:
    return array if rows == _ALL else array[rows]


_ALL: Final = slice(None)


def named_outputs(result: Any, spec: ModelSpec) -> dict[str, Any]:
    """A model's result by the names of the configuration's outputs.

    Raises:
        InvalidArgumentError: it has not as many, or not those.
    """
    names = [output.name for output in spec.outputs]
    if isinstance(result, Mapping):
        missing = [name for name in names if name not in result]
        if missing:
            there = ", ".join(map(str, result)) or "none"
            raise InvalidArgumentError(f"the model gives no output {missing[0]!r}; it gives {there}")
        return {name: result[name] for name in names}
    values = list(result) if isinstance(result, (tuple, list)) else [result]
    if len(values) != len(names):
        raise InvalidArgumentError(
            f"the model gives {len(values)} outputs, and the configuration declares {', '.join(names) or 'none'}"
        )
    return dict(zip(names, values, strict=True))
