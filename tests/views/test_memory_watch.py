# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The memory view: the map of blocks, its follower, its messages."""

import json
from dataclasses import replace

import numpy as np
import pytest

from workbench.server import MemoryStatistics, Pool
from workbench.views.blocks import BLOCK_DTYPE, block_map
from workbench.views.memory_follower import MemoryFollower
from workbench.views.memory_message import memory_message
from workbench.views.paper_memory import draw_memory

MS, S, KIB = 1_000_000, 1_000_000_000, 1 << 10
NATIVE = np.dtype(
    [
        ("address", "<u8"), ("byte_size", "<u8"), ("slab", "<u8"), ("model", "<u2"), ("instance", "<u2"),
        ("tensor", "<u4"), ("is_free", "u1"),
    ]
)  # fmt: skip
POOLS = (
    Pool("host pool", 60 * KIB, 128 * KIB, 64 * KIB, 256 * KIB, 9, 1, 1, hits=8, fragmentation=0.4),
    Pool("host", 0, 0, 0, 0, 0, 0, 0),
)


def blocks(*rows):
    return np.array([(address, size, slab, *owner) for address, size, slab, owner in rows], NATIVE)


@pytest.fixture
def memory():
    """Two slabs; model 1 holds two blocks, model 2 one, the server itself one."""
    records = blocks(
        (2_000 + 32 * KIB, 32 * KIB, 2_000, (0, 0, 0, 1)),
        (1_000, 16 * KIB, 1_000, (1, 1, 1, 0)),
        (1_000 + 16 * KIB, 16 * KIB, 1_000, (1, 1, 1, 0)),
        (1_000 + 32 * KIB, 32 * KIB, 1_000, (0, 0, 0, 1)),
        (2_000, 24 * KIB, 2_000, (2, 2, 0, 0)),
        (2_000 + 24 * KIB, 4 * KIB, 2_000, (0, 0, 0, 0)),
    )
    return MemoryStatistics(POOLS, {"host pool": records}, (("", 0), ("embed", 1), ("rank", 2)), ("", "OUTPUT0"))


@pytest.fixture
def source(make, facts, memory):
    source = make.source(facts)
    source.memory = lambda: memory
    return source


def test_blocks_stand_where_they_lie_in_their_slab(memory):
    found = block_map(memory).blocks
    assert found["offset"].tolist() == [0, 16 * KIB, 32 * KIB, 0, 24 * KIB, 32 * KIB]
    assert found["slab"].tolist() == [0, 0, 0, 1, 1, 1]
    assert found["instance"].tolist()[:2] == [0, 0]


def test_bytes_are_counted_by_owner(memory):
    assert block_map(memory).owned_bytes == {0: 4 * KIB, 1: 32 * KIB, 2: 24 * KIB}


def test_slabs_have_their_sizes(memory):
    assert block_map(memory).slab_sizes == {(0, 0): 64 * KIB, (0, 1): 60 * KIB}


def test_neighbours_of_one_owner_are_joined_where_there_are_too_many(memory):
    found = block_map(memory, limit=5).blocks
    assert found["count"].tolist() == [2, 1, 1, 1, 1]
    assert found["byte_size"][0] == 32 * KIB


def test_a_map_of_very_many_blocks_stays_small_and_loses_no_byte(memory):
    count = 20_000
    rows = np.zeros(count, NATIVE)
    rows["address"], rows["byte_size"], rows["slab"] = np.arange(count) * 64, 64, 0
    rows["tensor"], rows["model"] = np.arange(count) % 7, np.arange(count) // 500 % 3
    found = block_map(replace(memory, records={"host pool": rows}), limit=100).blocks
    assert len(found) <= 100
    assert found["byte_size"].sum() == count * 64
    assert found["count"].sum() == count


def test_of_many_slabs_the_first_are_shown_and_the_rest_counted(memory):
    rows = np.zeros(20, NATIVE)
    rows["address"] = rows["slab"] = np.arange(20) * KIB
    rows["byte_size"] = KIB
    found = block_map(replace(memory, records={"host pool": rows}))
    assert (len(found.slab_sizes), found.hidden_slabs) == (12, {0: 8})


def test_a_look_says_who_holds_most(source):
    look = MemoryFollower(source).look()
    assert look.sentence == "60 KiB in use, most of it by embed (32 KiB)."


def test_a_look_says_what_fell_back_to_where(source, make):
    gave = make.memory(source.time_ns - 2, pool=1, live=KIB)
    fell = make.memory(source.time_ns - 1, kind=8)
    gave["compute_start_ns"] = fell["compute_start_ns"] = 4_096
    gave["start_ns"] = fell["start_ns"] = KIB
    failed = make.memory(source.time_ns - 3, kind=9)
    failed["start_ns"] = KIB
    source.waiting = [failed, gave, fell]
    look = MemoryFollower(source).look()
    assert look.sentence.startswith("host pool was full: 1 KiB fell back to host; 1 time in this window.")
    assert [(mark.kind, mark.pool) for mark in look.marks] == [("fallback", 0)]


def test_a_failure_that_nothing_made_good_is_one(source, make):
    source.waiting = [make.memory(source.time_ns - 3, kind=9)]
    assert MemoryFollower(source).look().sentence.startswith("1 allocation failed: raise the limit")


def test_nothing_in_use_is_said(source, memory):
    empty = tuple(replace(pool, live_byte_size=0) for pool in POOLS)
    source.memory = lambda: replace(memory, pools=empty)
    assert MemoryFollower(source).look().sentence == "Nothing is in use; pools keep what they reserved."


def test_rates_are_of_the_window(source, make):
    source.waiting = [make.memory(source.time_ns - S + i * MS) for i in range(30)]
    for event in source.waiting:
        event["start_ns"] = 100
    told = MemoryFollower(source, window_s=10).look().rates
    assert (told[0].allocations_per_s, told[0].bytes_per_s, told[1].allocations_per_s) == (3.0, 300.0, 0.0)


def test_before_the_first_event_is_what_it_changed(source, make):
    source.waiting = [make.memory(source.time_ns - 15 * S, live=10 * KIB)]
    source.waiting[0]["start_ns"] = 4 * KIB
    bins = MemoryFollower(source).look().bins
    live = bins["live"][bins["pool"] == 0]
    assert (live[0], live[-1]) == (6 * KIB, 10 * KIB)


def test_a_message_has_the_names_that_its_numbers_stand_for(source):
    header, (bins, table) = memory_message(MemoryFollower(source).look(), seq=3)
    json.dumps(header)
    assert (header["kind"], header["seq"], header["models"]) == ("memory", 3, ["", "embed v1", "rank v2"])
    assert header["owned"][0] == (1, 32 * KIB)
    assert len(table) == 6 * BLOCK_DTYPE.itemsize
    assert len(bins) % 32 == 0


def test_it_is_drawn_on_paper(source):
    figure = draw_memory(MemoryFollower(source).look())
    assert [axes.get_title(loc="left").split("   ")[0] for axes in figure.axes] == [
        "host pool",
        "held by no model, embed, rank",
    ]


def taken_and_given_back(make, until_ns, count, *, seed):
    """Allocations and releases of 1 KiB in the last five seconds, with what is live after each."""
    random = np.random.default_rng(seed)
    times = np.sort(until_ns - random.integers(0, 5 * S, count))
    kinds = np.where(random.random(count) < 0.5, 4, 5)
    live = count * KIB + np.cumsum(np.where(kinds == 4, KIB, -KIB))
    events = [
        make.memory(int(when), kind=int(kind), live=int(held), reserved=count * KIB)
        for when, kind, held in zip(times, kinds, live, strict=True)
    ]
    for event in events:
        event["start_ns"] = KIB
    return events


def test_many_looks_tell_the_same_as_one(source, make):
    end_ns = source.time_ns + 5 * S
    events = taken_and_given_back(make, end_ns, 400, seed=1)
    follower = MemoryFollower(source, window_s=10)
    while source.time_ns < end_ns:
        source.time_ns += 70 * MS
        source.waiting = [event for event in events if event["arrival_ns"][0] <= source.time_ns]
        events = events[len(source.waiting) :]
        told = follower.look()
    source.waiting = taken_and_given_back(make, end_ns, 400, seed=1)
    once = MemoryFollower(source, window_s=10).look()
    recent = once.bins["index"] >= (end_ns - 5 * S) // once.bin_ns
    assert told.rates == once.rates
    assert np.array_equal(told.bins[recent], once.bins[recent])


def test_a_look_counts_only_what_is_new(source, make):
    follower = MemoryFollower(source, window_s=10)
    source.waiting = taken_and_given_back(make, source.time_ns, 2_000, seed=2)
    before = follower.look().rates[0].allocations_per_s
    assert before > 90
    source.time_ns += 2 * S
    source.waiting = [make.memory(source.time_ns - S)]
    assert follower.look().rates[0].allocations_per_s == pytest.approx(before + 0.1)
    source.time_ns += 8 * S
    assert follower.look().rates[0].allocations_per_s == 0.1


def test_events_that_come_late_are_counted_in_their_own_bin(source, make):
    follower = MemoryFollower(source, window_s=10)
    follower.look()
    source.time_ns += S
    follower.look()
    source.waiting = [make.memory(source.time_ns - S // 2, live=7 * KIB)]
    bins = follower.look().bins
    late = (bins["index"] == (source.time_ns - S // 2) // follower.bin_ns) & (bins["pool"] == 0)
    assert bins["live"][late].tolist() == [7 * KIB]


def test_a_replay_that_goes_back_begins_anew(source, make):
    follower = MemoryFollower(source, window_s=10)
    follower.look()
    source.time_ns -= 100 * S
    source.waiting = [make.memory(source.time_ns - S, live=7 * KIB)]
    look = follower.look()
    assert look.bins["index"].max() == source.time_ns // look.bin_ns - 1
    assert look.bins["live"].max() == 7 * KIB


def test_a_pool_that_is_opened_later_held_nothing_before(source, memory):
    source.memory = lambda: replace(memory, pools=POOLS[:1])
    follower = MemoryFollower(source, window_s=10)
    follower.look()
    source.memory = lambda: memory
    source.time_ns += S
    bins = follower.look().bins
    assert set(bins["pool"].tolist()) == {0, 1}
    assert len(bins) == 2 * len(set(bins["index"].tolist()))
