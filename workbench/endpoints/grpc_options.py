# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How the gRPC door is opened, without importing what it stands on before it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.endpoints.door import Door, SharedMemory
from workbench.repository import Engine

if TYPE_CHECKING:
    from workbench.endpoints.grpc_service import Management


@dataclass(frozen=True, slots=True, kw_only=True)
class GrpcOptions:
    """How the door listens.

    Attributes:
        port: TCP port; 0 for one that is free.
        address: IP address.
        remote: whether an address that other machines reach is meant so.
        token: what clients send as metadata `authorization: Bearer <token>`; needed with `remote`.
        threads: requests that are served at once; each that waits for its answer holds one.
        max_message_byte_size: bytes of a message.
    """

    port: int = 0
    address: str = "127.0.0.1"
    remote: bool = False
    token: str = ""
    threads: int = 128
    max_message_byte_size: int = (1 << 31) - 1


def open_grpc(
    engine: Engine, management: Management, *, memory: SharedMemory, options: GrpcOptions, patience_s: float
) -> Door:
    """Serve inference and management over gRPC.

    Raises:
        InvalidArgumentError: an option is wrong, or other machines would reach the door without a token.
        UnavailableError: the port is taken.
    """
    from workbench.endpoints.grpc_door import listen

    return listen(engine, management, memory=memory, options=options, patience_s=patience_s)
