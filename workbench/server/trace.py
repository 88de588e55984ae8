# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The trace settings of a server, and what was heard of requests that were traced."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import fields, replace
from logging import getLogger
from threading import Lock, Thread
from typing import Any, Final

from workbench.errors import InvalidArgumentError
from workbench.events import RequestTrace, trace_of
from workbench.repository import Engine
from workbench.server.trace_files import TraceFiles
from workbench.server.trace_settings import TraceSettings

_KEPT: Final = 16_384
_LOOK_S: Final = 0.1
_LOG: Final = getLogger("workbench.server")


class TraceBook:
    """The trace settings of one server, and the latest traces.

    While traces go to files, a thread of its own writes them as they end.

    Threads: any.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = Lock()
        self._settings: dict[str, TraceSettings] = {}
        self._traces: deque[RequestTrace] = deque(maxlen=_KEPT)
        self._files = TraceFiles()
        self._writer: Thread | None = None
        self._is_closed = False

    def settings(self, model: str = "") -> TraceSettings:
        """Those of a model, which are those of all models where it has none of its own."""
        with self._lock:
            return self._settings[key] if (key := self._key(model)) in self._settings else TraceSettings()

    def update(self, model: str, changes: Mapping[str, Any]) -> TraceSettings:
        """Change settings of a model, or of all that have none of their own (""); the counts start anew.

        Raises:
            InvalidArgumentError: there is no such setting, or it has no such value.
        """
        with self._lock:
            try:
                settings = replace(self._settings.get(self._key(model)) or TraceSettings(), **changes)
            except TypeError as exc:
                names = ", ".join(field.name for field in fields(TraceSettings))
                message = f"a trace has {names}; got {', '.join(changes)}"
                raise InvalidArgumentError(message) from exc
            self._leave(model)
            self._settings[model] = settings
            self._engine.set_trace(model, level=settings.bits, rate=settings.trace_rate, count=settings.trace_count)
            if settings.trace_file and settings.bits:
                self._start_writing()
            return settings

    def clear(self, model: str) -> None:
        """Forget settings: those of a model give way to those of all, those of all ("") to none."""
        with self._lock:
            self._leave(model)
            self._settings.pop(model, None)
            self._engine.clear_trace(model)

    def traces(self) -> tuple[RequestTrace, ...]:
        """The latest traces that ended, oldest first; they are in their files, too."""
        with self._lock:
            self._collect()
            return tuple(self._traces)

    def close(self) -> None:
        """Write what is left; nothing is heard of later traces."""
        self._is_closed = True
        if self._writer is not None:
            self._writer.join()
        with self._lock:
            for model in list(self._settings):
                self._leave(model)

    def _key(self, model: str) -> str:
        return model if model in self._settings else ""

    def _leave(self, model: str) -> None:
        """Settings end: what was traced by them is written."""
        self._collect()
        self._files.leave(model)

    def _collect(self) -> None:
        rows, _ = self._engine.take_traces()
        fresh = [trace_of(row) for row in rows]
        self._traces.extend(fresh)
        for root in self._files.whole(fresh):
            key = self._key(root[0].model_name)
            if key in self._settings:
                self._files.add(key, self._settings[key], root)
        self._files.flush(self._settings)

    def _start_writing(self) -> None:
        if self._writer is None and not self._is_closed:
            self._writer = Thread(target=self._write, name="wb-traces", daemon=True)
            self._writer.start()

    def _write(self) -> None:
        while not self._is_closed:
            if not self._engine.wait_for_traces(_LOOK_S):
                continue
            try:
                self.traces()
            except OSError as exc:
                _LOG.warning("traces can not be written: %s", exc)
