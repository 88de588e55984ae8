# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Linked spans: the requests of one sequence, and an ensemble's request with those of its steps. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.events import EventColumns, Records, places_of_requests, sequence_label
from workbench.views.facts import ModelFacts
from workbench.views.records import select

CHAIN_DTYPE: Final = np.dtype(
    [
        ("lane", "<i4"), ("batch", "<u4"), ("arrival_ns", "<i8"), ("start_ns", "<i8"), ("end_ns", "<i8"),
        ("serial", "<u8"), ("label", "<i4"), ("position", "<u4"), ("flags", "<u1"), ("slot", "<i4"),
        ("slot_ns", "<i8"), ("before_ns", "<i8"),
    ]
)  # fmt: skip
"""A request of a sequence: `label` counts in `Chains.labels`; `slot_ns` is when its sequence got its slot, `before_ns`
when the request before it was done, 0 where there was none."""

TREE_DTYPE: Final = np.dtype(
    [
        ("tree", "<i4"), ("parent", "<i4"), ("step", "<i4"), ("lane", "<i4"), ("batch", "<u4"),
        ("arrival_ns", "<i8"), ("start_ns", "<i8"), ("end_ns", "<i8"), ("status", "<u1"), ("count", "<u2"),
        ("reason", "<u1"), ("model", "<u2"), ("serial", "<u8"),
    ]
)  # fmt: skip
"""A node of a tree: `tree` counts the trees, `parent` is the row of the node above, -1 of the ensemble's request;
`lane` is -1 where no instance executed it: an ensemble's request, or an answer out of the response cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Requests of sequences that are drawn.

    Attributes:
        rows: records of `CHAIN_DTYPE`, by arrival.
        labels: what the sequences are called.
    """

    rows: NDArray[np.void]
    labels: tuple[str, ...] = ()


NO_CHAINS: Final = Chains(np.empty(0, CHAIN_DTYPE))
NO_TREES: Final[NDArray[np.void]] = np.empty(0, TREE_DTYPE)


def in_lanes(records: Records, facts: ModelFacts) -> Records:
    """What the lanes of a view show: of an ensemble the records of its steps' models, with lanes for instances."""
    if not facts.lanes:
        return records
    lane_of = np.full((max(lane.number for lane in facts.lanes) + 1, 256), -1, np.int64)
    for number, lane in enumerate(facts.lanes):
        lane_of[lane.number, lane.instance] = number
    known = records["model"] < len(lane_of)
    lanes = lane_of[np.where(known, records["model"], 0), records["instance"]]
    kept = known & (lanes >= 0) & (records["count"] > 0)
    told = records.take(np.flatnonzero(kept))
    told["instance"] = lanes[kept]
    return told


def chains(drawn: Records, sequences: Records, texts: Mapping[int, str]) -> Chains:
    """Where the requests that are drawn stand in their sequences; those of none are left out."""
    found = places_of_requests(drawn, sequences)
    requests, told = drawn.take(np.flatnonzero(found >= 0)), sequences.take(found[found >= 0])
    if not len(requests):
        return NO_CHAINS
    rows = np.zeros(len(requests), CHAIN_DTYPE)
    for name in ("arrival_ns", "start_ns", "end_ns", "batch"):
        rows[name] = requests[name]
    rows["lane"], rows["serial"] = requests["instance"], requests["id"]
    rows["position"], rows["flags"], rows["slot"] = told["batch"], told["detail"], told["rows"]
    rows["slot_ns"], rows["before_ns"] = told["compute_start_ns"], told["compute_end_ns"]
    names = [sequence_label(event, dict(texts)) for event in told]
    labels = tuple(dict.fromkeys(names))
    number = {label: i for i, label in enumerate(labels)}
    rows["label"] = [number[name] for name in names]
    return Chains(rows.take(np.argsort(rows["arrival_ns"], kind="stable")), labels)


def trees(roots: Records, columns: EventColumns, facts: ModelFacts) -> NDArray[np.void]:
    """The requests of an ensemble with all below them.

    Args:
        roots: requests of the ensemble that are drawn.
        columns: the requests, refusals and steps among which those below are found.
        facts: says which lane a request ran in.
    """
    if not len(roots):
        return NO_TREES
    known = np.concatenate([columns.requests, columns.refusals])
    known = known.take(np.argsort(known["id"], kind="stable"))
    steps = columns.steps.take(np.argsort(columns.steps["start_ns"], kind="stable"))
    parts = [_nodes(roots, facts)]
    parts[0]["tree"], parts[0]["parent"], parts[0]["step"] = np.arange(len(roots)), -1, -1
    first = 0
    while len(parts[-1]):
        level = _below(parts[-1], first, steps, known, facts)
        first += len(parts[-1])
        parts.append(level)
    return np.concatenate(parts)


def latest(records: Records, limit: int) -> Records:
    """At most `limit` of them: the slowest always, half of them the newest, the rest evenly."""
    if len(records) <= limit:
        return records
    ordered = records.take(np.argsort(records["end_ns"], kind="stable"))
    slow = np.argsort(ordered["end_ns"].astype(np.int64) - ordered["arrival_ns"].astype(np.int64))[
        -max(limit // 8, 1) :
    ]
    even = np.linspace(0, len(ordered) - 1, max(limit * 3 // 8, 1)).astype(np.int64)
    newest = np.arange(len(ordered) - max(limit // 2, 1), len(ordered))
    return ordered.take(np.unique(np.concatenate([slow, even, newest])))


def _below(above: NDArray[np.void], first: int, steps: Records, known: Records, facts: ModelFacts) -> NDArray[np.void]:
    """The nodes under those of one level, whose rows begin at `first`."""
    begin = np.searchsorted(steps["start_ns"], above["serial"], side="left")
    counts = np.searchsorted(steps["start_ns"], above["serial"], side="right") - begin
    parent = np.repeat(np.arange(len(above)), counts)
    offsets = np.arange(len(parent)) - np.repeat(np.cumsum(counts) - counts, counts)
    told = steps.take(np.repeat(begin, counts) + offsets)
    at = np.minimum(np.searchsorted(known["id"], told["id"]), max(len(known) - 1, 0))
    found = known["id"][at] == told["id"] if len(known) else np.zeros(len(told), bool)
    parent, told, at = parent[found], told.take(np.flatnonzero(found)), at[found]
    nodes = _nodes(known.take(at), facts)
    nodes["tree"], nodes["parent"], nodes["step"] = above["tree"][parent], first + parent, told["instance"]
    return nodes


def _nodes(requests: Records, facts: ModelFacts) -> NDArray[np.void]:
    nodes = np.zeros(len(requests), TREE_DTYPE)
    for name in ("batch", "arrival_ns", "start_ns", "end_ns", "status", "count", "model"):
        nodes[name] = requests[name]
    nodes["serial"], nodes["reason"], nodes["lane"] = requests["id"], requests["detail"], -1
    for number, lane in enumerate(facts.lanes):
        ran = (requests["model"] == lane.number) & (requests["instance"] == lane.instance) & (requests["count"] > 0)
        nodes["lane"][ran] = number
    return nodes


def step_figures(requests: Records, steps: Records, facts: ModelFacts) -> NDArray[np.float64]:
    """(steps, 3): how many requests of each step of the ensemble itself, and their ns waiting and after, summed."""
    figures = np.zeros((len(facts.steps), 3))
    own = select(steps, steps["model"] == (facts.number or 0))
    if not len(own) or not len(requests) or not len(facts.steps):
        return figures
    own = own.take(np.argsort(own["id"], kind="stable"))
    at = np.minimum(np.searchsorted(own["id"], requests["id"]), len(own) - 1)
    found = own["id"][at] == requests["id"]
    told, step = requests.take(np.flatnonzero(found)), own["instance"][at[found]].astype(np.int64)
    step = np.minimum(step, len(facts.steps) - 1)
    arrival, start, end = (told[name].astype(np.float64) for name in ("arrival_ns", "start_ns", "end_ns"))
    for column, values in enumerate((np.ones(len(told)), start - arrival, end - start)):
        figures[:, column] = np.bincount(step, weights=values, minlength=len(facts.steps))
    return figures


def held_figures(sequences: Records) -> NDArray[np.float64]:
    """(3,): how many requests of sequences, and their ns of waiting for a slot and for the one before, summed."""
    arrival, slot, before = (
        sequences[name].astype(np.int64) for name in ("arrival_ns", "compute_start_ns", "compute_end_ns")
    )
    has_slot = np.maximum(slot, arrival)
    return np.array(
        [len(sequences), (has_slot - arrival).sum(), np.maximum(before - has_slot, 0).sum()], dtype=np.float64
    )
