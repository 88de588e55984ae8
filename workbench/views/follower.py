# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Follows a source: reads its events often, and says what is new, or all that the window holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from workbench.events import EventColumns
from workbench.server import Pool
from workbench.views.facts import ModelFacts, Source
from workbench.views.history import History
from workbench.views.lanes import thin, waiting_fan
from workbench.views.memory import POOL_BIN_DTYPE, pool_bins, pool_marks, pools_after
from workbench.views.records import Records
from workbench.views.reducers import BINS, of_model, reduce, since, window_totals
from workbench.views.throughput import BIN_DTYPE, p99_span, request_bins
from workbench.views.verdict import verdict
from workbench.views.view import Totals, View

# A bin is closed this long after its end, so that records still on their way are in it.
LAG_NS: Final = 50_000_000
TOTALS_EVERY_NS: Final = 400_000_000
RATE_BINS: Final = 10


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
        totals = self._totals(now_ns)
        first, last = self._bins_to_close(columns, now_ns)
        chosen = thin(columns.batches, limit=most_batches)
        return View(
            now_ns=now_ns,
            bin_ns=self.bin_ns,
            window_ns=self.window_ns,
            facts=self._facts,
            bins=self._request_bins(first, last),
            p99_span=self._span,
            batches=columns.batches.take(chosen.kept),
            requests=waiting_fan(columns.requests, limit=most_requests, whole_from_ns=chosen.whole_from_ns),
            batch_total=chosen.total,
            whole_from_ns=chosen.whole_from_ns,
            pools=self._pools,
            pool_bins=self._pool_bins(first, last),
            marks=pool_marks(columns.memory, self._pools, bin_ns=self.bin_ns),
            totals=totals,
            sentence=verdict(totals, self._facts) if totals else "",
            dropped=self._dropped,
        )

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
        columns = self._history.columns(self._latest_columns())
        return window_totals(
            columns.requests,
            columns.refusals,
            columns.batches,
            facts=self._facts,
            start_ns=now_ns - self.window_ns,
            end_ns=now_ns,
        )

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
        recent = self._history_since(self._latest_columns(), (last - RATE_BINS) * self.bin_ns)
        answered = np.count_nonzero(recent.requests["end_ns"] >= (last - RATE_BINS) * self.bin_ns)
        self._span = p99_span(answered / RATE_BINS, previous=self._span)
        if self._span:
            first -= first % self._span
        columns = self._history_since(recent, first * self.bin_ns)
        return request_bins(
            columns.requests,
            columns.refusals,
            columns.batches,
            bin_ns=self.bin_ns,
            first=first,
            last=last,
            span=self._span,
        )

    def _pool_bins(self, first: int, last: int) -> Records:
        if last < first:
            return np.empty(0, POOL_BIN_DTYPE)
        columns = self._history_since(self._latest_columns(), first * self.bin_ns)
        return pool_bins(columns.memory, self._pools, bin_ns=self.bin_ns, first=first, last=last)

    def _history_since(self, like: EventColumns, since_ns: int) -> EventColumns:
        return self._history.columns(like, since_ns=since_ns)

    def _latest_columns(self) -> EventColumns:
        return self._latest if self._latest is not None else self._read()
