# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server tells of itself: statistics, events, memory, metrics, traces, log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.errors import InvalidArgumentError
from workbench.events import EventColumns, RequestTrace
from workbench.server.description import describe
from workbench.server.explanation import read_events
from workbench.server.log_settings import LogSettings, log_settings
from workbench.server.memory import MemoryStatistics, memory_of
from workbench.server.options import ServerOptions
from workbench.server.parts import ServerParts
from workbench.server.recorder import Recorder, Recorders
from workbench.server.scarce import CacheStatistics, cache_statistics_of
from workbench.server.statistics import ModelStatistics, statistics_of
from workbench.server.trace import TraceBook
from workbench.server.trace_settings import TraceSettings


class ObservedServer:
    """The half of a server that only tells.

    Threads: any.
    """

    options: ServerOptions
    _parts: ServerParts
    _recorders: Recorders
    _traces: TraceBook

    def statistics(self) -> tuple[ModelStatistics, ...]:
        """Statistics of every version that is ready."""
        repository = self._parts.repository
        running = (loaded for name in repository.names() for loaded in repository.serving(name))
        return tuple(statistics_of(one.model.name, one.version, one.model.statistics()) for one in running)

    def events(self, since: int = 0, *, until: int | None = None) -> EventColumns:
        """What happened, as columns of requests, refusals, batches, memory and model states.

        Args:
            since: sequence number of the first record wanted; `next_since` of the last answer goes on from there.
            until: sequence number of the first record not wanted any more, such as `next_since` of another reader's
                answer; None for all there are.
        """
        return read_events(self._parts, since, until)

    def record(self, path: str | Path, *, past: bool = False) -> Recorder:
        """Write the events from now on to a file, which `wb.replay` shows again without a server.

        A crash loses at most the last second. Ends by `close` of what it returns, and with the server.

        Args:
            path: the file, by custom one that ends in ".wbr"; an older one is replaced.
            past: also write what the log still holds from before.

        Raises:
            InvalidArgumentError: the server keeps no events, or the file is being written by another recording.
            MissingExtraError: pyarrow is not installed.
        """
        if not self.options.event_byte_size:
            message = "this server keeps no events to record: make it with event_byte_size greater than 0"
            raise InvalidArgumentError(message)
        return self._recorders.start(self._parts, path, server=self.options.name, past=past)

    def memory(self) -> MemoryStatistics:
        """What the memory pools hold, with a map of their blocks: whose each is, and which tensor it holds."""
        return memory_of(self._parts.engine)

    def cache_statistics(self) -> CacheStatistics:
        """What the response cache did and holds.

        Raises:
            InvalidArgumentError: the server has none.
        """
        return cache_statistics_of(self._parts.engine.cache_statistics())

    def metrics(self) -> str:
        """The metrics page, as Prometheus reads it: models, pools, the machine, and metrics that backends made."""
        return self._parts.engine.metrics_page()

    def trace(self, model: str = "", **changes: Any) -> TraceSettings:
        """The settings by which requests are traced, after `changes` to them.

        Args:
            model: whose; "" stands for all models that have no settings of their own.
            changes: trace_level, trace_rate, trace_count, trace_file, log_frequency, as in TraceSettings.

        Raises:
            InvalidArgumentError: there is no such setting, or it has no such value.
        """
        return self._traces.update(model, changes) if changes else self._traces.settings(model)

    def clear_trace(self, model: str = "") -> None:
        """Forget the trace settings of a model, or those of all ("")."""
        self._traces.clear(model)

    def traces(self) -> tuple[RequestTrace, ...]:
        """The latest requests that were traced, oldest first; `events.save_chrome_trace` takes them along."""
        return self._traces.traces()

    @staticmethod
    def log_settings(**changes: Any) -> LogSettings:
        """The settings of the process's log, after `changes` to them; messages reach Python's logging.

        Loggers are `workbench.backend.<name>`, and `workbench.core` where no backend is known to speak.

        Args:
            changes: log_info, log_warning, log_error, log_verbose_level, log_file, log_format, as in LogSettings.

        Raises:
            InvalidArgumentError: there is no such setting, or it has no such value.
            InternalError: the file can not be written.
        """
        return log_settings(**changes)

    def describe(self, topic: str, *, model: str = "", version: int = -1) -> str:
        """What the protocol's management calls answer, as JSON text.

        Args:
            topic: "server_metadata", "index", "ready_index", "model_metadata", "model_config" or "model_statistics".
            model: its name, where the topic is of one; "" means all models for "model_statistics".
            version: its version; -1 is the highest, for "model_statistics" all.

        Raises:
            InvalidArgumentError: no such topic; the message names those there are.
            NotFoundError, UnavailableError: the model is not ready.
        """
        return describe(self._parts.repository, topic, model, version)
