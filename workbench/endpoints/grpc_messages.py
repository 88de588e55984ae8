# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Inference messages of the gRPC protocol: what a request asks for, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tritonclient.grpc import service_pb2

from workbench.endpoints.door import SharedMemory
from workbench.endpoints.grpc_values import request_value, set_value, value_of
from workbench.errors import InvalidArgumentError
from workbench.repository import InputTensor, Response
from workbench.tensors import dtype_of, to_wire

_FIELDS: Final[Mapping[str, str]] = {
    "BOOL": "bool_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents",
    "INT64": "int64_contents", "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents",
    "UINT64": "uint64_contents", "FP32": "fp32_contents", "FP64": "fp64_contents", "BYTES": "bytes_contents",
}  # fmt: skip
"""Where the elements of a type lie that are not raw."""
_OWN: Final = frozenset({"sequence_id", "sequence_start", "sequence_end", "priority", "timeout"})
_START: Final = 1
_END: Final = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the core takes it.

    Attributes:
        inputs: name, data type, shape and bytes of each.
        options: keyword arguments of `Engine.submit`.
        regions: places of outputs in shared memory, by name: region, offset, bytes.
        wants_final: whether an end without a response is told.
    """

    inputs: tuple[InputTensor, ...]
    options: Mapping[str, Any]
    regions: Mapping[str, tuple[str, int, int]]
    wants_final: bool


def asked_by(request: Any, memory: SharedMemory) -> Asked:
    """What a ModelInferRequest asks for.

    Raises:
        InvalidArgumentError: it contradicts itself.
        NotFoundError: a region of shared memory is not registered.
    """
    parameters = {name: request_value(name, parameter) for name, parameter in request.parameters.items()}
    wants_final = bool(parameters.pop("triton_enable_empty_final_response", False))
    own = {name: parameters.pop(name) for name in _OWN & parameters.keys()}
    reserved = [name for name in parameters if name.startswith("triton_")]
    if reserved:
        message = f"parameter {reserved[0]!r} is the server's own"
        raise InvalidArgumentError(message)
    options = {
        "outputs": tuple(output.name for output in request.outputs),
        "request_id": request.id,
        "priority": own.get("priority", 0),
        "timeout_us": own.get("timeout", 0),
        "correlation_id": own.get("sequence_id", 0),
        "flags": _START * bool(own.get("sequence_start")) | _END * bool(own.get("sequence_end")),
        "parameters": parameters,
    }
    regions = {output.name: place for output in request.outputs if (place := _place(output)) is not None}
    return Asked(_inputs(request, memory), options, regions, wants_final)


def _place(tensor: Any) -> tuple[str, int, int] | None:
    told = {name: value_of(parameter) for name, parameter in tensor.parameters.items()}
    if "shared_memory_region" not in told:
        return None
    if "shared_memory_byte_size" not in told:
        message = f"tensor {tensor.name!r} lies in shared memory and needs shared_memory_byte_size"
        raise InvalidArgumentError(message)
    return told["shared_memory_region"], int(told.get("shared_memory_offset", 0)), int(told["shared_memory_byte_size"])


def _inputs(request: Any, memory: SharedMemory) -> tuple[InputTensor, ...]:
    raw = list(request.raw_input_contents)
    tensors = []
    for tensor in request.inputs:
        place = _place(tensor)
        if place is not None:
            data: Any = memory.part(*place)
        elif request.raw_input_contents:
            data = _next_raw(raw, tensor)
        else:
            data = _typed(tensor)
        tensors.append((tensor.name, tensor.datatype, tuple(tensor.shape), data))
    if raw:
        message = f"raw_input_contents has {len(raw)} entries more than there are inputs outside of shared memory"
        raise InvalidArgumentError(message)
    return tuple(tensors)


def _next_raw(raw: list[bytes], tensor: Any) -> bytes:
    if tensor.HasField("contents"):
        message = f"input {tensor.name!r} has contents, though the request has raw_input_contents; one or the other"
        raise InvalidArgumentError(message)
    if not raw:
        message = f"raw_input_contents has no entry for input {tensor.name!r}"
        raise InvalidArgumentError(message)
    return raw.pop(0)


def _typed(tensor: Any) -> Any:
    field = _FIELDS.get(tensor.datatype)
    if field is None:
        message = f"input {tensor.name!r} is of type {tensor.datatype!r}, which is sent in raw_input_contents alone"
        raise InvalidArgumentError(message)
    elements = getattr(tensor.contents, field)
    if tensor.datatype == "BYTES":
        array = np.empty(len(elements), np.object_)
        array[:] = list(elements)
    else:
        # As wide as the message has them, then cut to the type, as the original cuts them.
        wide = {"i": np.dtype(np.int64), "u": np.dtype(np.uint64)}
        dtype = dtype_of(tensor.datatype)
        array = np.array(elements, wide.get(dtype.kind, dtype)).astype(dtype)
    return to_wire(array)[2]


def answer_of(
    response: Response | None,
    told: tuple[str, str, str],
    regions: Mapping[str, tuple[str, int, int]],
    memory: SharedMemory,
) -> Any:
    """The ModelInferResponse; `told` are the model, its version and the request's id.

    Raises:
        InvalidArgumentError: an output does not fit its place in shared memory.
    """
    model, version, request_id = told
    message = service_pb2.ModelInferResponse(model_name=model, model_version=version, id=request_id)
    if response is None:
        return message
    for name, value in response.parameters.items():
        set_value(message.parameters[name], value)
    for tensor in response.outputs:
        _add(message, tensor, regions.get(tensor[0]), memory)
    return message


def _add(message: Any, tensor: Sequence[Any], place: tuple[str, int, int] | None, memory: SharedMemory) -> None:
    name, datatype, shape, raw = tensor[:4]
    output = message.outputs.add(name=name, datatype=datatype, shape=shape)
    # Also where the bytes lie elsewhere: clients count entries to find an output's.
    message.raw_output_contents.append(bytes(raw) if place is None else b"")
    if place is None:
        return
    view = memoryview(raw).cast("B")
    if view.nbytes > place[2]:
        text = f"output {name!r} has {view.nbytes} bytes, its place in shared memory region {place[0]!r} {place[2]}"
        raise InvalidArgumentError(text)
    memory.part(place[0], place[1], place[2])[: view.nbytes] = view
    set_value(output.parameters["shared_memory_region"], place[0])
    set_value(output.parameters["shared_memory_byte_size"], view.nbytes)
