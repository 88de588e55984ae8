# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Records that are kept for a window lie outside the C library's heap, so that it does not become full of holes."""

import ctypes

import numpy as np
import pytest

from benchmarks.kernel_memory import MallInfo
from workbench.events import EVENT_DTYPE, LARGE_BYTES, columns
from workbench.views.lanes import waiting_fan
from workbench.views.records import joined, select

MANY = 4 * LARGE_BYTES // EVENT_DTYPE.itemsize
READINGS = 64


def heap_bytes():
    """Bytes that the C library has given out."""
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo2 is None:
        pytest.skip("the C library does not tell what it has given out")
    mallinfo2.restype = MallInfo
    told = mallinfo2()
    return told.uordblks + told.hblkhd


@pytest.fixture
def records():
    """Requests of two models in turns, numbered."""
    records = np.zeros(MANY, EVENT_DTYPE)
    records["kind"], records["count"] = 1, 2
    records["model"], records["id"] = 1 + np.arange(MANY) % 2, np.arange(MANY)
    return records


def alone(records):
    """Requests that were executed alone: each tells of its batch, too."""
    records["count"] = 1
    return records


@pytest.mark.parametrize(
    "keep",
    [
        lambda records: select(records, records["model"] == 1),
        lambda records: joined([records, records]),
        lambda records: columns(alone(records)).batches,
        lambda records: waiting_fan(records, limit=MANY - 1),
        lambda records: columns(np.concatenate([records, np.zeros(1, EVENT_DTYPE)])).requests,
    ],
    ids=["selected", "joined", "batches", "waiting", "sorted"],
)
def test_what_is_kept_of_many_readings_does_not_lie_in_the_heap(records, keep):
    before = heap_bytes()
    kept = [keep(records) for _ in range(READINGS)]
    assert heap_bytes() - before < sum(one.nbytes for one in kept) / 8


@pytest.mark.parametrize("count", [0, 1, 10, MANY])
def test_selecting_and_joining_give_the_records(records, count):
    part = records[:count]
    odd = select(part, part["id"] % 2 == 1)
    assert odd["id"].tolist() == list(range(1, count, 2))
    assert joined([part, odd])["id"].tolist() == [*range(count), *range(1, count, 2)]


def test_one_part_is_itself_and_all_is_all(records):
    assert joined([records]) is records
    assert select(records, records["model"] > 0) is records
