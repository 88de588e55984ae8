# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the gRPC door asks of its server beside inference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.errors import WorkbenchError
from workbench.server.control_plane import CONTROL_PLANE
from workbench.server.parts import ServerParts
from workbench.server.protocol_settings import settings_service
from workbench.server.trace import TraceBook


class GrpcManagement:
    """The management calls of one server, with the codes of the C interface.

    Threads: any.
    """

    def __init__(self, parts: ServerParts, traces: TraceBook) -> None:
        self._parts = parts
        self._settings = settings_service(traces, parts.repository)

    def describe(self, topic: str, model: str = "", version: int = -1) -> str:
        """A topic of the control plane, as JSON text."""
        return CONTROL_PLANE.describe(self._parts.engine, topic, model, version)

    def load(self, name: str, *, config: str | None, files: Mapping[str, bytes]) -> None:
        """Load a model."""
        CONTROL_PLANE.load_model_with(self._parts.engine, name, config=config, files=files)

    def unload(self, name: str, *, with_dependents: bool) -> None:
        """Unload a model."""
        CONTROL_PLANE.unload_model(self._parts.engine, name, with_dependents)

    def settings(self, topic: str, model: str, body: str | None) -> dict[str, Any]:
        """Trace and log settings, after the changes in `body`."""
        return self._settings(topic, model, body)

    def is_ready(self, model: str, version: int) -> bool:
        """Whether the model takes requests."""
        try:
            self._parts.repository.version(model, version)
        except WorkbenchError:
            return False
        return True

    def is_decoupled(self, model: str, version: int) -> bool:
        """Whether it may answer many times."""
        return bool(self._parts.repository.version(model, version).config.model_transaction_policy.decoupled)

    def version_of(self, model: str, version: int) -> str:
        """The version that answers."""
        return str(self._parts.repository.version(model, version).version)
