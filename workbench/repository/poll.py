# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Control mode "poll": looks at the repository again and again and follows what changed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import Final, Protocol

from workbench.errors import UnavailableError, WorkbenchError
from workbench.repository.source import Fingerprint, ModelFolder, Sources

LOG: Final = logging.getLogger("workbench.repository")
_AMBIGUOUS: Final[Fingerprint] = (("in several repositories", 0, 0),)


class Unload(Protocol):
    """Ends the service of a model."""

    def __call__(self, name: str, *, reason: str = ...) -> None:
        """Take no more requests for a model, for a reason that its state tells."""


class Poll:
    """Loads models that are new or changed and unloads those whose folder is gone.

    A model that fails is tried again when its files change, and keeps no other from being seen. A model that lies in
    several repositories is not served until it lies in one.

    Args:
        sources: where the models lie.
        load, unload: carry out one change each; errors of `load` are told by the model's state.

    Threads: `start` makes one of its own; any may call `look`, which one does at a time.
    """

    def __init__(self, sources: Sources, *, load: Callable[[str], None], unload: Unload) -> None:
        self._sources = sources
        self._load = load
        self._unload = unload
        self._seen: dict[str, Fingerprint] = {}
        self._looking = Lock()
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self, period_s: float) -> None:
        """Look every `period_s` seconds until `close`."""
        self._thread = Thread(target=self._run, args=(period_s,), name="wb-poll", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Follow what changed since the last look."""
        with self._looking:
            names = set(self._sources.names())
            for name in sorted(set(self._seen) - names):
                del self._seen[name]
                self._unload(name)
            for name in sorted(names):
                self._follow(name)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, period_s: float) -> None:
        while not self._stop.wait(period_s):
            try:
                self.look()
            except OSError as exc:
                LOG.warning("a model repository can not be looked at: %s", exc)

    def _follow(self, name: str) -> None:
        try:
            folder = self._find(name)
            if folder is None or self._seen.get(name) == (fingerprint := folder.fingerprint()):
                return
            self._seen[name] = fingerprint
            self._load(name)
        except (WorkbenchError, OSError) as exc:
            # Files may vanish while they are looked at; the next look sees what became of them.
            LOG.warning("model %s is not served as its files are now: %s", name, exc)

    def _find(self, name: str) -> ModelFolder | None:
        try:
            return self._sources.find(name)
        except UnavailableError as exc:
            if self._seen.get(name) != _AMBIGUOUS:
                LOG.warning("%s", exc)
                self._seen[name] = _AMBIGUOUS
                self._unload(name, reason=str(exc))
            return None
