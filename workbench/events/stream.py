# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Event records sorted into columns of requests, refusals, batches, memory, model states, steps and sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.events.event import EVENT_DTYPE, EventKind, Records
from workbench.events.room import taken

_FIRST_MEMORY: Final = EventKind.ALLOCATED
_LAST_MEMORY: Final = EventKind.ALLOCATION_FAILED


@dataclass(frozen=True, slots=True)
class EventNames:
    """What the numbers in the records stand for.

    Attributes:
        models: (name, version) at a model's number; number 0 is no model.
        pools: name at a memory pool's number.
    """

    models: tuple[tuple[str, int], ...] = (("", 0),)
    pools: tuple[str, ...] = ()

    def model(self, number: int) -> str:
        """Name of a model, with its number where the name is not known."""
        return self.models[number][0] if 0 <= number < len(self.models) else f"model {number}"

    def pool(self, number: int) -> str:
        """Name of a pool, with its number where the name is not known."""
        return self.pools[number] if 0 <= number < len(self.pools) else f"pool {number}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EventColumns:
    """What happened between two readings of the log, each kind in the order of the log.

    Attributes:
        requests: requests that were executed, or failed while they were.
        refusals: requests that never reached a backend.
        batches: every execution; those of one request are derived from its record, with `kind` BATCH and `id` 0.
        memory: allocations, frees, growth and shrinkage of pools, fallbacks, failures.
        model_states: changes of a model's state.
        steps: requests that ensembles sent to the models of their steps.
        sequences: where the requests of sequences stand in them, and what each waited for.
        sequence_names: the texts that sequences are called by, in parts; `sequence_texts` joins them.
        next_since: sequence number to go on reading from.
        dropped: events lost since the reading before.
        names: what the records' numbers stand for.
    """

    requests: Records
    refusals: Records
    batches: Records
    memory: Records
    model_states: Records
    steps: Records
    sequences: Records = field(default_factory=lambda: np.empty(0, EVENT_DTYPE))
    sequence_names: Records = field(default_factory=lambda: np.empty(0, EVENT_DTYPE))
    next_since: int = 0
    dropped: int = 0
    names: EventNames = field(default_factory=EventNames)

    def __repr__(self) -> str:
        told = [name for name in RECORD_FIELDS if name not in _SELDOM or len(getattr(self, name))]
        counts = ", ".join(f"{len(getattr(self, name))} {name.replace('_', ' ')}" for name in told)
        lost = f", {self.dropped} dropped" if self.dropped else ""
        return f"<EventColumns {counts}{lost}>"


_SELDOM: Final = ("sequences", "sequence_names")
RECORD_FIELDS: Final = tuple(one.name for one in fields(EventColumns))[:8]


def columns(
    records: NDArray[Any], *, names: EventNames | None = None, next_since: int = 0, dropped: int = 0
) -> EventColumns:
    """Sorts records by what they tell.

    Args:
        records: array of EVENT_DTYPE, shape (n,), in the order of the log.
        names: what the numbers stand for.
        next_since: as the log reported it.
        dropped: as the log reported it.
    """
    kind = records["kind"]
    is_request = kind == EventKind.REQUEST
    return EventColumns(
        requests=_select(records, is_request),
        refusals=_select(records, kind == EventKind.REFUSED),
        batches=_batches(records, (kind == EventKind.BATCH) | (is_request & (records["count"] == 1))),
        memory=_select(records, (kind >= _FIRST_MEMORY) & (kind <= _LAST_MEMORY)),
        model_states=_select(records, kind == EventKind.MODEL_STATE),
        steps=_select(records, kind == EventKind.STEP),
        sequences=_select(records, kind == EventKind.SEQUENCE),
        sequence_names=_select(records, kind == EventKind.SEQUENCE_NAME),
        next_since=next_since,
        dropped=dropped,
        names=names if names is not None else EventNames(),
    )


def batch_of_requests(all_columns: EventColumns) -> NDArray[np.int64]:
    """Which row of `batches` each row of `requests` was executed in; -1 where the batch is not among them."""
    keys = _execution_keys(all_columns.batches)
    if len(keys) == 0:
        return np.full(len(all_columns.requests), -1, np.int64)
    order = np.argsort(keys, kind="stable")
    wanted = _execution_keys(all_columns.requests)
    # The last of equal keys: an execution's number starts anew after 2**32.
    found = order[np.searchsorted(keys, wanted, side="right", sorter=order) - 1]
    return np.where(keys[found] == wanted, found, -1)


def members_of(all_columns: EventColumns, batch: int) -> Records:
    """The requests that were executed in the batch at row `batch` of `batches`."""
    key = _execution_keys(all_columns.batches[batch : batch + 1])
    return _select(all_columns.requests, _execution_keys(all_columns.requests) == key)


def join(parts: Sequence[EventColumns]) -> EventColumns:
    """What several readings in a row told, as one; at least one part, oldest first."""
    joined: dict[str, Any] = {name: _concatenate([getattr(part, name) for part in parts]) for name in RECORD_FIELDS}
    return replace(parts[-1], **joined, dropped=sum(part.dropped for part in parts))


def _concatenate(parts: Sequence[Records]) -> Records:
    # As plain bytes of a record's size: structured arrays are copied field by field.
    plain = np.dtype((np.void, EVENT_DTYPE.itemsize))
    return np.concatenate([part.view(plain) for part in parts]).view(EVENT_DTYPE)


def _select(records: Records, mask: NDArray[np.bool_]) -> Records:
    return records if mask.all() else taken(records, mask)


def _batches(records: Records, mask: NDArray[np.bool_]) -> Records:
    batches = taken(records, mask)
    batches["kind"] = EventKind.BATCH
    batches["id"] = 0
    return batches


def _execution_keys(records: Records) -> NDArray[np.uint64]:
    """One number for each execution, from model, instance and its number there."""
    model = records["model"].astype(np.uint64) << np.uint64(40)
    instance = records["instance"].astype(np.uint64) << np.uint64(32)
    keys: NDArray[np.uint64] = model | instance | records["batch"]
    return keys
