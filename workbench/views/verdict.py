# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is slow and why, in one sentence: the first thing that a stranger reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from workbench.views.colours import REASONS
from workbench.views.units import duration, percent

if TYPE_CHECKING:
    from workbench.views.facts import ModelFacts
    from workbench.views.view import Totals

_BUSY: Final = 0.9
_MOST: Final = 0.5
_SELDOM: Final = 0.3
_WHY: Final = {
    "direct": "each request goes to an instance alone",
    "full": "most batches leave full",
    "preferred": "most batches leave at a preferred size",
    "delay_expired": "most batches leave only when the queue delay ends",
    "instance_free": "most batches leave as soon as an instance is free",
    "shape_mismatch": "most batches are cut short by a request of another shape",
    "custom": "the custom batching rule sends most batches",
    "sequence": "the sequence batcher sends most batches",
}


def verdict(totals: Totals, facts: ModelFacts) -> str:
    """The sentence for a window of events: the largest part of the latency, and its cause where that is known."""
    if facts.state != "READY":
        return f"The model is {facts.state}: load it with server.load({facts.name!r}). What is here was before."
    if totals.latency.count == 0:
        return _without_answers(totals, facts)
    parts = [_slowest_step(totals, facts)]
    refused = totals.refused_per_s / max(totals.offered_per_s, totals.refused_per_s, 1e-9)
    if refused >= 0.005:
        parts.insert(0, f"{percent(refused)} of the requests are refused.")
    if totals.failed_per_s > 0:
        parts.insert(0, f"{percent(totals.failed_per_s / (totals.failed_per_s + totals.answered_per_s))} fail.")
    return " ".join(parts)


def _without_answers(totals: Totals, facts: ModelFacts) -> str:
    if totals.refused_per_s > 0:
        return "Every request is refused."
    if totals.failed_per_s > 0:
        return "Every request fails."
    last = f"No request was answered in the last {duration(totals.covered_s)}."
    return f"{last} Send some: model.infer(...), or %drive {facts.name}."


def _slowest_step(totals: Totals, facts: ModelFacts) -> str:
    if sum(count for count, _, _ in totals.steps):
        return _slowest_of_ensemble(totals, facts)
    shares = dict(zip(("queue", "input", "compute", "output"), totals.split.shares, strict=True))
    step = max(shares, key=lambda name: shares[name])
    mean = duration(totals.split.total_ns / 1e9)
    if step == "queue":
        return f"Requests spend {percent(shares[step])} of {mean} waiting{_why_they_wait(totals, facts)}."
    what = {"compute": "in compute", "input": "on their inputs", "output": "on their outputs"}[step]
    return f"Requests spend {percent(shares[step])} of {mean} {what}.{_shared_by(totals, facts)}"


def _shared_by(totals: Totals, facts: ModelFacts) -> str:
    """How many requests share an execution, and why no more: what of its cost a configuration can change."""
    if facts.max_batch_size < 2:
        return ""
    rows, why = f"{totals.sizes.mean_rows:.2g} of {facts.max_batch_size}", _why(totals)
    return f" An execution is shared by {rows} rows: {why}."


def _slowest_of_ensemble(totals: Totals, facts: ModelFacts) -> str:
    """Which step takes longest, and whether its requests wait or run."""
    number = max(range(len(totals.steps)), key=lambda step: totals.steps[step][1] + totals.steps[step][2])
    _, wait_ns, rest_ns = totals.steps[number]
    took, mean = duration((wait_ns + rest_ns) / 1e9), duration(totals.split.total_ns / 1e9)
    waits = wait_ns > rest_ns
    share = percent((wait_ns if waits else rest_ns) / max(wait_ns + rest_ns, 1.0))
    how = f"{share} of it {'waiting' if waits else 'running'}"
    return f"Of {mean}, step {number} ({facts.steps[number]}) takes longest: {took}, {how}."


def _why_they_wait(totals: Totals, facts: ModelFacts) -> str:
    slot_ns, before_ns = totals.held_ns
    if slot_ns + before_ns > _MOST * totals.split.queue_ns:
        share = percent(min(max(slot_ns, before_ns) / max(totals.split.queue_ns, 1.0), 1.0))
        if slot_ns > before_ns:
            return (
                f", {share} of that until their sequence has a slot: more instances, or larger batches, have more slots"
            )
        return f", {share} of that for the request before them in their sequence"
    if totals.instance_wait_share < _MOST:
        return f" for their batch: {_why(totals)}{_rows(totals, facts)}"
    busy = sum(totals.busy) / max(len(totals.busy), 1)
    who = "it is" if len(totals.busy) == 1 else "they are"
    if busy >= _BUSY:
        return f" for a free instance: {who} busy {percent(busy)} of the time{_rows(totals, facts)}"
    why = (
        "the load comes in bursts" if busy >= _SELDOM else "the machine has no free processor, or requests come at once"
    )
    return f" for a free instance, though {who} busy only {percent(busy)} of the time: {why}"


def _why(totals: Totals) -> str:
    counts = totals.sizes.by_reason
    total = sum(counts)
    code = max(range(len(counts)), key=lambda i: counts[i])
    if total == 0 or counts[code] / total < _MOST or REASONS[code].name not in _WHY:
        return "batches leave for several reasons"
    return _WHY[REASONS[code].name]


def _rows(totals: Totals, facts: ModelFacts) -> str:
    if facts.max_batch_size < 2:
        return ""
    return f", with {totals.sizes.mean_rows:.2g} of {facts.max_batch_size} rows"
