# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load over HTTP/1.1 with binary tensors, through a pool of connections."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import ModelConfig
from workbench.endpoints import native_endpoints
from workbench.load.http_service import HttpService, model_path
from workbench.load.inputs import declared_type
from workbench.load.remote_model import RemoteModel
from workbench.load.sample import Sample, Shapes
from workbench.tensors import to_wire

OPEN_LOOP_CONNECTIONS: Final = 16
"""Open before the run begins; more are opened where those are busy."""

HttpRequest = tuple[str, str, str, bytes]
"""Request line and fields, head of the protocol without parameters and last brace, parameters, tensors."""


class HttpWire:
    """HTTP.

    Args:
        connection_limit: most connections; at the limit requests wait, and their latency counts it.
    """

    def __init__(self, *, connection_limit: int = 1024) -> None:
        self._connection_limit = connection_limit

    def request(
        self, model: RemoteModel, config: ModelConfig, sample: Sample, shapes: Shapes, seed: int
    ) -> HttpRequest:
        """The protocol's binary form: a JSON head, and the bytes of all tensors after it."""
        described, tensors = [], []
        for name, value in shapes.fill(sample, config, seed).items():
            datatype, shape, buffer = to_wire(np.asarray(value))
            raw = buffer.tobytes() if isinstance(buffer, np.ndarray) else bytes(buffer)
            tensor = {"name": name, "shape": list(shape), "datatype": declared_type(config, name, datatype)}
            described.append(tensor | {"parameters": {"binary_data_size": len(raw)}})
            tensors.append(raw)
        fields = f"POST {model_path(model.name, model.version)}/infer HTTP/1.1\r\nHost: {model.address.authority}\r\n"
        if model.token:
            fields += f"Authorization: Bearer {model.token}\r\n"
        text = json.dumps({"inputs": described}, separators=(",", ":"))[:-1]
        return fields, text, _members(sample), b"".join(tensors)

    def try_once(self, model: RemoteModel, request: HttpRequest) -> None:
        """Sends it by Python."""
        _, text, parameters, tensors = request
        head = f'{text},"parameters":{{{parameters}}}}}'.encode()
        fields = {"Inference-Header-Content-Length": str(len(head)), "Content-Type": "application/octet-stream"}
        service = HttpService(model.address, token=model.token, timeout_s=model.timeout_s)
        service.request("POST", f"{model_path(model.name, model.version)}/infer", head + tensors, fields)

    def connect(self, model: RemoteModel, requests: list[Any], plan: NDArray[Any], concurrency: int) -> Any:
        """The native target."""
        return native_endpoints().http_target(
            host=model.address.host,
            port=str(model.address.port),
            samples=requests,
            plan=plan.tobytes(),
            connections=concurrency or OPEN_LOOP_CONNECTIONS,
            connection_limit=self._connection_limit,
        )


def _members(sample: Sample) -> str:
    """Of the object `parameters`, without its braces."""
    members: dict[str, Any] = {"binary_data_output": True, **sample.parameters}
    if sample.priority:
        members["priority"] = sample.priority
    if sample.timeout_us:
        members["timeout"] = sample.timeout_us
    return json.dumps(members, separators=(",", ":"))[1:-1]
