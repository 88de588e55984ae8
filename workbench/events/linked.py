# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that belong together: those of one sequence, and those that an ensemble sent to its steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.events.event import Records, SequenceFlag
from workbench.events.stream import EventColumns

_FIRST_OWN_ID: Final = 1 << 63
_PART: Final = ("start_ns", "compute_start_ns", "compute_end_ns", "end_ns")


@dataclass(frozen=True, slots=True)
class SequencePlace:
    """Where a request stands in its sequence, and what it waited for before it could go into a batch.

    Attributes:
        label: what the sender calls the sequence, as text; of one that is a sequence of its own, "own 7".
        position: its place, from 0.
        slot: the slot of its sequence in the instance.
        is_start, is_end: its flags.
        slot_wait_ns: until its sequence had a slot.
        previous_wait_ns: after that, until the request before it was done.
        ready_ns: when it could go; from then on it waited for its batch.
    """

    label: str
    position: int
    slot: int
    is_start: bool
    is_end: bool
    slot_wait_ns: int
    previous_wait_ns: int
    ready_ns: int


def sequence_texts(names: Records) -> dict[int, str]:
    """The texts that sequences are called by, by their hashes; those of which a part is missing are left out."""
    parts: dict[int, dict[int, bytes]] = {}
    lengths: dict[int, int] = {}
    for name in names:
        key, at = int(name["id"]), int(name["rows"])
        parts.setdefault(key, {})[at] = b"".join(int(name[field]).to_bytes(8, "little") for field in _PART)
        lengths[key] = int(name["count"])
    joined = {key: b"".join(piece for _, piece in sorted(pieces.items())) for key, pieces in parts.items()}
    return {
        key: text[: lengths[key]].decode("utf-8", "replace")
        for key, text in joined.items()
        if len(text) >= lengths[key] > 0
    }


def sequence_label(event: np.void, texts: dict[int, str]) -> str:
    """What the sequence of a record is called; a text whose record is gone by its hash."""
    number, flags = int(event["start_ns"]), int(event["detail"])
    if flags & SequenceFlag.TEXT:
        return texts.get(number, f"#{number:016x}")
    return f"own {number - _FIRST_OWN_ID}" if flags & SequenceFlag.OWN_ID else str(number)


def place_of_event(event: np.void, texts: dict[int, str]) -> SequencePlace:
    """What one record of kind SEQUENCE tells."""
    arrival, slot, before = (int(event[name]) for name in ("arrival_ns", "compute_start_ns", "compute_end_ns"))
    has_slot = max(slot, arrival)
    flags = int(event["detail"])
    return SequencePlace(
        label=sequence_label(event, texts),
        position=int(event["batch"]),
        slot=int(event["rows"]),
        is_start=bool(flags & SequenceFlag.START),
        is_end=bool(flags & SequenceFlag.END),
        slot_wait_ns=has_slot - arrival,
        previous_wait_ns=max(before - has_slot, 0),
        ready_ns=int(event["end_ns"]),
    )


def sequence_place(columns: EventColumns, request: np.void) -> SequencePlace | None:
    """Where a request stands in its sequence; None where it is of none, or that is not among the columns."""
    alone = np.array([request], dtype=columns.requests.dtype)
    found = int(places_of_requests(alone, columns.sequences)[0])
    return None if found < 0 else place_of_event(columns.sequences[found], sequence_texts(columns.sequence_names))


def places_of_requests(requests: Records, sequences: Records) -> NDArray[np.int64]:
    """Which row of `sequences` tells of each of the `requests`; -1 where none does.

    A request that is executed again and again has a row for each time: it is the last one before it started.
    """
    count = len(sequences)
    if not count or not len(requests):
        return np.full(len(requests), -1, np.int64)
    ids = np.concatenate([sequences["id"], requests["id"]])
    times = np.concatenate([sequences["end_ns"], requests["start_ns"]])
    order = np.lexsort((np.arange(len(ids)) >= count, times, ids))
    row = np.where(order < count, order, -1)
    # The last row of a sequence at or before each place; it counts where it is of the same request.
    last = np.maximum.accumulate(np.where(row >= 0, np.arange(len(order)), -1))
    before = np.where(last >= 0, row[last], -1)
    matches = (before >= 0) & (ids[order] == ids[np.maximum(before, 0)])
    found = np.full(len(ids), -1, np.int64)
    found[order] = np.where(matches, before, -1)
    return found[count:]


def steps_of(columns: EventColumns, serial: int) -> list[tuple[int, np.void | None]]:
    """The steps of an ensemble's request: number of the step, and the record of its request, in the order of arrival.

    None stands for a request whose record is not among the columns.
    """
    steps = columns.steps[columns.steps["start_ns"] == serial]
    steps = steps[np.argsort(steps["arrival_ns"], kind="stable")]
    return [(int(step["instance"]), _by_serial(columns, int(step["id"]))) for step in steps]


def _by_serial(columns: EventColumns, serial: int) -> np.void | None:
    for records in (columns.requests, columns.refusals):
        found = np.flatnonzero(records["id"] == serial)
        if len(found):
            record: np.void = records[found[-1]]
            return record
    return None
