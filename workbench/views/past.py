# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a view read: the records of its window, and where it goes on reading. Views of one source take it over."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakSet

from workbench.events import EventColumns, EventNames, sequence_texts
from workbench.views.history import ENDED, History

MOST_TEXTS: Final = 1 << 16
"""Names of sequences that are remembered; beyond, the oldest are told by their hash."""

FRESH_NS: Final = 2_000_000_000
"""A view that has not read for longer may have missed what the log no longer has."""


@dataclass(eq=False)
class Past:
    """One thread adds to it, any may copy it.

    Attributes:
        of: which models it is about.
        window_ns: how far it reaches back.
        history: the records.
        known_ns: nothing was missed that ended after this.
        since: where the last reading began.
        next_since: where to go on reading; 0 before anything was read.
        read_ns: when it was read last.
        dropped: events that were lost meanwhile.
        texts: what sequences are called.
        names: what numbers of models and pools stand for.
        keeps_few: whether it forgets what the next news do not need.
    """

    of: Hashable
    window_ns: int
    history: History
    known_ns: int = 0
    since: int = 0
    next_since: int = 0
    read_ns: int = 0
    dropped: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    names: EventNames = field(default_factory=EventNames)
    keeps_few: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def whole_since_ns(self) -> int:
        """All requests, refusals and batches that ended after this are in the history."""
        return max(self.known_ns, self.history.forgotten_ns(*ENDED))

    def add(self, read: EventColumns, own: EventColumns, *, now_ns: int, needed_ns: int) -> None:
        """Keeps what is its own of a reading; see `History`."""
        with self._lock:
            self.texts |= sequence_texts(read.sequence_names)
            while len(self.texts) > MOST_TEXTS:
                del self.texts[next(iter(self.texts))]
            self.history.add(own, now_ns=now_ns, needed_ns=needed_ns)
            self.since, self.next_since, self.read_ns = self.next_since, read.next_since, now_ns
            self.dropped += read.dropped
            self.names = read.names

    def keep_few(self, limit: int) -> None:
        """From now on keeps little of each kind, and is nothing to take over."""
        with self._lock:
            self.keeps_few, self.history.limit = True, limit

    def copied(self, *, window_ns: int, limit: int | None = None) -> Past:
        """The same records, for a window that is no wider; with a limit, as one that keeps few."""
        with self._lock:
            return Past(
                of=self.of,
                window_ns=window_ns,
                history=self.history.copied(window_ns=window_ns, limit=limit),
                known_ns=self.known_ns,
                since=self.since,
                next_since=self.next_since,
                read_ns=self.read_ns,
                dropped=self.dropped,
                texts=dict(self.texts),
                names=self.names,
                keeps_few=limit is not None,
            )


class Pasts:
    """What the views of a source keep, so that none keeps a second time what another has. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: WeakSet[Past] = WeakSet()

    def add(self, past: Past) -> None:
        """Others may take it over, as long as somebody keeps it."""
        with self._lock:
            self._kept.add(past)

    def begun(self, of: Hashable, *, window_ns: int, now_ns: int) -> Past:
        """A past for a view that begins: what another has of so long a time; empty where there is none."""
        newest = self._newest(of, window_ns, now_ns)
        if newest is None:
            return Past(of=of, window_ns=window_ns, history=History(window_ns=window_ns))
        return newest.copied(window_ns=window_ns)

    def ahead_of(self, past: Past, *, now_ns: int) -> Past | None:
        """The same past as another read on: who reads seldom takes that, rather than to read the log a second time."""
        newest = self._newest(past.of, past.window_ns, now_ns)
        if newest is None or newest.since <= past.next_since:
            return None
        if newest.known_ns > max(past.whole_since_ns, now_ns - past.window_ns):
            return None
        return newest.copied(window_ns=past.window_ns, limit=past.history.limit if past.keeps_few else None)

    def _newest(self, of: Hashable, window_ns: int, now_ns: int) -> Past | None:
        with self._lock:
            known = [past for past in self._kept if _is_covering(past, of, window_ns, now_ns)]
        return max(known, key=lambda past: past.next_since, default=None)


def _is_covering(past: Past, of: Hashable, window_ns: int, now_ns: int) -> bool:
    is_fresh = past.next_since > 0 and now_ns - past.read_ns < FRESH_NS
    return is_fresh and not past.keeps_few and past.of == of and past.window_ns >= window_ns
