# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The servers of this process by name, and their end with it."""

from __future__ import annotations

import atexit
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from workbench.errors import NotFoundError

if TYPE_CHECKING:
    from workbench.server.server import Server  # the server registers itself here


class RunningServers:
    """Servers by name; one that is replaced drains in the background.

    Threads: any.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._servers: dict[str, Server] = {}
        self._draining: list[Thread] = []

    def add(self, server: Server) -> None:
        """Let the server's name mean it; close the one that had the name, in the background."""
        with self._lock:
            old = self._servers.get(server.name)
            self._servers[server.name] = server
            self._draining = [thread for thread in self._draining if thread.is_alive()]
            if old is not None:
                thread = Thread(target=old.close, name=f"wb-close-{old.name}", daemon=True)
                self._draining.append(thread)
                thread.start()

    def remove(self, server: Server) -> None:
        """Forget a server that closes."""
        with self._lock:
            if self._servers.get(server.name) is server:
                del self._servers[server.name]

    def get(self, name: str) -> Server:
        """The running server of that name.

        Raises:
            NotFoundError: there is none.
        """
        with self._lock:
            if name in self._servers:
                return self._servers[name]
            there = ", ".join(self._servers) or "none"
        message = f"no server {name!r} runs; running: {there}. Start one: %serve FOLDER, or workbench.Server(FOLDER)"
        raise NotFoundError(message)

    def names(self) -> tuple[str, ...]:
        """Names of the running servers."""
        with self._lock:
            return tuple(self._servers)

    def servers(self) -> tuple[Server, ...]:
        """The running servers."""
        with self._lock:
            return tuple(self._servers.values())

    def is_draining(self) -> bool:
        """Whether a server that was replaced is not closed yet."""
        with self._lock:
            return any(thread.is_alive() for thread in self._draining)

    def wait_drained(self, timeout_s: float) -> bool:
        """Wait until the servers that were replaced are closed; False where the time was too short for one."""
        with self._lock:
            draining = tuple(self._draining)
        for thread in draining:
            thread.join(timeout_s)
        return not any(thread.is_alive() for thread in draining)

    def close_all(self) -> None:
        """Close every server, and wait for those that drain."""
        with self._lock:
            servers, draining = tuple(self._servers.values()), tuple(self._draining)
        for server in servers:
            server.close()
        for thread in draining:
            thread.join()


RUNNING: Final = RunningServers()

# Before the interpreter finalizes: native threads must not meet an interpreter that is half gone.
atexit.register(RUNNING.close_all)


def current(name: str = "default") -> Server:
    """The server of that name that runs in this process.

    Raises:
        NotFoundError: there is none.
    """
    return RUNNING.get(name)
