# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a server over gRPC before and after a run, by the stubs of `tritonclient`; the run is native."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from workbench.config import ModelConfig
from workbench.errors import error_for
from workbench.load.statistics import Totals
from workbench.load.url import Address

_CODES: Final[Mapping[str, str]] = {
    "CANCELLED": "CANCELLED",
    "INVALID_ARGUMENT": "INVALID_ARG",
    "NOT_FOUND": "NOT_FOUND",
    "ALREADY_EXISTS": "ALREADY_EXISTS",
    "UNIMPLEMENTED": "UNSUPPORTED",
    "DEADLINE_EXCEEDED": "UNAVAILABLE",
    "RESOURCE_EXHAUSTED": "UNAVAILABLE",
    "UNAVAILABLE": "UNAVAILABLE",
}


class GrpcService:
    """A server over gRPC.

    Args:
        address: where it is.
        token: a bearer token; "" for none.
        timeout_s: of each answer.
    """

    def __init__(self, address: Address, *, token: str, timeout_s: float) -> None:
        self._address = address
        self._token = token
        self._timeout_s = timeout_s

    def config(self, name: str, version: str) -> ModelConfig:
        """The configuration of a model."""
        config: ModelConfig = self.call("ModelConfig", "ModelConfigRequest", name=name, version=version).config
        return config

    def statistics(self, name: str, version: str) -> Totals:
        """What it counted of a model."""
        from google.protobuf.json_format import MessageToDict

        reply = self.call("ModelStatistics", "ModelStatisticsRequest", name=name, version=version)
        return Totals.of_protocol(MessageToDict(reply, preserving_proto_field_name=True))

    def call(self, method: str, kind: str, **fields: Any) -> Any:
        """One call with a message of that kind; the answer.

        Raises:
            WorkbenchError: of the status that the server answered, or UNAVAILABLE where nobody did.
        """
        from tritonclient.grpc import service_pb2

        return self.send(method, getattr(service_pb2, kind)(**fields))

    def send(self, method: str, message: Any) -> Any:
        """As `call`, with a message that is there."""
        import grpc
        from tritonclient.grpc import service_pb2_grpc

        token = [("authorization", f"Bearer {self._token}")] if self._token else []
        unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        with grpc.insecure_channel(self._address.authority, options=unlimited) as channel:
            stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
            try:
                return getattr(stub, method)(message, timeout=self._timeout_s, metadata=token)
            except grpc.RpcError as error:
                code = _CODES.get(error.code().name, "INTERNAL")
                raise error_for(code, f"{self._address} does not answer well: {error.details()}") from error
