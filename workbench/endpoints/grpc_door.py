# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The gRPC door on grpcio, where nghttp2 was missing at build; a cell that computes slows it down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import grpc
from tritonclient.grpc import service_pb2_grpc

from workbench.endpoints.door import Door, SharedMemory
from workbench.endpoints.grpc_health import Health
from workbench.endpoints.grpc_methods import Management
from workbench.endpoints.grpc_options import GrpcOptions
from workbench.endpoints.grpc_service import Service
from workbench.errors import UnavailableError
from workbench.repository import Engine

_WORKERS: Final = 128
"""Requests that are served at once; each that waits for its answer holds one."""


class GrpcListener:
    """grpcio's server, as a door holds it."""

    accepted_count = None

    def __init__(self, server: grpc.Server, health: Health, pool: ThreadPoolExecutor, port: int) -> None:
        self._server = server
        self._health = health
        self._pool = pool
        self.port = port

    def close(self, patience_s: float) -> None:
        """Refuse what is new, let the rest end for that long, then give it up."""
        self._health.close()
        self._server.stop(patience_s).wait()
        self._pool.shutdown()


class _Token(grpc.ServerInterceptor):  # type: ignore[misc]
    """Lets in who brings the token."""

    def __init__(self, token: str) -> None:
        self._wanted = ("authorization", f"Bearer {token}")
        self._refused = grpc.unary_unary_rpc_method_handler(_refuse)

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        """The handler that was asked for, or one that refuses."""
        return continuation(details) if self._wanted in details.invocation_metadata else self._refused


def _refuse(request: Any, context: Any) -> None:
    del request
    context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is missing or wrong: authorization: Bearer ...")


def listen(
    engine: Engine, management: Management, *, memory: SharedMemory, options: GrpcOptions, patience_s: float
) -> Door:
    """Serve inference and management over gRPC.

    Raises:
        UnavailableError: the port is taken.
    """
    pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="wb-grpc")
    server = grpc.server(
        pool,
        compression=grpc.Compression.NoCompression
        if options.infer_response_compression_level == "none"
        else grpc.Compression.Gzip,
        interceptors=[_Token(options.token)] if options.token else [],
        options=[
            ("grpc.max_receive_message_length", options.max_message_byte_size),
            ("grpc.max_send_message_length", options.max_message_byte_size),
            ("grpc.so_reuseport", 0),
        ],
    )
    service_pb2_grpc.add_GRPCInferenceServiceServicer_to_server(Service(engine, management, memory), server)
    health = Health(management)
    server.add_generic_rpc_handlers([health.handler()])
    host = f"[{options.address}]" if ":" in options.address else options.address
    try:
        port = server.add_insecure_port(f"{host}:{options.port}")
    except RuntimeError as exc:
        message = f"port {options.port} of {options.address} can not be listened at"
        raise UnavailableError(message) from exc
    server.start()
    listener = GrpcListener(server, health, pool, port)
    return Door(kind="grpc", address=options.address, listener=listener, patience_s=patience_s)
