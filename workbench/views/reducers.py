# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""From event columns to the view model: pure, whole columns at a time, never event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from workbench.events import EventColumns
from workbench.server import Pool
from workbench.views.facts import ModelFacts
from workbench.views.lanes import thin, waiting_fan
from workbench.views.memory import pool_bins, pool_marks
from workbench.views.records import Records, select
from workbench.views.states import state_marks
from workbench.views.tally import tally, totals_of
from workbench.views.throughput import p99_span, request_bins
from workbench.views.verdict import verdict
from workbench.views.view import Totals, View

BINS: Final = 100
MOST_BATCHES: Final = 4000
MOST_REQUESTS: Final = 6000


def reduce(
    columns: EventColumns,
    *,
    facts: ModelFacts,
    pools: Sequence[Pool] = (),
    now_ns: int,
    window_ns: int = 10_000_000_000,
    dropped: int = 0,
) -> View:
    """The view of the `window_ns` before `now_ns`. Columns of other models are left out where `facts` has a number.

    Args:
        columns: events, in any order.
        facts: the model.
        pools: its memory pools, by number.
        now_ns: right end of the window, on the events' clock.
        window_ns: its width.
        dropped: events lost so far.
    """
    bin_ns = window_ns // BINS
    last = now_ns // bin_ns - 1
    first = last - BINS + 1
    requests, refusals, batches = (
        since(of_model(records, facts), first * bin_ns)
        for records in (columns.requests, columns.refusals, columns.batches)
    )
    memory = select(columns.memory, columns.memory["arrival_ns"] >= first * bin_ns)
    states = select(columns.model_states, columns.model_states["arrival_ns"] >= first * bin_ns)
    chosen = thin(batches, limit=MOST_BATCHES)
    span = p99_span(len(requests) / BINS)
    totals = window_totals(requests, refusals, batches, facts=facts, start_ns=now_ns - window_ns, end_ns=now_ns)
    return View(
        now_ns=now_ns,
        bin_ns=bin_ns,
        window_ns=window_ns,
        facts=facts,
        bins=request_bins(requests, refusals, batches, bin_ns=bin_ns, first=first, last=last, span=span),
        p99_span=span,
        batches=batches.take(chosen.kept),
        requests=waiting_fan(requests, limit=MOST_REQUESTS, whole_from_ns=chosen.whole_from_ns),
        batch_total=chosen.total,
        whole_from_ns=chosen.whole_from_ns,
        pools=tuple(pools),
        pool_bins=pool_bins(memory, pools, bin_ns=bin_ns, first=first, last=last),
        marks=(*pool_marks(memory, pools, bin_ns=bin_ns), *state_marks(states, columns.names, facts)),
        totals=totals,
        sentence=verdict(totals, facts),
        dropped=dropped,
    )


def window_totals(
    requests: Records, refusals: Records, batches: Records, *, facts: ModelFacts, start_ns: int, end_ns: int
) -> Totals:
    """The figures of the time from `start_ns` to `end_ns`, or of the part of it that has events."""
    inside = (since(records, start_ns) for records in (requests, refusals, batches))
    return totals_of(tally(*inside), facts=facts, start_ns=start_ns, end_ns=end_ns)


def of_model(records: Records, facts: ModelFacts) -> Records:
    """The records of one model; all of them when `facts` has no number."""
    return records if facts.number is None else select(records, records["model"] == facts.number)


def since(records: Records, start_ns: int) -> Records:
    """The records that ended at `start_ns` or later."""
    return select(records, records["end_ns"].astype(np.int64) >= start_ns)
