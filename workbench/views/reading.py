# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One reading of a server's log for all of its views, and what is made of it once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar, runtime_checkable
from weakref import WeakKeyDictionary, WeakValueDictionary

from workbench.events import EventColumns
from workbench.server import MemoryStatistics, Server
from workbench.views.past import Pasts
from workbench.views.tally import Tally

T = TypeVar("T")

SAME_NS: Final = 40_000_000
"""A reading serves whoever asks so shortly after: views that tick together see the same."""


SETTLED: Final = 1 << 12
"""Records, after which those that were gathered together with forgotten ones are over."""


class Shared:
    """What several views make of the same events. Any thread may call it.

    Attributes:
        pasts: what the views keep.
        known_ns: nothing was missed that ended after this when the log was read from its beginning.
    """

    def __init__(self) -> None:
        self._newest: tuple[object, dict[Hashable, Any]] = (None, {})
        self._tallies: WeakValueDictionary[Hashable, Tally] = WeakValueDictionary()
        self.pasts: Final = Pasts()
        self.known_ns = 0

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

    def tally(self, key: Hashable, make: Callable[[], Tally]) -> Tally:
        """The tally that somebody keeps under this key, which tells all that it is made of; else a new one."""
        found = self._tallies.get(key)
        if found is None:
            found = self._tallies[key] = make()
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
                columns = read_events(since) if since else self._from_beginning(read_events)
                read = self._read = _Read(since, now_ns, columns)
            elif read.since != since:
                return read_events(since, until=read.columns.next_since)
            return read.columns

    def _from_beginning(self, read_events: ReadEvents) -> EventColumns:
        """All that the log holds. What it no longer holds is not lost to who begins to read: it is not known."""
        columns = read_events(0)
        self.shared.known_ns = 0
        if columns.dropped:
            overwritten = max(read_events(0, until=1).next_since - 1, 0)
            self.shared.known_ns = _settled_ns(columns)
            columns = replace(columns, dropped=max(columns.dropped - overwritten, 0))
        return columns

    def memory(self, read_memory: Callable[[], MemoryStatistics]) -> MemoryStatistics:
        """The pools now, or a moment ago."""
        with self._lock:
            now_ns = self._clock()
            if self._memory is None or now_ns - self._memory[0] > SAME_NS:
                self._memory = (now_ns, read_memory())
            return self._memory[1]


def _settled_ns(columns: EventColumns) -> int:
    """From when on the columns have everything: their first records come from threads of which others are missing."""
    ended = max(columns.requests, columns.refusals, columns.batches, key=len)
    return int(ended[:SETTLED]["end_ns"].max()) if len(ended) else 0


_READINGS: Final[WeakKeyDictionary[Server, Reading]] = WeakKeyDictionary()
_MAKING: Final = threading.Lock()


def reading_of(server: Server) -> Reading:
    """The one reading of a server."""
    with _MAKING:
        found = _READINGS.get(server)
        if found is None:
            found = _READINGS[server] = Reading()
        return found
