# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Follows a source: reads its events often, and says what is new, or all that the window holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from workbench.events import EVENT_DTYPE, EventColumns
from workbench.server import Pool
from workbench.views.facts import ModelFacts, Source
from workbench.views.history import History
from workbench.views.lanes import thin, waiting_fan
from workbench.views.memory import POOL_BIN_DTYPE, pool_bins, pool_marks, pools_after
from workbench.views.records import Records, select
from workbench.views.reducers import BINS, of_model, reduce, since
from workbench.views.states import state_marks
from workbench.views.tally import Tally, combined, tally, totals_of
from workbench.views.throughput import BIN_DTYPE, p99_span, request_bins
from workbench.views.verdict import verdict
from workbench.views.view import Totals, View

# A bin is closed this long after its end, so that records still on their way are in it.
LAG_NS: Final = 50_000_000
TOTALS_EVERY_NS: Final = 400_000_000
RATE_BINS: Final = 10

_NONE: Final = np.empty(0, EVENT_DTYPE)
_NOTHING: Final = tally(_NONE, _NONE, _NONE)
_ENDED: Final = ("requests", "refusals", "batches")


class Follower:
    """The reader behind a live view. One thread calls it."""

    def __init__(self, source: Source, *, window_s: float = 10.0) -> None:
        self.source = source
        self.window_ns = round(window_s * 1e9)
        self.bin_ns = self.window_ns // BINS
        self._history = History(window_ns=self.window_ns + 2 * self.bin_ns)
        self._latest: EventColumns | None = None
        self._next_since = 0
        self._dropped = 0
        self._closed = 0
        self._span = 0
        self._facts = source.facts()
        self._pools: tuple[Pool, ...] = source.memory().pools
        self._totals_at_ns = 0
        self._offered_per_s = 0.0
        self._tallies: dict[int, Tally] = {}

    @property
    def facts(self) -> ModelFacts:
        """The model as it was last seen."""
        return self._facts

    def news(self, *, most_batches: int = 600, most_requests: int = 800) -> View:
        """What happened since the last call; at most so many batches and requests to draw."""
        columns = self._read()
        now_ns = self.source.now_ns()
        self._history.add(columns, now_ns=now_ns)
        self._pools = pools_after(columns.memory, self._pools)
        first, last = self._bins_to_close(columns, now_ns)
        bins = self._request_bins(first, last)
        totals = self._totals(now_ns)
        chosen = thin(columns.batches, limit=most_batches)
        return View(
            now_ns=now_ns,
            bin_ns=self.bin_ns,
            window_ns=self.window_ns,
            facts=self._facts,
            bins=bins,
            p99_span=self._span,
            batches=columns.batches.take(chosen.kept),
            requests=waiting_fan(columns.requests, limit=most_requests, whole_from_ns=chosen.whole_from_ns),
            batch_total=chosen.total,
            whole_from_ns=chosen.whole_from_ns,
            pools=self._pools,
            pool_bins=self._pool_bins(first, last),
            marks=(
                *pool_marks(columns.memory, self._pools, bin_ns=self.bin_ns),
                *state_marks(columns.model_states, columns.names, self._facts),
            ),
            totals=totals,
            sentence=verdict(totals, self._facts) if totals else "",
            dropped=self._dropped,
        )

    def measured(self) -> tuple[Records, float]:
        """Batches of the window and requests a second, as they were read last."""
        batches = self._history.records("batches")
        return (_NONE if batches is None else batches), self._offered_per_s

    def whole(self) -> View:
        """Everything in the window, as far as it was read."""
        return reduce(
            self._history.columns(self._latest_columns()),
            facts=self._facts,
            pools=self._pools,
            now_ns=self.source.now_ns(),
            window_ns=self.window_ns,
            dropped=self._dropped,
        )

    def _read(self) -> EventColumns:
        columns = self.source.events(since=self._next_since)
        self._next_since = columns.next_since
        self._dropped += columns.dropped
        self._latest = columns
        if len(columns.model_states):
            self._facts = self.source.facts()  # a reload gives the model another number in the events
        oldest_ns = self.source.now_ns() - self.window_ns
        kept = (
            since(of_model(records, self._facts), oldest_ns)
            for records in (columns.requests, columns.refusals, columns.batches)
        )
        requests, refusals, batches = kept
        return replace(columns, requests=requests, refusals=refusals, batches=batches)

    def _totals(self, now_ns: int) -> Totals | None:
        if now_ns - self._totals_at_ns < TOTALS_EVERY_NS:
            return None
        self._totals_at_ns = now_ns
        self._facts = self.source.facts()
        self._pools = self.source.memory().pools
        first = self._closed - BINS + 1
        self._tallies = {index: part for index, part in self._tallies.items() if index >= first}
        found = combined([*self._tallies.values(), _NOTHING])
        start_ns, end_ns = first * self.bin_ns, (self._closed + 1) * self.bin_ns
        totals = totals_of(found, facts=self._facts, start_ns=start_ns, end_ns=end_ns)
        self._offered_per_s = totals.offered_per_s
        return totals

    def _bins_to_close(self, columns: EventColumns, now_ns: int) -> tuple[int, int]:
        """The bins that are over and not told yet, and those told before that late records changed."""
        last = (now_ns - LAG_NS) // self.bin_ns - 1
        if self._closed == 0:
            self._closed = last
        first = self._closed + 1
        for records in (columns.requests, columns.refusals):
            if len(records):
                first = min(first, int(records["end_ns"].min()) // self.bin_ns)
        self._closed = max(self._closed, last)
        return max(first, last - BINS + 1), last

    def _request_bins(self, first: int, last: int) -> Records:
        """Bins from `first` on; earlier ones again where their p99 window ends only now."""
        if last < first:
            return np.empty(0, BIN_DTYPE)
        self._count(first, last)
        recent = [self._tallies.get(index, _NOTHING) for index in range(last - RATE_BINS + 1, last + 1)]
        answered = sum(part.answered for part in recent)
        self._span = p99_span(answered / RATE_BINS, previous=self._span)
        if self._span:
            first -= first % self._span
        ended = (self._since(kind, first) for kind in _ENDED)
        return request_bins(*ended, bin_ns=self.bin_ns, first=first, last=last, span=self._span)

    def _count(self, first: int, last: int) -> None:
        """The tallies of bins, for the figures of the window."""
        ended = [self._since(kind, first) for kind in _ENDED]
        bins = [(records["end_ns"] // self.bin_ns).astype(np.int64) for records in ended]
        for index in range(first, last + 1):
            self._tallies[index] = tally(
                *(select(records, of_bin == index) for records, of_bin in zip(ended, bins, strict=True))
            )

    def _pool_bins(self, first: int, last: int) -> Records:
        if last < first:
            return np.empty(0, POOL_BIN_DTYPE)
        return pool_bins(self._since("memory", first), self._pools, bin_ns=self.bin_ns, first=first, last=last)

    def _since(self, kind: str, index: int) -> Records:
        """What may have ended in bin `index` or later."""
        found = self._history.records(kind, since_ns=index * self.bin_ns)
        return _NONE if found is None else found

    def _latest_columns(self) -> EventColumns:
        return self._latest if self._latest is not None else self._read()
