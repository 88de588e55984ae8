# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The front doors of a server: opened by it, closed with it."""

from __future__ import annotations

from threading import Lock
from typing import Any

from workbench.endpoints import (
    Door,
    GrpcOptions,
    HttpOptions,
    Reach,
    SharedMemory,
    open_grpc,
    open_http,
    open_metrics,
)
from workbench.errors import UnavailableError
from workbench.server.parts import ServerParts
from workbench.server.protocol_settings import settings_service
from workbench.server.trace import TraceBook


class Doors:
    """The doors of one server that are open, at most one for each port that was asked for.

    Threads: any.
    """

    def __init__(self) -> None:
        self.memory = SharedMemory()
        self._lock = Lock()
        self._open: list[tuple[int, Door]] = []

    def replace(self, port: int) -> None:
        """Close the door that was opened for that port, so that a cell which opens it may run again."""
        with self._lock:
            old = [door for asked, door in self._open if port and asked == port]
            self._open = [(asked, door) for asked, door in self._open if door not in old and not door.is_closed]
        for door in old:
            door.close()

    def add(self, port: int, door: Door) -> Door:
        """Close this door, too, when the server closes."""
        with self._lock:
            self._open.append((port, door))
        return door

    def close(self) -> None:
        """Close all of them."""
        with self._lock:
            doors, self._open = [door for _, door in self._open], []
        for door in doors:
            door.close()


class OpenServer:
    """The half of a server that other programs reach.

    Threads: any.
    """

    _parts: ServerParts
    _doors: Doors
    _traces: TraceBook
    _is_closed: bool
    exit_timeout_s: float

    def http(self, **options: Any) -> Door:
        """Open the HTTP door, for `tritonclient`, `perf_analyzer` and curl.

        Calling it again with the same port closes the door that was open there.

        Args:
            **options: fields of `workbench.endpoints.HttpOptions`: port, address, remote, token, threads,
                max_body_byte_size (bytes), slow_client_s (seconds).

        Raises:
            InvalidArgumentError: an option is wrong, or other machines would reach the server without a token.
            UnavailableError: the port is taken, or the server is closed.
            UnsupportedError: this build has no front doors.
        """
        return self._open_door(open_http, HttpOptions(**options))

    def grpc(self, **options: Any) -> Door:
        """Open the gRPC door.

        It runs on grpcio, in Python: a cell that computes slows it down, which it does not the HTTP door. Calling it
        again with the same port closes the door that was open there.

        Args:
            **options: fields of `workbench.endpoints.GrpcOptions`: port, address, remote, token, threads,
                max_message_byte_size (bytes).

        Raises:
            InvalidArgumentError: an option is wrong, or other machines would reach the server without a token.
            UnavailableError: the port is taken, or the server is closed.
        """
        from workbench.server.grpc_management import GrpcManagement

        told = GrpcOptions(**options)
        self._prepare(told.port)
        engine = self._parts.engine
        management = GrpcManagement(self._parts, self._traces)
        door = open_grpc(engine, management, memory=self._doors.memory, options=told, patience_s=self.exit_timeout_s)
        return self._doors.add(told.port, door)

    def metrics_endpoint(self, **options: Any) -> Door:
        """Open a door to the metrics page alone, for Prometheus. Arguments and errors are those of `http`."""
        return self._open_door(open_metrics, HttpOptions(**options))

    def _open_door(self, opens: Any, options: HttpOptions) -> Door:
        self._prepare(options.port)
        reach = Reach(
            handle=self._parts.engine.server_handle,
            memory=self._doors.memory,
            settings=settings_service(self._traces, self._parts.repository),
            patience_s=self.exit_timeout_s,
        )
        return self._doors.add(options.port, opens(reach, options=options))

    def _prepare(self, port: int) -> None:
        if self._is_closed:
            message = "the server is closed; doors open on one that runs"
            raise UnavailableError(message)
        self._doors.replace(port)
