# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which traces go to which file, and when: by the settings that hold for their models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from workbench.events import RequestTrace
from workbench.server.trace_file import TraceFile
from workbench.server.trace_settings import TraceSettings

_KEPT_PARTS: Final = 16_384


@dataclass(slots=True)
class _Collected:
    """What was traced by some settings: roots in `count`, those that are not written in `waiting`."""

    file: TraceFile
    count: int = 0
    waiting: list[list[RequestTrace]] = field(default_factory=list)

    def take(self) -> list[RequestTrace]:
        waiting, self.waiting = self.waiting, []
        return [trace for traces in waiting for trace in traces]


class TraceFiles:
    """The trace files of one server.

    As with the original a file takes what is traced until the settings change; with a frequency, and once a count is
    reached, traces go to numbered files beside it. Without either the file is written as traces are collected.

    Threads: one at a time.
    """

    def __init__(self) -> None:
        self._files: dict[str, TraceFile] = {}
        self._collected: dict[str, _Collected] = {}
        self._parts: dict[int, list[RequestTrace]] = {}

    def whole(self, fresh: Iterable[RequestTrace]) -> list[list[RequestTrace]]:
        """Requests that ended, each with its parts (the steps of an ensemble), which end before it."""
        roots = []
        for trace in fresh:
            traces = [trace, *self._take_parts(trace.id)]
            if trace.parent_id:
                self._parts.setdefault(trace.parent_id, []).extend(traces)
            else:
                roots.append(traces)
        while len(self._parts) > _KEPT_PARTS:  # their roots were lost
            self._parts.pop(next(iter(self._parts)))
        return roots

    def add(self, key: str, settings: TraceSettings, root: list[RequestTrace]) -> None:
        """One request that was traced by those settings."""
        if not settings.trace_file:
            return
        file = self._files.setdefault(settings.trace_file, TraceFile(settings.trace_file))
        collected = self._collected.setdefault(key, _Collected(file))
        collected.waiting.append(root)
        collected.count += 1
        is_whole = 0 < settings.log_frequency <= len(collected.waiting)
        if is_whole or collected.count == settings.trace_count:
            file.save_part(collected.take())

    def flush(self, settings: Mapping[str, TraceSettings]) -> None:
        """Write what waits for nothing."""
        for key, collected in self._collected.items():
            told = settings[key]
            if collected.waiting and not told.log_frequency and told.trace_count < 0:
                collected.file.add(collected.take())

    def leave(self, key: str) -> None:
        """Those settings end."""
        collected = self._collected.pop(key, None)
        if collected is not None and collected.waiting:
            collected.file.add(collected.take())

    def _take_parts(self, number: int) -> list[RequestTrace]:
        return self._parts.pop(number, [])
