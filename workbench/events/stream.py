# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Records sorted by what they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.events.event import EVENT_DTYPE, EventKind

Records = NDArray[Any]


@dataclass(frozen=True, slots=True)
class EventNames:
    """What numbers in records stand for: (name, version) by model number, name by pool number."""

    models: tuple[tuple[str, int], ...] = (("", 0),)
    pools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class EventColumns:
    """Events by kind, as structured arrays of `EVENT_DTYPE`.

    Attributes:
        requests: requests that were executed.
        refusals: requests that never reached a backend.
        batches: executions. One of a single request has no record of its own in the log; it is made from its request.
        memory: allocations, pool changes, fallbacks.
        model_states: models that changed their state.
        next_since: where to read on.
        dropped: records lost since the previous read.
        names: what numbers stand for.
    """

    requests: Records
    refusals: Records
    batches: Records
    memory: Records
    model_states: Records
    next_since: int
    dropped: int
    names: EventNames


_NO_NAMES: Final = EventNames()


def columns(records: Records, *, names: EventNames = _NO_NAMES, next_since: int = 0, dropped: int = 0) -> EventColumns:
    """Sorts records by kind; inside a kind their order stays."""
    kind = records["kind"]
    requests = _where(records, kind == EventKind.REQUEST)
    lone = _where(requests, requests["count"] == 1)
    several = _where(records, kind == EventKind.BATCH)
    return EventColumns(
        requests=requests,
        refusals=_where(records, kind == EventKind.REFUSED),
        batches=_joined(several, lone),
        memory=_where(records, (kind >= EventKind.ALLOCATED) & (kind <= EventKind.ALLOCATION_FAILED)),
        model_states=_where(records, kind == EventKind.MODEL_STATE),
        next_since=next_since,
        dropped=dropped,
        names=names,
    )


def _where(records: Records, mask: NDArray[np.bool_]) -> Records:
    return records.take(np.flatnonzero(mask))


def _joined(first: Records, second: Records) -> Records:
    """Both, without numpy's copy of structured arrays field by field."""
    if len(first) == 0 or len(second) == 0:
        return first if len(second) == 0 else second
    return np.frombuffer(b"".join([first.data, second.data]), EVENT_DTYPE)
