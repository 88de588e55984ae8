# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The control plane of the C interface: servers of this process do what `TRITONSERVER_ServerNew` and kin ask for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from workbench.errors import InternalError, InvalidArgumentError, NotFoundError, WorkbenchError, error_for
from workbench.server.options import ControlMode
from workbench.server.running import RUNNING
from workbench.server.server import Server

_CONTROL_MODES: Final[Mapping[int, ControlMode]] = {0: "none", 1: "poll", 2: "explicit"}


class ControlPlane:
    """Makes, manages and describes servers for callers of the C interface, who name them by their engines.

    Threads: any, one that holds the interpreter's lock.
    """

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
        )
        return server.engine

    def server_delete(self, engine: object) -> None:
        """Close a server."""
        self._server(engine).close()

    def load_model(self, engine: object, name: str, config: str | None = None) -> None:
        """Load a model, with a configuration of its own where one is given; refused by the codes of the original."""
        try:
            self._server(engine).load(name, config=config)
        except NotFoundError as exc:
            # The original finds no configuration to read, which is an error of its own there.
            raise InternalError(str(exc)) from exc
        except WorkbenchError as exc:
            raise error_for(exc.wire_code, str(exc)) from exc

    def unload_model(self, engine: object, name: str, with_dependents: bool = False) -> None:  # noqa: FBT001, FBT002
        """Unload a model."""
        del with_dependents
        self._server(engine).unload(name)

    def describe(self, engine: object, topic: str, model: str, version: int) -> str:
        """The JSON text for a topic of `workbench.server.description`."""
        return self._server(engine).describe(topic, model=model, version=version)

    @staticmethod
    def _name(server_id: str) -> str:
        # Two servers of the C interface live beside each other, whatever they are called.
        taken = RUNNING.names()
        names = (server_id if number == 1 else f"{server_id}-{number}" for number in count(1))
        return next(name for name in names if name not in taken)

    @staticmethod
    def _server(engine: object) -> Server:
        for server in RUNNING.servers():
            if server.engine is engine:
                return server
        message = "the server is closed"
        raise InvalidArgumentError(message)


CONTROL_PLANE: Final = ControlPlane()
