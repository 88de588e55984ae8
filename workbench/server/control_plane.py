# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The control plane of the C interface: servers of this process do what `TRITONSERVER_ServerNew` and kin ask for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from workbench.errors import (
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    UnavailableError,
    UnsupportedError,
    WorkbenchError,
    error_for,
)
from workbench.repository import IndexEntry
from workbench.server.options import DEFAULTS, ControlMode
from workbench.server.running import RUNNING
from workbench.server.server import Server

_SETTLED: Final = frozenset({"", "READY", "UNLOADING"})
"""States of models that are served, or that nobody asked for."""
_NO_FILES: Final[Mapping[str, bytes]] = {}
_CONTROL_MODES: Final[Mapping[int, ControlMode]] = {0: "none", 1: "poll", 2: "explicit"}


class ControlPlane:
    """Makes, manages and describes servers for callers of the C interface, who name them by their engines.

    Threads: any, one that holds the interpreter's lock.
    """

    def __init__(self) -> None:
        # By the engine's identity: an engine lives until its server is deleted.
        self._made: dict[int, tuple[Server, bool]] = {}

    def server_new(self, options: Mapping[str, Any]) -> Any:
        """Start a server; returns its engine.

        Args:
            options: repositories, backend_directory, startup_models, server_id, control_mode, exit_timeout_s.
        """
        folder = Path(options.get("backend_directory") or "")
        server = Server(
            options["repositories"],
            name=self._name(str(options.get("server_id") or "triton")),
            control=_CONTROL_MODES[options.get("control_mode", 0)],
            # The interface's default is a folder that only the original's image has.
            backends=[folder] if options.get("backend_directory") and folder.is_dir() else [],
            startup_models=options.get("startup_models", ()),
            exit_timeout_s=options.get("exit_timeout_s", 30),
            exit_on_error=options.get("exit_on_error", True),
            metrics_config=_metrics_config(options),
            backend_config=_backend_config(options),
            pool_byte_size=options.get("pinned_memory_pool_byte_size", DEFAULTS.pool_byte_size),
        )
        self._made[id(server.engine)] = (server, bool(options.get("strict_readiness", True)))
        return server.engine

    def server_delete(self, engine: object) -> None:
        """Close a server, where it was not stopped before, and forget it."""
        self.server_stop(engine)
        self._made.pop(id(engine), None)

    def server_stop(self, engine: object) -> None:
        """Close a server; whoever asks it for anything afterwards is told that it is."""
        made = self._made.get(id(engine))
        (made[0] if made else self._server(engine)).close()

    def set_exit_timeout(self, engine: object, seconds: int) -> None:
        """Seconds that requests in flight get when the server stops."""
        self._server(engine).exit_timeout_s = seconds

    def load_model(self, engine: object, name: str, config: str | None = None) -> None:
        """Load a model, with a configuration of its own where one is given; refused by the codes of the original."""
        try:
            self._server(engine).load(name, config=config)
        except (NotFoundError, UnavailableError) as exc:
            # The original finds no configuration to read, which is an error of its own there.
            server = self._server(engine)
            if isinstance(exc, UnavailableError) and server.options.control != "explicit":
                raise
            raise InternalError(str(exc)) from exc
        except WorkbenchError as exc:
            raise error_for(exc.wire_code, str(exc)) from exc

    def load_model_with(
        self, engine: object, name: str, *, config: str | None, files: Mapping[str, bytes] = _NO_FILES
    ) -> None:
        """Load a model with a configuration, and files, that take the place of those in the repository."""
        if files:
            message = f"load of {name!r}: files of {len(files)} names came with it; this server reads them from folders"
            raise UnsupportedError(message)
        self.load_model(engine, name, config)

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
            return "true" if self._is_ready(engine, server) else "false"
        return server.describe(topic, model=model, version=version)

    def _is_ready(self, engine: object, server: Server) -> bool:
        """Where readiness is strict, a model that was to be served and is not makes the server unready."""
        _, is_strict = self._made.get(id(engine), (server, False))
        return not is_strict or all(_is_settled(entry) for entry in server.index())

    @staticmethod
    def _name(server_id: str) -> str:
        # Two servers of the C interface live beside each other, whatever they are called.
        taken = RUNNING.names()
        names = (server_id if number == 1 else f"{server_id}-{number}" for number in count(1))
        return next(name for name in names if name not in taken)

    def _server(self, engine: object) -> Server:
        if (made := self._made.get(id(engine))) is not None:
            if made[0].is_closed:
                message = "the server is stopped"
                raise UnavailableError(message)
            return made[0]
        for server in RUNNING.servers():
            if server.engine is engine:
                return server
        message = "the server is closed"
        raise InvalidArgumentError(message)


def _is_settled(entry: IndexEntry) -> bool:
    return entry.state in _SETTLED or entry.reason == "unloaded"


def _backend_config(options: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    config: dict[str, dict[str, str]] = {}
    for backend, setting, value in options.get("backend_settings", ()):
        config.setdefault(backend, {})[setting] = value
    return config


def _metrics_config(options: Mapping[str, Any]) -> dict[str, str | bool]:
    flags = {name: bool(options.get(name, True)) for name in ("metrics", "cpu_metrics", "gpu_metrics")}
    return {**flags, **{setting: value for _, setting, value in options.get("metrics_settings", ())}}


CONTROL_PLANE: Final = ControlPlane()
