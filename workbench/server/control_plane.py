# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The control plane of the C interface: servers of this process do what `TRITONSERVER_ServerNew` and kin ask for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any, Final

from workbench.errors import (
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    NotReadyError,
    UnavailableError,
    WorkbenchError,
    error_for,
)
from workbench.repository import IndexEntry
from workbench.server.description import describe_server
from workbench.server.interface_options import server_arguments
from workbench.server.running import RUNNING
from workbench.server.server import Server

_SETTLED: Final = frozenset({"", "READY", "UNLOADING"})
"""States of models that are served, or that nobody asked for."""
_NO_FILES: Final[Mapping[str, bytes]] = {}


class ControlPlane:
    """Makes, manages and describes servers for callers of the C interface, who name them by their engines.

    Threads: any, one that holds the interpreter's lock.
    """

    def __init__(self) -> None:
        # By the engine's identity: an engine lives until its server is deleted.
        self._made: dict[int, Server] = {}

    def server_new(self, options: Mapping[str, Any]) -> Any:
        """Start a server; returns its engine.

        Args:
            options: as the core's ServerOptions names them.
        """
        arguments = server_arguments(options)
        server = Server(options["repositories"], name=self._name(arguments["server_id"]), **arguments)
        self._made[id(server.engine)] = server
        return server.engine

    def server_delete(self, engine: object) -> None:
        """Close a server, where it was not stopped before, and forget it."""
        self.server_stop(engine)
        self._made.pop(id(engine), None)

    def server_stop(self, engine: object) -> None:
        """Close a server; whoever asks it for anything afterwards is told that it is."""
        (self._made.get(id(engine)) or self._server(engine)).close()

    def set_exit_timeout(self, engine: object, seconds: int) -> None:
        """Seconds that requests in flight get when the server stops."""
        self._server(engine).exit_timeout_s = seconds

    def load_model(self, engine: object, name: str) -> None:
        """Load a model; refused by the codes of the original."""
        self.load_model_with(engine, name, config=None)

    def load_model_with(
        self, engine: object, name: str, *, config: str | None, files: Mapping[str, bytes] = _NO_FILES
    ) -> None:
        """Load a model with a configuration, and files, that take the place of those in the repository."""
        try:
            self._server(engine).load(name, config=config, files=files)
        except (NotFoundError, UnavailableError) as exc:
            # The original finds no configuration to read, which is an error of its own there.
            server = self._server(engine)
            if isinstance(exc, UnavailableError) and server.options.control != "explicit":
                raise
            raise InternalError(str(exc)) from exc
        except WorkbenchError as exc:
            raise error_for(exc.wire_code, str(exc)) from exc

    def register_repository(self, engine: object, path: str, names: Mapping[str, str]) -> None:
        """Serve models of a further folder; `names` tell the subfolders of models that are called otherwise."""
        self._server(engine).register_repository(path, names=names)

    def unregister_repository(self, engine: object, path: str) -> None:
        """Serve models of a folder no more."""
        self._server(engine).unregister_repository(path)

    def poll_repositories(self, engine: object) -> None:
        """Follow what changed in the repositories, now."""
        self._server(engine).poll()

    def unload_model(self, engine: object, name: str, with_dependents: bool = False) -> None:  # noqa: FBT001, FBT002
        """Unload a model, and with it what an ensemble runs on and nobody else needs."""
        self._server(engine).unload(name, unload_dependents=with_dependents)

    def describe(self, engine: object, topic: str, model: str, version: int) -> str:
        """The JSON text for a topic of `workbench.server.description`, or of what is true of a server as a whole."""
        server = self._server(engine)
        if topic == "server_live":
            return "true"
        if topic == "server_ready":
            return "true" if _is_ready(server) else "false"
        if topic == "server_metadata":
            return describe_server(server.options.server_id)
        try:
            return server.describe(topic, model=model, version=version)
        except NotReadyError as exc:
            raise error_for(exc.wire_code, str(exc)) from exc

    @staticmethod
    def _name(server_id: str) -> str:
        # Two servers of the C interface live beside each other, whatever they are called.
        taken = RUNNING.names()
        names = (server_id if number == 1 else f"{server_id}-{number}" for number in count(1))
        return next(name for name in names if name not in taken)

    def _server(self, engine: object) -> Server:
        if (made := self._made.get(id(engine))) is not None:
            if made.is_closed:
                message = "the server is stopped"
                raise UnavailableError(message)
            return made
        for server in RUNNING.servers():
            if server.engine is engine:
                return server
        message = "the server is closed"
        raise InvalidArgumentError(message)


def _is_ready(server: Server) -> bool:
    """Where readiness is strict, a model that was to be served and is not makes the server unready."""
    return not server.options.strict_readiness or all(_is_settled(entry) for entry in server.index())


def _is_settled(entry: IndexEntry) -> bool:
    return entry.state in _SETTLED or entry.reason == "unloaded"


CONTROL_PLANE: Final = ControlPlane()
