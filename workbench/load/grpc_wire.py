# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load over gRPC, unary calls by turns over a few connections."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig
from workbench.endpoints import native_endpoints, set_value
from workbench.errors import UnsupportedError
from workbench.load.grpc_service import GrpcService
from workbench.load.inputs import declared_type
from workbench.load.remote_model import RemoteModel
from workbench.load.sample import Sample, Shapes
from workbench.tensors import to_wire

MOST_CONNECTIONS: Final = 4


class GrpcWire:
    """gRPC."""

    def request(self, model: RemoteModel, config: ModelConfig, sample: Sample, shapes: Shapes, seed: int) -> bytes:
        """The message, with raw tensors."""
        from tritonclient.grpc import service_pb2

        message = service_pb2.ModelInferRequest(model_name=model.name, model_version=model.version)
        for name, value in shapes.fill(sample, config, seed).items():
            datatype, shape, buffer = to_wire(np.asarray(value))
            datatype = declared_type(config, name, datatype)
            message.inputs.add(name=name, datatype=datatype, shape=[int(dim) for dim in shape])
            raw = buffer.tobytes() if isinstance(buffer, np.ndarray) else bytes(buffer)
            message.raw_input_contents.append(raw)
        for name, parameter in _parameters(sample).items():
            set_value(message.parameters[name], parameter)
        serialized: bytes = message.SerializeToString()
        return serialized

    def try_once(self, model: RemoteModel, request: bytes) -> None:
        """Sends it by Python."""
        from tritonclient.grpc import service_pb2

        service = GrpcService(model.address, token=model.token, timeout_s=model.timeout_s)
        service.send("ModelInfer", service_pb2.ModelInferRequest.FromString(request))

    def connect(self, model: RemoteModel, requests: list[Any], plan: NDArray[Any], concurrency: int) -> Any:
        """The native target."""
        module = native_endpoints()
        if not hasattr(module, "grpc_target"):
            raise UnsupportedError("this build drives no server over gRPC: it was made without libnghttp2-dev")
        return module.grpc_target(
            host=model.address.host,
            port=str(model.address.port),
            authority=model.address.authority,
            token=f"Bearer {model.token}" if model.token else "",
            messages=requests,
            plan=plan.tobytes(),
            connections=min(concurrency or MOST_CONNECTIONS, MOST_CONNECTIONS),
        )


def _parameters(sample: Sample) -> dict[str, bool | int | float | str]:
    parameters = dict(sample.parameters)
    if sample.priority:
        parameters["priority"] = sample.priority
    if sample.timeout_us:
        parameters["timeout"] = sample.timeout_us
    return parameters
