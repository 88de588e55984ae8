# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""From event columns to the view model: pure, whole columns at a time, never event by event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns, sequence_texts
from workbench.server import Pool
from workbench.views.facts import ModelFacts
from workbench.views.lanes import thin, waiting_fan
from workbench.views.memory import pool_bins, pool_marks
from workbench.views.queues import NO_SAMPLES, queue_bins
from workbench.views.records import Records, select
from workbench.views.spans import NO_TREES, chains, held_figures, in_lanes, latest, step_figures, trees
from workbench.views.states import state_marks
from workbench.views.tally import NO_STEPS, NOT_HELD, combined, tally, totals_of
from workbench.views.throughput import p99_span, request_bins
from workbench.views.verdict import verdict
from workbench.views.view import Totals, View

BINS: Final = 100
MOST_BATCHES: Final = 4000
MOST_REQUESTS: Final = 6000
MOST_TREES: Final = 1500

AT_ONCE: Final = 1 << 16
"""Requests whose durations are worked out at a time: what a window of a minute takes for a moment, the heap keeps."""


def reduce(
    columns: EventColumns,
    *,
    facts: ModelFacts,
    pools: Sequence[Pool] = (),
    now_ns: int,
    window_ns: int = 10_000_000_000,
    dropped: int = 0,
    queues: NDArray[np.void] = NO_SAMPLES,
    texts: Mapping[int, str] | None = None,
    known_ns: int = 0,
) -> View:
    """The view of the `window_ns` before `now_ns`. Columns of other models are left out where `facts` has a number.

    Args:
        columns: events, in any order.
        facts: the model.
        pools: its memory pools, by number.
        now_ns: right end of the window, on the events' clock.
        window_ns: its width.
        dropped: events lost so far.
        queues: looks at the queue by priority level, records of `SAMPLE_DTYPE`.
        texts: what sequences are called, where that was told before the columns begin.
        known_ns: the columns have all that ended after this; of what was before, nothing is shown.
    """
    bin_ns = window_ns // BINS
    last = now_ns // bin_ns - 1
    first = min(max(last - BINS + 1, known_ns // bin_ns + 1), last)
    start_ns = max(now_ns - window_ns, known_ns)
    requests, refusals, batches = (
        since(records, first * bin_ns)
        for records in (
            of_model(columns.requests, facts),
            of_model(columns.refusals, facts),
            of_lanes(columns.batches, facts),
        )
    )
    memory = select(columns.memory, columns.memory["arrival_ns"] >= first * bin_ns)
    states = select(columns.model_states, columns.model_states["arrival_ns"] >= first * bin_ns)
    chosen = thin(batches, limit=MOST_BATCHES)
    executed = since(of_lanes(columns.requests, facts), first * bin_ns) if facts.lanes else requests
    drawn = waiting_fan(executed, limit=MOST_REQUESTS, whole_from_ns=chosen.whole_from_ns)
    span = p99_span(len(requests) / (last - first + 1))
    bins = request_bins(requests, refusals, batches, bin_ns=bin_ns, first=first, last=last, span=span)
    totals = window_totals(
        requests,
        refusals,
        batches,
        facts=facts,
        start_ns=start_ns,
        end_ns=now_ns,
        steps=step_figures(since(columns.requests, start_ns), columns.steps, facts),
        held=held_figures(since(of_model(columns.sequences, facts), start_ns)),
    )
    return View(
        now_ns=now_ns,
        bin_ns=bin_ns,
        window_ns=window_ns,
        facts=facts,
        bins=bins if not facts.lanes else with_waits_of(bins, executed, bin_ns=bin_ns, span=span),
        p99_span=span,
        batches=batches.take(chosen.kept),
        requests=drawn,
        batch_total=chosen.total,
        whole_from_ns=chosen.whole_from_ns,
        pools=tuple(pools),
        pool_bins=pool_bins(memory, pools, bin_ns=bin_ns, first=first, last=last),
        marks=(*pool_marks(memory, pools, bin_ns=bin_ns), *state_marks(states, columns.names, facts)),
        totals=totals,
        sentence=verdict(totals, facts),
        dropped=dropped,
        chains=chains(drawn, columns.sequences, texts if texts is not None else sequence_texts(columns.sequence_names)),
        trees=trees(latest(requests, MOST_TREES), columns, facts) if facts.lanes else NO_TREES,
        queue_bins=queue_bins(queues, bin_ns=bin_ns, first=first, last=now_ns // bin_ns),
    )


def with_waits_of(bins: Records, executed: Records, *, bin_ns: int, span: int) -> Records:
    """The bins of an ensemble, whose own requests never wait, with the waits of those of its steps."""
    if not len(bins):
        return bins
    none = executed[:0]
    first, last = int(bins["index"][0]), int(bins["index"][-1])
    steps = request_bins(executed, none, none, bin_ns=bin_ns, first=first, last=last, span=span)
    for name in ("queue_p50_s", "queue_p95_s", "queue_p99_s"):
        bins[name] = steps[name]
    return bins


def window_totals(
    requests: Records,
    refusals: Records,
    batches: Records,
    *,
    facts: ModelFacts,
    start_ns: int,
    end_ns: int,
    steps: NDArray[np.float64] | None = None,
    held: NDArray[np.float64] | None = None,
) -> Totals:
    """The figures of the time from `start_ns` to `end_ns`, or of the part of it that has events."""
    inside = [since(records, start_ns) for records in (requests, refusals, batches)]
    few, more = inside[0][:AT_ONCE], range(AT_ONCE, len(inside[0]), AT_ONCE)
    found = tally(few, *inside[1:], steps=NO_STEPS if steps is None else steps, held=NOT_HELD if held is None else held)
    none = inside[0][:0]
    if more:
        found = combined([found, *(tally(inside[0][at : at + AT_ONCE], none, none) for at in more)])
    return totals_of(found, facts=facts, start_ns=start_ns, end_ns=end_ns)


def of_model(records: Records, facts: ModelFacts) -> Records:
    """The records of one model; all of them when `facts` has no number."""
    return records if facts.number is None else select(records, records["model"] == facts.number)


def of_models(records: Records, facts: ModelFacts) -> Records:
    """The records of a model, and of an ensemble those of all models below it, too."""
    return select(records, np.isin(records["model"], facts.numbers)) if facts.lanes else of_model(records, facts)


def of_lanes(records: Records, facts: ModelFacts) -> Records:
    """The records that the lanes show: of the model, or of the models of its steps with lanes for instances."""
    return in_lanes(records, facts) if facts.lanes else of_model(records, facts)


def since(records: Records, start_ns: int) -> Records:
    """The records that ended at `start_ns` or later."""
    return select(records, records["end_ns"].astype(np.int64) >= start_ns)
