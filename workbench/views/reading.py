# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One reading of a server's log for all of its views, and what is made of it once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, runtime_checkable
from weakref import WeakKeyDictionary

from workbench.events import EventColumns
from workbench.server import MemoryStatistics, Server

T = TypeVar("T")

SAME_NS: Final = 20_000_000
"""A reading serves whoever asks so shortly after: views that tick together see the same."""


class Shared:
    """What was made of the newest columns: several views of one reading make it once. Any thread may call it."""

    def __init__(self) -> None:
        self._newest: tuple[object, dict[Hashable, Any]] = (None, {})

    def of(self, columns: object, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives for these columns; `key` tells it from everything else that is made of them."""
        of_whom, made = self._newest
        if of_whom is not columns:
            made = {}
            self._newest = (columns, made)
        if key not in made:
            made[key] = make()
        found: T = made[key]
        return found


@runtime_checkable
class SharedSource(Protocol):
    """A source that several views read: what they make of the same columns is kept for all of them."""

    @property
    def shared(self) -> Shared:
        """What was made of the newest columns."""


class ReadEvents(Protocol):
    """Reads a log from a sequence number on; a server's `events`."""

    def __call__(self, since: int = 0, *, until: int | None = None) -> EventColumns:
        """The events before `until`; all there are where that is None."""


@dataclass(frozen=True, slots=True)
class _Read:
    since: int
    at_ns: int
    columns: EventColumns


class Reading:
    """The log and the pools of a server as its views read them. Any thread may call it; it keeps no server alive."""

    def __init__(self, *, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._read: _Read | None = None
        self._memory: tuple[int, MemoryStatistics] | None = None
        self.shared: Final = Shared()

    def events(self, since: int, read_events: ReadEvents) -> EventColumns:
        """The events from that number on, up to now or a moment ago: whoever asks in one moment goes on alike."""
        with self._lock:
            now_ns, read = self._clock(), self._read
            if read is None or now_ns - read.at_ns > SAME_NS or since >= read.columns.next_since:
                read = self._read = _Read(since, now_ns, read_events(since))
            elif read.since != since:
                return read_events(since, until=read.columns.next_since)
            return read.columns

    def memory(self, read_memory: Callable[[], MemoryStatistics]) -> MemoryStatistics:
        """The pools now, or a moment ago."""
        with self._lock:
            now_ns = self._clock()
            if self._memory is None or now_ns - self._memory[0] > SAME_NS:
                self._memory = (now_ns, read_memory())
            return self._memory[1]


_READINGS: Final[WeakKeyDictionary[Server, Reading]] = WeakKeyDictionary()
_MAKING: Final = threading.Lock()


def reading_of(server: Server) -> Reading:
    """The one reading of a server."""
    with _MAKING:
        found = _READINGS.get(server)
        if found is None:
            found = _READINGS[server] = Reading()
        return found
