# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The events of the last seconds, kept by a reader that looks often."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from workbench.events import EventColumns
from workbench.views.records import Records, copied, joined

KINDS: Final = ("requests", "refusals", "batches", "memory", "model_states", "steps", "sequences")
ENDED: Final = ("requests", "refusals", "batches")

MOST_OF_PIECE: Final = 1 << 15

FEWEST_READINGS: Final = 2
"""These are kept, however many records they have: what happens now is told by the newest and the one before."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Records of one reading, the newest stamp of them and of all read before, and where the next reading began."""

    records: Records
    newest_ns: int
    next_since: int


class History:
    """Columns of the last `window_ns`, as they were read; of each kind at most `limit` records, or two readings.

    Not safe for two threads at once.
    """

    def __init__(self, *, window_ns: int, limit: int = 1 << 19) -> None:
        self._window_ns = window_ns
        self.limit = limit
        self._chunks: dict[str, deque[_Chunk]] = {kind: deque() for kind in KINDS}
        self._counts = dict.fromkeys(KINDS, 0)
        self._forgotten_ns = dict.fromkeys(KINDS, 0)

    def add(self, columns: EventColumns, *, now_ns: int, needed_ns: int | None = None) -> None:
        """Keeps the columns, and forgets what is older than the window or too much.

        Args:
            columns: what was read.
            now_ns: end of the window.
            needed_ns: what ended then or later is not too much, however much it is; None for nothing.
        """
        needed_ns = now_ns if needed_ns is None else needed_ns
        for kind in KINDS:
            for records in _pieces(getattr(columns, kind)):
                chunks = self._chunks[kind]
                before_ns = chunks[-1].newest_ns if chunks else 0
                newest_ns = max(int(records[_stamp(kind)].max()), before_ns)
                chunks.append(_Chunk(records, newest_ns, columns.next_since))
                self._counts[kind] += len(records)
        self.forget(now_ns=now_ns, needed_ns=needed_ns)

    def forget(self, *, now_ns: int, needed_ns: int) -> None:
        """Forgets what is older than the window or too much, as `add` does."""
        for kind in KINDS:
            self._forget(kind, now_ns - self._window_ns, needed_ns)

    def copied(self, *, window_ns: int, limit: int | None = None) -> History:
        """The same records, for another window or limit."""
        copy = History(window_ns=window_ns, limit=self.limit if limit is None else limit)
        copy._chunks = {kind: chunks.copy() for kind, chunks in self._chunks.items()}
        copy._counts, copy._forgotten_ns = dict(self._counts), dict(self._forgotten_ns)
        return copy

    def forgotten_ns(self, *kinds: str) -> int:
        """No record of these kinds that ended after this was too much."""
        return max(self._forgotten_ns[kind] for kind in kinds)

    @property
    def oldest_ns(self) -> int | None:
        """When the oldest request or refusal ended that is kept; None where there is none."""
        oldest = [chunks[0].records["end_ns"].min() for kind in ENDED[:2] if (chunks := self._chunks[kind])]
        return int(min(oldest)) if oldest else None

    @property
    def byte_size(self) -> int:
        """Bytes of the records that are kept."""
        return sum(chunk.records.nbytes for chunks in self._chunks.values() for chunk in chunks)

    def records(self, kind: str, *, since_ns: int = 0, since: int = 0) -> Records | None:
        """Records that may have ended at `since_ns` or later, read from `since` on; None where there is none."""

        def is_wanted(chunk: _Chunk) -> bool:
            return chunk.newest_ns >= since_ns and (chunk.next_since > since or not since)

        newest_first = takewhile(is_wanted, reversed(self._chunks[kind]))
        parts = [chunk.records for chunk in newest_first]
        return joined(parts[::-1]) if parts else None

    def columns(self, like: EventColumns, *, since_ns: int = 0, since: int = 0) -> EventColumns:
        """All that is kept from `since_ns` on and was read from `since` on, with the names and counts of `like`."""
        kept = {kind: self.records(kind, since_ns=since_ns, since=since) for kind in KINDS}
        nothing = {kind: getattr(like, kind)[:0] for kind, records in kept.items() if records is None}
        return replace(like, **(kept | nothing))

    def _forget(self, kind: str, before_ns: int, needed_ns: int) -> None:
        chunks = self._chunks[kind]
        while chunks:
            is_too_much = self._is_too_much(kind) and chunks[0].newest_ns < needed_ns
            if not is_too_much and chunks[0].newest_ns >= before_ns:
                break
            gone = chunks.popleft()
            self._counts[kind] -= len(gone.records)
            if is_too_much:
                self._forgotten_ns[kind] = gone.newest_ns

    def _is_too_much(self, kind: str) -> bool:
        return self._counts[kind] > self.limit and len(self._chunks[kind]) > FEWEST_READINGS


def _pieces(records: Records) -> list[Records]:
    """What is read at once after a long time is forgotten in parts, each of which has room of its own."""
    if len(records) <= MOST_OF_PIECE:
        return [records] if len(records) else []
    places = range(0, len(records), MOST_OF_PIECE)
    return [copied(records[first : first + MOST_OF_PIECE]) for first in places]


def _stamp(kind: str) -> str:
    return "arrival_ns" if kind in ("memory", "model_states", "steps") else "end_ns"
