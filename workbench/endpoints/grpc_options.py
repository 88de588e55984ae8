# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How the gRPC door is opened, without importing what it stands on before it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from workbench.endpoints.access import check_access
from workbench.endpoints.door import Door, Listener, SharedMemory, opened
from workbench.endpoints.native import native_endpoints
from workbench.errors import InvalidArgumentError, UnsupportedError
from workbench.repository import Engine

if TYPE_CHECKING:
    from workbench.endpoints.grpc_methods import Management

CompressionLevel = Literal["none", "low", "medium", "high"]
LEVELS: Final[Mapping[str, int]] = {"none": 0, "low": 1, "medium": 6, "high": 9}
"""Levels of zlib."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrpcOptions:
    """How the door listens.

    Attributes:
        port: TCP port; 0 for one that is free.
        address: IP address.
        remote: whether an address that other machines reach is meant so.
        token: what clients send as metadata `authorization: Bearer <token>`; needed with `remote`.
        threads: native loops that serve connections.
        max_message_byte_size: bytes of a message, unpacked.
        max_unread_byte_size: bytes of answers that wait for the client of a stream, before it loses the stream.
        slow_client_s: seconds that a message may take to arrive.
        infer_response_compression_level: of answers to inferences, where the client takes gzip or deflate: "none",
            "low", "medium", "high".
    """

    port: int = 0
    address: str = "127.0.0.1"
    remote: bool = False
    token: str = ""
    threads: int = 1
    max_message_byte_size: int = (1 << 31) - 1
    max_unread_byte_size: int = 256 << 20
    slow_client_s: int = 60
    infer_response_compression_level: CompressionLevel = "none"


def native_grpc() -> Any:
    """The native listener's class; None where this build lacks it, and grpcio serves."""
    try:
        return getattr(native_endpoints(), "GrpcServer", None)
    except UnsupportedError:
        return None


def open_grpc(
    engine: Engine, management: Management, *, memory: SharedMemory, options: GrpcOptions, patience_s: float
) -> Door:
    """Serve inference and management over gRPC.

    Raises:
        InvalidArgumentError: an option is wrong, or other machines would reach the door without a token.
        UnavailableError: the port is taken.
    """
    _check(options)
    if native_grpc() is not None:
        return _open_native(engine, management, memory=memory, options=options, patience_s=patience_s)
    from workbench.endpoints.grpc_door import listen

    return listen(engine, management, memory=memory, options=options, patience_s=patience_s)


def _check(options: GrpcOptions) -> None:
    check_access(
        options.address, port=options.port, remote=options.remote, token=options.token, threads=options.threads
    )
    if (level := options.infer_response_compression_level) not in LEVELS:
        message = f"infer_response_compression_level is {level!r}; it must be one of {', '.join(LEVELS)}"
        raise InvalidArgumentError(message)


def _open_native(
    engine: Engine, management: Management, *, memory: SharedMemory, options: GrpcOptions, patience_s: float
) -> Door:
    def listen() -> Listener:
        listener: Listener = native_grpc()(
            server=engine.server_handle,
            memory=memory.native,
            address=options.address,
            port=options.port,
            loop_count=options.threads,
            max_message_byte_size=options.max_message_byte_size,
            max_unread_byte_size=options.max_unread_byte_size,
            slow_client_s=options.slow_client_s,
            token=options.token,
            compression_level=LEVELS[options.infer_response_compression_level],
            service=_service(management, memory),
        )
        return listener

    return opened("grpc", listen, address=options.address, patience_s=patience_s)


def _service(management: Management, memory: SharedMemory) -> Callable[[str, bytes], tuple[int, str, bytes]]:
    """What serves management; the protocol's messages are imported when the first one comes."""

    @cache
    def made() -> Callable[[str, bytes], tuple[int, str, bytes]]:
        from workbench.endpoints.grpc_methods import bytes_service

        return bytes_service(management, memory)

    def serve(method: str, message: bytes) -> tuple[int, str, bytes]:
        return made()(method, message)

    return serve
