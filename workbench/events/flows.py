# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Links in a trace for Perfetto: arrows from request to request of a sequence, and from an ensemble's to its steps'."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np

from workbench.events.event import BatchReason, Records, StatusCode
from workbench.events.linked import place_of_event, places_of_requests, sequence_texts
from workbench.events.stream import EventColumns

Slice = dict[str, Any]
_FIRST_ROW: Final = 1_000  # threads of an ensemble's rows: beyond those of instances


def rows_of(requests: Records) -> list[int]:
    """A row for each request, so that none overlaps another on its row: the lowest that is free when it comes."""
    rows = [0] * len(requests)
    free: list[int] = []
    busy: list[tuple[int, int]] = []
    used = 0
    for at in np.argsort(requests["arrival_ns"], kind="stable").tolist():
        while busy and busy[0][0] <= requests["arrival_ns"][at]:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if not free:
            heapq.heappush(free, used)
            used += 1
        rows[at] = heapq.heappop(free)
        heapq.heappush(busy, (int(requests["end_ns"][at]), rows[at]))
    return rows


def linked_slices(columns: EventColumns, origin_ns: int) -> Iterator[Slice]:
    """Requests of ensembles as slices on rows of their model, and all arrows."""
    yield from _sequences(columns, origin_ns)
    places = {}
    for model in np.unique(columns.requests["model"][_is_composed(columns.requests)]).tolist():
        requests = columns.requests[_is_composed(columns.requests) & (columns.requests["model"] == model)]
        rows = rows_of(requests)
        for row in range(max(rows, default=-1) + 1):
            told = {"name": f"requests, row {row}"}
            yield {"ph": "M", "name": "thread_name", "pid": model, "tid": _FIRST_ROW + row, "args": told}
        for request, row in zip(requests, rows, strict=True):
            place = {"pid": model, "tid": _FIRST_ROW + row}
            places[int(request["id"])] = place
            yield _composed(request, place, origin_ns)
    yield from _steps(columns, places, origin_ns)


def _is_composed(requests: Records) -> Any:
    return (requests["count"] == 0) & (requests["detail"] != BatchReason.CACHED)


def _composed(request: np.void, place: Slice, origin_ns: int) -> Slice:
    arrival, end = int(request["arrival_ns"]), int(request["end_ns"])
    told = {"request": int(request["id"]), "status": StatusCode(request["status"]).name}
    span = {"ts": _us(arrival, origin_ns), "dur": (end - arrival) / 1e3}
    return {**place, **span, "ph": "X", "cat": "ensemble", "name": "request", "args": told}


def _steps(columns: EventColumns, places: dict[int, Slice], origin_ns: int) -> Iterator[Slice]:
    requests = {int(request["id"]): request for request in columns.requests}
    for number, step in enumerate(columns.steps):
        parent, child = places.get(int(step["start_ns"])), requests.get(int(step["id"]))
        if parent is None or child is None:
            continue
        link = {"cat": "ensemble", "name": f"step {step['instance']}", "id": f"step-{number}"}
        yield {**link, **parent, "ph": "s", "ts": _us(int(step["arrival_ns"]), origin_ns)}
        where = places.get(int(child["id"])) or {"pid": int(child["model"]), "tid": int(child["instance"]) + 1}
        at_ns = int(child["start_ns" if child["count"] else "arrival_ns"])
        yield {**link, **where, "ph": "f", "bp": "e", "ts": _us(at_ns, origin_ns)}


def _sequences(columns: EventColumns, origin_ns: int) -> Iterator[Slice]:
    """A chain of arrows for each sequence, from execution to execution."""
    found = places_of_requests(columns.requests, columns.sequences)
    texts = sequence_texts(columns.sequence_names)
    chains: dict[tuple[int, str], list[tuple[int, np.void]]] = {}
    for request, row in zip(columns.requests, found.tolist(), strict=True):
        if row >= 0:
            place = place_of_event(columns.sequences[row], texts)
            chains.setdefault((int(request["model"]), place.label), []).append((place.position, request))
    for number, ((model, label), members) in enumerate(chains.items()):
        members.sort(key=lambda member: int(member[1]["start_ns"]))
        yield from _chain(members, {"cat": "sequence", "name": f"sequence {label}", "pid": model}, number, origin_ns)


def _chain(members: list[tuple[int, np.void]], link: Slice, number: int, origin_ns: int) -> Iterator[Slice]:
    for before, after in pairwise(members):
        if after[0] != before[0] + 1:
            continue  # its id began anew, or one between them is gone
        key = f"sequence-{number}-{after[0]}-{after[1]['id']}"
        for phase, (_, request) in (("s", before), ("f", after)):
            place = {"tid": int(request["instance"]) + 1, "ts": _us(int(request["start_ns"]), origin_ns)}
            yield {**link, **place, "ph": phase, "id": key, **({"bp": "e"} if phase == "f" else {})}


def _us(time_ns: int, origin_ns: int) -> float:
    return (time_ns - origin_ns) / 1e3
