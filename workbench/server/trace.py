# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which requests are traced, in the words of the protocol's trace extension, and what was heard of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, Literal

from workbench.errors import InvalidArgumentError
from workbench.events import RequestTrace, trace_of
from workbench.repository import Engine
from workbench.server.trace_file import save_traces

TraceLevel = Literal["OFF", "TIMESTAMPS", "TENSORS"]
_BITS: Final[Mapping[str, int]] = {"OFF": 0, "TIMESTAMPS": 4, "TENSORS": 8}
_KEPT: Final = 16_384


@dataclass(frozen=True, slots=True)
class TraceSettings:
    """Which requests of a model are traced, and how.

    Attributes:
        trace_level: "TIMESTAMPS", "TENSORS" or both; "OFF" for none.
        trace_rate: one of so many requests is traced.
        trace_count: so many traces are to come; -1 for any number.
        trace_file: JSON file that the traces are written to, in the form of the original's; "" for none.
    """

    trace_level: tuple[TraceLevel, ...] = ("OFF",)
    trace_rate: int = 1000
    trace_count: int = -1
    trace_file: str = ""

    def __post_init__(self) -> None:
        unknown = [level for level in self.trace_level if level not in _BITS]
        if unknown or ("OFF" in self.trace_level and len(self.trace_level) > 1):
            message = f"trace_level is OFF, or TIMESTAMPS and TENSORS as you like; got {', '.join(self.trace_level)}"
            raise InvalidArgumentError(message)
        if self.trace_rate < 1 or self.trace_count < -1:
            message = f"trace_rate is 1 or more, trace_count -1 or more; got {self.trace_rate} and {self.trace_count}"
            raise InvalidArgumentError(message)

    @property
    def bits(self) -> int:
        """The level as the C interface has it."""
        return sum(_BITS[level] for level in self.trace_level)


class TraceBook:
    """The trace settings of one server, and the latest traces.

    Threads: any.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = Lock()
        self._settings: dict[str, TraceSettings] = {}
        self._traces: deque[RequestTrace] = deque(maxlen=_KEPT)
        self._files: dict[str, list[RequestTrace]] = {}

    def settings(self, model: str = "") -> TraceSettings:
        """Those of a model, which are those of all models where it has none of its own."""
        with self._lock:
            return self._settings_of(model)

    def update(self, model: str, changes: Mapping[str, Any]) -> TraceSettings:
        """Change settings of a model, or of all that have none of their own (""); the counts start anew.

        Raises:
            InvalidArgumentError: there is no such setting, or it has no such value.
        """
        with self._lock:
            try:
                settings = replace(self._settings_of(model), **changes)
            except TypeError as exc:
                message = f"a trace has trace_level, trace_rate, trace_count, trace_file; got {', '.join(changes)}"
                raise InvalidArgumentError(message) from exc
            self._collect()
            self._settings[model] = settings
            self._engine.set_trace(model, level=settings.bits, rate=settings.trace_rate, count=settings.trace_count)
            return settings

    def clear(self, model: str) -> None:
        """Forget settings: those of a model give way to those of all, those of all ("") to none."""
        with self._lock:
            self._collect()
            self._settings.pop(model, None)
            self._engine.clear_trace(model)

    def traces(self) -> tuple[RequestTrace, ...]:
        """The latest traces that ended, oldest first; files are written anew."""
        with self._lock:
            self._collect()
            return tuple(self._traces)

    def _settings_of(self, model: str) -> TraceSettings:
        return self._settings.get(model) or self._settings.get("") or TraceSettings()

    def _collect(self) -> None:
        rows, _ = self._engine.take_traces()
        fresh = [trace_of(row) for row in rows]
        self._traces.extend(fresh)
        for trace in fresh:
            if file := self._settings_of(trace.model_name).trace_file:
                self._files.setdefault(file, []).append(trace)
        for file in {self._settings_of(trace.model_name).trace_file for trace in fresh} - {""}:
            save_traces(self._files[file], file)
