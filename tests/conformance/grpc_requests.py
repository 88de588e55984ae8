# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How gRPC requests for two servers are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tritonclient.grpc import service_pb2 as pb

SERVICE: Final = "/inference.GRPCInferenceService/"
HEALTH: Final = "/grpc.health.v1.Health/"
FIELDS: Final = {
    "BOOL": "bool_contents", "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents",
    "UINT64": "uint64_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents",
    "INT64": "int64_contents", "FP32": "fp32_contents", "FP64": "fp64_contents", "BYTES": "bytes_contents",
}  # fmt: skip
"""The field of typed contents for each type."""
FOUR: Final = np.arange(1, 5, dtype=np.int32).tobytes()


@dataclass(frozen=True, slots=True)
class GrpcCase:
    """One call; of a stream with several messages."""

    name: str
    method: str
    messages: tuple[bytes, ...] = (b"",)
    is_stream: bool = False


def call(name: str, method: str, message: Any = None) -> GrpcCase:
    """A unary call of the service; the message is of protobuf, or bytes as they are."""
    raw = b"" if message is None else message if isinstance(message, bytes) else message.SerializeToString()
    return GrpcCase(name, f"{SERVICE}{method}", (raw,))


def stream(name: str, *messages: Any) -> GrpcCase:
    raws = tuple(one if isinstance(one, bytes) else one.SerializeToString() for one in messages)
    return GrpcCase(f"stream, {name}", f"{SERVICE}ModelStreamInfer", raws, is_stream=True)


def a_request(
    raw: Sequence[bytes] = (FOUR,), *, model: str = "m_INT32", shape: Sequence[int] = (1, 4), datatype: str = "INT32",
    name: str = "INPUT0", contents: Sequence[Any] | None = None, field: str = "", **more: Any,
) -> pb.ModelInferRequest:  # fmt: skip
    """An inference with one input; `contents` are typed, and then `raw` is left out unless it is told."""
    request = pb.ModelInferRequest(model_name=model, **more)
    tensor = request.inputs.add(name=name, datatype=datatype, shape=shape)
    if contents is not None:
        getattr(tensor.contents, field or FIELDS[datatype]).extend(contents)
        raw = () if raw == (FOUR,) else raw
    request.raw_input_contents.extend(raw)
    return request


def with_parameter(request: Any, key: str, **value: Any) -> Any:
    """The same, with a parameter; its value is of the field that is told, or of none."""
    request.parameters[key].CopyFrom(pb.InferParameter(**value))
    return request


def with_output(request: Any, name: str = "OUTPUT0", **parameters: Any) -> Any:
    """The same, asking for an output."""
    output = request.outputs.add(name=name)
    for key, value in parameters.items():
        output.parameters[key].CopyFrom(value)
    return request
