# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The front doors of a server, and clients that send load to such doors."""

from collections.abc import Callable
from typing import final

from typing_extensions import Buffer, CapsuleType

@final
class SharedMemory:
    """Regions that clients registered with one server."""

    def __init__(self) -> None: ...
    def register(self, name: str, key: str, offset: int, byte_size: int) -> tuple[str, str] | None: ...
    def unregister(self, name: str) -> tuple[str, str] | None: ...
    def part(self, name: str, offset: int, byte_size: int) -> tuple[Buffer, tuple[str, str] | None]: ...
    def regions(self) -> list[tuple[str, str, int, int]]: ...

@final
class RegionPart:
    """Bytes of a region."""

@final
class HttpServer:
    """Listens for HTTP."""

    def __init__(
        self,
        *,
        server: int,
        memory: SharedMemory,
        address: str,
        port: int,
        loop_count: int,
        max_body_byte_size: int,
        slow_client_s: int,
        token: str,
        serves_inference: bool,
        serves_metrics: bool,
        settings: Callable[[str, str, str | None], tuple[int, str]],
    ) -> None: ...
    @property
    def port(self) -> int: ...
    @property
    def accepted_count(self) -> int: ...
    def close(self, patience_s: float) -> None: ...

def http_target(
    *,
    host: str,
    port: str,
    samples: list[tuple[str, str, str, bytes]],
    plan: bytes,
    connections: int,
    connection_limit: int,
) -> CapsuleType: ...
def grpc_target(
    *, host: str, port: str, authority: str, token: str, messages: list[bytes], plan: bytes, connections: int
) -> CapsuleType: ...
