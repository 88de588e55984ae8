# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The health service on grpcio (https://github.com/grpc/grpc/blob/master/doc/health-checking.md)."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any, Final

import grpc

from workbench.endpoints.grpc_methods import Management

_NAME: Final = "grpc.health.v1.Health"
_SERVING: Final = b"\x08\x01"
_NOT_SERVING: Final = b"\x08\x02"
"""HealthCheckResponse, whose one field needs no generated code."""
_LOOK_S: Final = 0.5


class Health:
    """Whether the server is ready, whatever service is asked for: once, and whenever that changes.

    Threads: those of grpcio's pool; each `Watch` holds one.
    """

    def __init__(self, management: Management) -> None:
        self._management = management
        self._is_closing = Event()

    def handler(self) -> grpc.GenericRpcHandler:
        """Its methods, from bytes to bytes."""
        check = grpc.unary_unary_rpc_method_handler(lambda request, context: self._status())  # noqa: ARG005
        watch = grpc.unary_stream_rpc_method_handler(self._watch)
        return grpc.method_handlers_generic_handler(_NAME, {"Check": check, "Watch": watch})

    def close(self) -> None:
        """Those who watch are told, and end."""
        self._is_closing.set()

    def _status(self) -> bytes:
        is_ready = not self._is_closing.is_set() and self._management.describe("server_ready") == "true"
        return _SERVING if is_ready else _NOT_SERVING

    def _watch(self, request: Any, context: Any) -> Iterator[bytes]:
        del request
        told = b""
        while context.is_active():
            is_closing = self._is_closing.is_set()  # looked at first: the last that is told is that it does not serve
            if (status := self._status()) != told:
                yield status
            told = status
            if is_closing:
                context.abort(grpc.StatusCode.UNAVAILABLE, "the server is closing")
            self._is_closing.wait(_LOOK_S)
