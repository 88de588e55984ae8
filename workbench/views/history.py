# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The events of the last seconds, kept by a reader that looks often."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from workbench.events import EventColumns
from workbench.views.records import Records, joined

KINDS: Final = ("requests", "refusals", "batches", "memory", "model_states", "steps", "sequences")


FEWEST_READINGS: Final = 2
"""These are kept, however many records they have: what happens now is told by the newest and the one before."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Records of one reading, and the newest stamp of them and of all read before."""

    records: Records
    newest_ns: int


class History:
    """Columns of the last `window_ns`, as they were read; of each kind at most `limit` records, or two readings.

    Not safe for two threads at once.
    """

    def __init__(self, *, window_ns: int, limit: int = 1 << 19) -> None:
        self._window_ns = window_ns
        self.limit = limit
        self._chunks: dict[str, deque[_Chunk]] = {kind: deque() for kind in KINDS}
        self._counts = dict.fromkeys(KINDS, 0)

    def add(self, columns: EventColumns, *, now_ns: int) -> None:
        """Keeps the columns, and forgets what is older than the window or too much."""
        for kind in KINDS:
            records = getattr(columns, kind)
            if len(records):
                chunks = self._chunks[kind]
                before_ns = chunks[-1].newest_ns if chunks else 0
                chunks.append(_Chunk(records, max(int(records[_stamp(kind)].max()), before_ns)))
                self._counts[kind] += len(records)
            self._forget(kind, now_ns - self._window_ns)

    @property
    def byte_size(self) -> int:
        """Bytes of the records that are kept."""
        return sum(chunk.records.nbytes for chunks in self._chunks.values() for chunk in chunks)

    def records(self, kind: str, *, since_ns: int = 0) -> Records | None:
        """Records of a kind that may have ended at `since_ns` or later; None when there is none."""
        newest_first = takewhile(lambda chunk: chunk.newest_ns >= since_ns, reversed(self._chunks[kind]))
        parts = [chunk.records for chunk in newest_first]
        return joined(parts[::-1]) if parts else None

    def columns(self, like: EventColumns, *, since_ns: int = 0) -> EventColumns:
        """All that is kept from `since_ns` on, with the names and counts of `like`."""
        kept = {kind: self.records(kind, since_ns=since_ns) for kind in KINDS}
        nothing = {kind: getattr(like, kind)[:0] for kind, records in kept.items() if records is None}
        return replace(like, **(kept | nothing))

    def _forget(self, kind: str, before_ns: int) -> None:
        chunks = self._chunks[kind]
        while chunks and (chunks[0].newest_ns < before_ns or self._is_too_much(kind)):
            self._counts[kind] -= len(chunks.popleft().records)

    def _is_too_much(self, kind: str) -> bool:
        return self._counts[kind] > self.limit and len(self._chunks[kind]) > FEWEST_READINGS


def _stamp(kind: str) -> str:
    return "arrival_ns" if kind in ("memory", "model_states", "steps") else "end_ns"
