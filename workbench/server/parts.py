# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server is made of, handed to those who need it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from workbench.repository import Engine, ModelRepository
from workbench.server.completions import Completions

_REMEMBERED: Final = 10_000


class RecentRequests:
    """The numbers of requests that were sent with an id of their own, the latest of them.

    Threads: any; each call is one step under the interpreter's lock.
    """

    def __init__(self) -> None:
        self._serials: dict[str, int] = {}

    def note(self, request_id: str, serial: int) -> None:
        """Remember a request; one that had the id before is forgotten."""
        self._serials[request_id] = serial
        while len(self._serials) > _REMEMBERED:
            self._serials.pop(next(iter(self._serials)), None)

    def serial(self, request_id: str) -> int | None:
        """The number of the latest request with that id."""
        return self._serials.get(request_id)


@dataclass(frozen=True, slots=True)
class ServerParts:
    """The engine, its models, the awaited requests, the requests with ids."""

    engine: Engine
    repository: ModelRepository
    completions: Completions
    recent: RecentRequests = field(default_factory=RecentRequests)
