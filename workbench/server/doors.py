# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The front doors of a server: opened by it, closed with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Lock, Thread
from typing import Any, Final, Self

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
from workbench.server.running import RUNNING
from workbench.server.trace import TraceBook

_HANDOVER_S: Final = 5.0
_LOOK_S: Final = 0.01


class Doors:
    """The doors of one server that are open, at most one for each port that was asked for.

    Args:
        handle: address of the server as the C interface names it.

    Threads: any.
    """

    def __init__(self, handle: int) -> None:
        self.memory = SharedMemory(handle)
        self._lock = Lock()
        self._open: list[tuple[int, Door]] = []
        self._closing: list[Door] = []

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

    def find(self, kind: str, port: int) -> Door | None:
        """One of that kind that is open, and was opened for that port."""
        with self._lock:
            found = (door for asked, door in self._open if (asked, door.kind, door.is_closed) == (port, kind, False))
            return next(found, None)

    def open_doors(self) -> tuple[Door, ...]:
        """Those that are open."""
        with self._lock:
            return tuple(door for _, door in self._open if not door.is_closed)

    def close(self) -> None:
        """Close all of them, at the same time."""
        with self._lock:
            doors, self._open = [door for _, door in self._open], []
            self._closing += doors
        closing = [Thread(target=door.close, name=f"wb-close-{door.kind}") for door in doors]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()

    def hurry(self) -> None:
        """Let a `close` that is under way give up what is still being served."""
        with self._lock:
            closing = tuple(self._closing)
        for door in closing:
            door.hurry()


def _opened(opens: Callable[[], Door], port: int) -> Door:
    """The door; a server of this process that was replaced lets go of its port soon."""
    until = time.monotonic() + _HANDOVER_S
    while True:
        try:
            return opens()
        except UnavailableError:
            if not port or not RUNNING.is_draining() or time.monotonic() > until:
                raise
        time.sleep(_LOOK_S)


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

        Inference never waits for the interpreter. Where workbench was built without nghttp2, the door runs on grpcio,
        in Python, and a cell that computes slows it down. Calling it again with the same port closes the door that was
        open there.

        Args:
            **options: fields of `workbench.endpoints.GrpcOptions`: port, address, remote, token, threads,
                max_message_byte_size and max_unread_byte_size (bytes), slow_client_s (seconds),
                infer_response_compression_level.

        Raises:
            InvalidArgumentError: an option is wrong, or other machines would reach the server without a token.
            UnavailableError: the port is taken, or the server is closed.
        """
        from workbench.server.grpc_management import GrpcManagement

        told = GrpcOptions(**options)
        self._prepare(told.port)
        engine = self._parts.engine
        management = GrpcManagement(self._parts, self._traces)
        memory, patience_s = self._doors.memory, self.exit_timeout_s
        opens = partial(open_grpc, engine, management, memory=memory, options=told, patience_s=patience_s)
        return self._doors.add(told.port, _opened(opens, told.port))

    def metrics_endpoint(self, **options: Any) -> Door:
        """Open a door to the metrics page alone, for Prometheus. Arguments and errors are those of `http`."""
        return self._open_door(open_metrics, HttpOptions(**options))

    def open_doors(self, *, http: int | None = None, grpc: int | None = None, metrics: int | None = None) -> Self:
        """Open those doors for which a port is told, at 127.0.0.1.

        Args:
            http: a port; None leaves the door shut, 0 takes a free one, and keeps what it took.
            grpc: likewise.
            metrics: likewise.

        Returns:
            The server.

        Raises:
            UnavailableError, UnsupportedError: as `http` and `grpc` do.
        """
        wanted = {"http": (http, self.http), "grpc": (grpc, self.grpc), "metrics": (metrics, self.metrics_endpoint)}
        for kind, (port, opens) in wanted.items():
            if port is not None and (port or self._doors.find(kind, 0) is None):
                opens(port=port)
        return self

    @property
    def doors(self) -> tuple[Door, ...]:
        """The doors that are open, oldest first."""
        return self._doors.open_doors()

    def hurry(self) -> None:
        """Let a `close` that is under way give up requests of the doors' clients, who are told UNAVAILABLE."""
        self._doors.hurry()

    def _open_door(self, opens: Any, options: HttpOptions) -> Door:
        self._prepare(options.port)
        reach = Reach(
            handle=self._parts.engine.server_handle,
            memory=self._doors.memory,
            settings=settings_service(self._traces, self._parts.repository),
            patience_s=self.exit_timeout_s,
        )
        return self._doors.add(options.port, _opened(partial(opens, reach, options=options), options.port))

    def _prepare(self, port: int) -> None:
        if self._is_closed:
            message = "the server is closed; doors open on one that runs"
            raise UnavailableError(message)
        self._doors.replace(port)
