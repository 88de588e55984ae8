# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Follows a source: reads its events often, and says what is new, or all that the window holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns
from workbench.server import Pool
from workbench.views.facts import ModelFacts, Source
from workbench.views.history import ENDED
from workbench.views.lanes import Drawn, drawn_of
from workbench.views.memory import POOL_BIN_DTYPE, pool_bins, pool_marks, pools_after, sizes_after
from workbench.views.own import own_of, within
from workbench.views.past import Past
from workbench.views.queue_looks import QueueLooks
from workbench.views.reading import Shared, SharedSource
from workbench.views.records import NO_RECORDS, Records, select
from workbench.views.reducers import BINS, of_lanes, of_model, reduce, with_waits_of
from workbench.views.spans import NO_CHAINS, NO_TREES, Chains, chains, held_figures, latest, step_figures, trees
from workbench.views.states import state_marks
from workbench.views.tallies import Tallies
from workbench.views.tally import NO_STEPS, Tally, tally, totals_of
from workbench.views.throughput import BIN_DTYPE, p99_span, request_bins
from workbench.views.verdict import verdict
from workbench.views.view import Totals, View

T = TypeVar("T")

# A bin is closed this long after its end, so that records still on their way are in it.
LAG_NS: Final = 50_000_000
TOTALS_EVERY_NS: Final = 400_000_000
RATE_BINS: Final = 10
FEW: Final = 1 << 13
"""Records of a kind that are kept while nobody looks."""


class Follower:
    """The reader behind a live view. One thread calls it."""

    def __init__(self, source: Source, *, window_s: float = 10.0) -> None:
        self.source = source
        self.window_ns = round(window_s * 1e9)
        self.bin_ns = self.window_ns // BINS
        self._latest: EventColumns | None = None
        self._closed = 0
        self._span = 0
        self._facts = source.facts()
        self._pools: tuple[Pool, ...] = source.memory().pools
        self._totals_at_ns = 0
        self._offered_per_s = 0.0
        self._tallies = Tallies(bins=BINS, fewest=RATE_BINS)
        self._queues = QueueLooks(source, window_ns=self.window_ns, bin_ns=self.bin_ns)
        self._is_cut = False
        self._shared = source.shared if isinstance(source, SharedSource) else Shared()
        self._past: Past = self._shared.pasts.begun(
            self._models, window_ns=self.window_ns + 2 * self.bin_ns, now_ns=source.now_ns()
        )
        self._shared.pasts.add(self._past)

    @property
    def facts(self) -> ModelFacts:
        """The model as it was last seen."""
        return self._facts

    @property
    def keeps_few(self) -> bool:
        """Whether it forgets what the next news do not need, and so does not know the whole."""
        return self._past.keeps_few

    @property
    def byte_size(self) -> int:
        """Bytes of what it keeps of the past."""
        return self._past.history.byte_size + self._tallies.byte_size

    def keep_few(self) -> None:
        """From now on keeps only what the next news need; for the whole it takes a new follower, which reads anew."""
        if not self.keeps_few:
            self._past.keep_few(FEW)
            self._tallies.limit = FEW

    def news(self, *, most_batches: int = 1_200, most_requests: int = 1_600) -> View:
        """What happened since the last call; at most so many batches and requests to draw."""
        columns = self._read()
        now_ns = self.source.now_ns()
        sizes = self._once(("sizes", len(self._pools)), lambda: sizes_after(columns.memory, len(self._pools)))
        self._pools = pools_after(self._pools, sizes)
        first, last = self._bins_to_close(columns, now_ns)
        bins = self._request_bins(first, last)
        queues = self._queues.look(now_ns)
        totals = self._totals(now_ns)
        drawn = self._drawn(columns, most_batches, most_requests)
        return View(
            now_ns=now_ns,
            bin_ns=self.bin_ns,
            window_ns=self.window_ns,
            facts=self._facts,
            bins=bins,
            p99_span=self._span,
            batches=drawn.batches,
            requests=drawn.requests,
            batch_total=drawn.batch_total,
            whole_from_ns=drawn.whole_from_ns,
            pools=self._pools,
            pool_bins=self._pool_bins(first, last),
            marks=(
                *pool_marks(columns.memory, self._pools, bin_ns=self.bin_ns),
                *state_marks(columns.model_states, columns.names, self._facts),
            ),
            totals=totals,
            sentence=verdict(totals, self._facts) if totals else "",
            dropped=self._past.dropped,
            chains=self._chains(drawn.requests),
            trees=self._trees(of_model(columns.requests, self._facts), columns, most=max(most_requests // 8, 8)),
            queue_bins=queues,
            encoded=drawn.encoded,
        )

    def measured(self) -> tuple[Records, float]:
        """Batches of the window and requests a second, as they were read last."""
        batches = self._past.history.records("batches")
        return (NO_RECORDS if batches is None else batches), self._offered_per_s

    def whole(self) -> View:
        """Everything in the window, as far as it was read."""
        view = reduce(
            self._past.history.columns(self._latest_columns()),
            known_ns=self._past.whole_since_ns,
            facts=self._facts,
            pools=self._pools,
            now_ns=self.source.now_ns(),
            window_ns=self.window_ns,
            dropped=self._past.dropped,
            queues=self._queues.samples(),
            texts=self._past.texts,
        )
        first = self._past.history.forgotten_ns("memory") // self.bin_ns
        return replace(view, pool_bins=view.pool_bins[view.pool_bins["index"] > first])

    def _read(self) -> EventColumns:
        """What is new, of the models that are shown and of the window."""
        before, now_ns = self._past, self.source.now_ns()
        ahead = self._shared.pasts.ahead_of(before, now_ns=now_ns) if self._latest else None
        if ahead is None or self._latest is None:
            return self._read_log()
        news = ahead.history.columns(self._latest, since=before.next_since)
        ahead.history.forget(now_ns=now_ns, needed_ns=self._needed_ns())
        self._past, self._latest = ahead, replace(news, names=ahead.names)
        self._shared.pasts.add(ahead)
        return self._news_of(self._latest)

    def _read_log(self) -> EventColumns:
        is_first = self._past.next_since == 0
        columns = self._latest = self.source.events(since=self._past.next_since)
        if is_first:
            self._past.known_ns = self._shared.known_ns
        own = self._news_of(columns)
        self._past.add(columns, own, now_ns=self.source.now_ns(), needed_ns=self._needed_ns())
        return own

    def _news_of(self, columns: EventColumns) -> EventColumns:
        if len(columns.model_states):
            self._facts = self.source.facts()  # a reload gives the model another number in the events
            self._past.of = self._models
        own = self._once("own", lambda: own_of(columns, self._facts))
        found = within(own, self.source.now_ns() - self.window_ns)
        self._is_cut = found is not own
        return found

    def _needed_ns(self) -> int:
        """Where the bins begin that are told next: what ended since then is not forgotten, whoever looks."""
        first = self._closed + 1
        return (first - first % self._span if self._span else first) * self.bin_ns

    def _once(self, what: Hashable, make: Callable[[], T]) -> T:
        """What every view of these models makes of the newest reading."""
        return self._shared.of(self._latest, (what, self._models), make)

    @property
    def _models(self) -> Hashable:
        """The models that are shown."""
        return self._facts.number, self._facts.lanes, self._facts.nested

    def _drawn(self, columns: EventColumns, most_batches: int, most_requests: int) -> Drawn:
        """The batches and requests of a reading that are drawn; a view that starts late has its own."""

        def make() -> Drawn:
            batches, requests = of_lanes(columns.batches, self._facts), of_lanes(columns.requests, self._facts)
            return drawn_of(batches, requests, most_batches=most_batches, most_requests=most_requests)

        return make() if self._is_cut else self._once(("drawn", most_batches, most_requests), make)

    def _chains(self, drawn: Records) -> Chains:
        """Where the requests that are drawn stand in their sequences."""
        told = self._past.history.records("sequences", since_ns=int(drawn["arrival_ns"].min())) if len(drawn) else None
        return NO_CHAINS if told is None else chains(drawn, told, self._past.texts)

    def _trees(self, ended: Records, columns: EventColumns, *, most: int) -> Records:
        """An ensemble's requests that ended, with those of their steps, which ended before."""
        if not self._facts.lanes or not len(ended):
            return NO_TREES
        roots = latest(ended, most)
        return trees(roots, self._past.history.columns(columns, since_ns=int(roots["arrival_ns"].min())), self._facts)

    def _totals(self, now_ns: int) -> Totals | None:
        if now_ns - self._totals_at_ns < TOTALS_EVERY_NS:
            return None
        self._totals_at_ns = now_ns
        self._facts = self.source.facts()
        self._pools = self.source.memory().pools
        first, found = self._tallies.window(self._closed)
        start_ns, end_ns = first * self.bin_ns, (self._closed + 1) * self.bin_ns
        totals = totals_of(found, facts=self._facts, start_ns=start_ns, end_ns=end_ns)
        self._offered_per_s = totals.offered_per_s
        return totals

    def _bins_to_close(self, columns: EventColumns, now_ns: int) -> tuple[int, int]:
        """The bins that are over and not told yet, and those told before that late records changed."""
        last = (now_ns - LAG_NS) // self.bin_ns - 1
        ended = [int(records["end_ns"].min()) for records in (columns.requests, columns.refusals) if len(records)]
        if self._closed == 0:
            self._closed = last
            ended += [oldest_ns] if (oldest_ns := self._past.history.oldest_ns) else []
        first = min([self._closed + 1, *(end_ns // self.bin_ns for end_ns in ended)])
        first = max(first, min(self._past.whole_since_ns // self.bin_ns + 1, self._closed + 1))  # what is known
        self._closed = max(self._closed, last)
        return max(first, last - BINS + 1), last

    def _request_bins(self, first: int, last: int) -> Records:
        """Bins from `first` on; earlier ones again where their p99 window ends only now."""
        if last < first:
            return np.empty(0, BIN_DTYPE)
        self._count(first, last)
        self._span = p99_span(self._tallies.answered_per_bin(last, bins=RATE_BINS), previous=self._span)
        if self._span:
            first -= first % self._span
        ended = (self._since(kind, first) for kind in ENDED)
        bins = request_bins(*ended, bin_ns=self.bin_ns, first=first, last=last, span=self._span)
        if not self._facts.lanes:
            return bins
        executed = self._past.history.records("requests", since_ns=first * self.bin_ns)
        lanes = of_lanes(NO_RECORDS if executed is None else executed, self._facts)
        return with_waits_of(bins, lanes, bin_ns=self.bin_ns, span=self._span)

    def _count(self, first: int, last: int) -> None:
        """The tallies of bins, for the figures of the window."""
        ended = [self._since(kind, first) for kind in ENDED]
        bins = [(records["end_ns"] // self.bin_ns).astype(np.int64) for records in ended]
        for index in range(first, last + 1):
            parts = [select(records, of_bin == index) for records, of_bin in zip(ended, bins, strict=True)]
            counts = tuple(map(len, parts))
            self._tallies.put(index, self._tally_of(index, counts, parts))

    def _tally_of(self, index: int, counts: tuple[int, ...], parts: list[Records]) -> Tally:
        """The tally of a bin: views of one window have the same, as long as it is about as many records."""
        key = (self._models, self.bin_ns, index, counts)
        return self._shared.tally(
            key, lambda: tally(*parts, steps=self._step_figures(index), held=self._held_figures(index))
        )

    def _held_figures(self, index: int) -> NDArray[np.float64]:
        """Of the requests of sequences that could go in a bin."""
        told = self._past.history.records("sequences", since_ns=index * self.bin_ns)
        told = NO_RECORDS if told is None else of_model(told, self._facts)
        return held_figures(select(told, told["end_ns"] // self.bin_ns == index))

    def _step_figures(self, index: int) -> NDArray[np.float64]:
        """Of the steps whose requests ended in a bin."""
        if not self._facts.lanes:
            return NO_STEPS
        requests = self._past.history.records("requests", since_ns=index * self.bin_ns)
        steps = self._past.history.records("steps", since_ns=(index - BINS // 2) * self.bin_ns)
        if requests is None or steps is None:
            return step_figures(NO_RECORDS, NO_RECORDS, self._facts)
        return step_figures(select(requests, requests["end_ns"] // self.bin_ns == index), steps, self._facts)

    def _pool_bins(self, first: int, last: int) -> Records:
        if last < first:
            return np.empty(0, POOL_BIN_DTYPE)
        return pool_bins(self._since("memory", first), self._pools, bin_ns=self.bin_ns, first=first, last=last)

    def _since(self, kind: str, index: int) -> Records:
        """What may have ended in bin `index` or later."""
        found = self._past.history.records(kind, since_ns=index * self.bin_ns)
        if found is None:
            return NO_RECORDS
        if not self._facts.lanes or kind not in ENDED:
            return found
        return of_lanes(found, self._facts) if kind == "batches" else of_model(found, self._facts)

    def _latest_columns(self) -> EventColumns:
        return self._latest if self._latest is not None else self._read()
