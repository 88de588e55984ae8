# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np

from workbench.events import EVENT_DTYPE, EventKind, columns


def records(*rows):
    made = np.zeros(len(rows), EVENT_DTYPE)
    for record, (kind, number, count) in zip(made, rows, strict=True):
        record["kind"], record["id"], record["count"] = kind, number, count
    return made


def test_a_record_is_64_bytes_as_in_the_core():
    assert EVENT_DTYPE.itemsize == 64


def test_records_are_sorted_by_what_they_are_about():
    found = columns(records(*[(kind, kind, 2) for kind in EventKind]), next_since=10, dropped=3)
    assert found.requests["id"].tolist() == [1]
    assert found.refusals["id"].tolist() == [2]
    assert found.batches["id"].tolist() == [3]
    assert found.memory["id"].tolist() == [4, 5, 6, 7, 8, 9]
    assert found.model_states["id"].tolist() == [10]
    assert (found.next_since, found.dropped) == (10, 3)


def test_an_execution_of_one_request_is_made_from_its_request():
    found = columns(records((1, 7, 1), (1, 8, 2), (1, 9, 2), (3, 0, 2)))
    assert found.requests["id"].tolist() == [7, 8, 9]
    assert sorted(found.batches["id"].tolist()) == [0, 7]


def test_no_record_makes_empty_columns():
    found = columns(records())
    assert [len(part) for part in (found.requests, found.refusals, found.batches, found.memory)] == [0, 0, 0, 0]
