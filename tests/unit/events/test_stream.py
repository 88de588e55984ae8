# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np

from workbench.events import (
    EVENT_DTYPE,
    EventColumns,
    EventKind,
    EventNames,
    batch_of_requests,
    columns,
    join,
    members_of,
)


def test_records_are_sorted_by_what_they_tell(run: EventColumns) -> None:
    assert run.requests["id"].tolist() == list(range(1, 9))
    assert run.refusals["id"].tolist() == [9]
    assert run.memory["kind"].tolist() == [EventKind.ALLOCATED, EventKind.FALLBACK]
    assert run.model_states["detail"].tolist() == [2]
    assert (run.next_since, run.dropped) == (13, 2)


def test_execution_of_one_request_is_a_batch_too(run: EventColumns) -> None:
    assert run.batches["count"].tolist() == [7, 1]
    assert run.batches["rows"].tolist() == [7, 3]
    assert run.batches["kind"].tolist() == [EventKind.BATCH] * 2
    assert run.batches["id"].tolist() == [0, 0]
    assert run.batches["arrival_ns"].tolist() == [100_000, 2_000_000]


def test_deriving_batches_leaves_the_records_alone(record) -> None:
    records = record(EventKind.REQUEST, id=5, count=1)
    columns(records)
    assert records["kind"].tolist() == [EventKind.REQUEST]
    assert records["id"].tolist() == [5]


def test_requests_find_their_batch_by_model_instance_and_number(run: EventColumns) -> None:
    assert batch_of_requests(run).tolist() == [0] * 7 + [1]
    assert members_of(run, 0)["id"].tolist() == list(range(1, 8))
    assert members_of(run, 1)["id"].tolist() == [8]


def test_request_whose_batch_record_is_missing_has_none(record) -> None:
    told = columns(record(EventKind.REQUEST, id=1, count=4, batch=9))
    assert batch_of_requests(told).tolist() == [-1]
    with_other = columns(
        np.concatenate([record(EventKind.REQUEST, count=4, batch=9), record(EventKind.BATCH, batch=3)])
    )
    assert batch_of_requests(with_other).tolist() == [-1]


def test_no_records_give_empty_columns() -> None:
    nothing = columns(np.zeros(0, EVENT_DTYPE))
    assert len(nothing.requests) == len(nothing.batches) == 0
    assert batch_of_requests(nothing).tolist() == []


def test_readings_are_joined_in_order(run: EventColumns) -> None:
    twice = join([run, run])
    assert twice.requests["id"].tolist() == [*range(1, 9), *range(1, 9)]
    assert twice.requests.dtype == EVENT_DTYPE
    assert (twice.dropped, twice.next_since, twice.names) == (4, 13, run.names)


def test_columns_say_what_they_hold(run: EventColumns) -> None:
    assert repr(run) == "<EventColumns 8 requests, 1 refusals, 2 batches, 2 memory, 1 model states, 0 steps, 2 dropped>"


def test_unknown_numbers_still_have_a_name() -> None:
    names = EventNames(models=(("", 0), ("echo", 1)), pools=("cpu",))
    assert (names.model(1), names.model(2)) == ("echo", "model 2")
    assert (names.pool(0), names.pool(7)) == ("cpu", "pool 7")
