# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from workbench.views.memory import pool_bins, pool_marks, pools_after, sizes_after

MS = 1_000_000
BIN = 100 * MS


def bins_of(make, memory, *, pool=0, first=10, last=13):
    bins = pool_bins(memory, make.pools, bin_ns=BIN, first=first, last=last)
    return bins[bins["pool"] == pool]


def test_a_bin_shows_the_most_that_was_in_use(make):
    memory = make.columns(
        make.memory(1_010 * MS, live=5, reserved=8),
        make.memory(1_020 * MS, live=9, reserved=16),
        make.memory(1_030 * MS, kind=5, live=2, reserved=16),
    ).memory
    found = bins_of(make, memory)
    assert found["live"].tolist() == [9, 2, 2, 2]
    assert found["reserved"].tolist() == [16, 16, 16, 16]


def test_pools_do_not_mix(make):
    memory = make.columns(make.memory(1_010 * MS, pool=1, live=7, reserved=7)).memory
    assert bins_of(make, memory, pool=0)["live"].tolist() == [0, 0, 0, 0]
    assert bins_of(make, memory, pool=1)["live"].tolist() == [7, 7, 7, 7]


def test_a_pool_without_events_is_what_it_says_now(make):
    pools = (make.pools[0].__class__("pinned", 3, 4, 5, 0, 0, 0, 0),)
    found = pool_bins(make.columns().memory, pools, bin_ns=BIN, first=1, last=2)
    assert (found["live"].tolist(), found["reserved"].tolist()) == ([3, 3], [4, 4])


def test_events_out_of_order_are_put_in_order(make):
    memory = make.columns(
        make.memory(1_210 * MS, live=1, reserved=8), make.memory(1_110 * MS, live=4, reserved=8)
    ).memory
    assert bins_of(make, memory)["live"].tolist() == [4, 4, 4, 1]


def test_fallbacks_of_one_bin_are_one_mark_with_a_count(make):
    memory = make.columns(*[make.memory(when * MS, kind=8) for when in (1_010, 1_020, 1_250)]).memory
    found = pool_marks(memory, make.pools, bin_ns=BIN)
    assert [(mark.kind, mark.count) for mark in found] == [("fallback", 2), ("fallback", 1)]
    assert found[0].words == "pinned was full: 0 B fell back"


def test_a_failed_allocation_is_a_mark_of_its_own(make):
    memory = make.columns(make.memory(1_010 * MS, kind=9), make.memory(1_050 * MS, kind=8)).memory
    assert {mark.kind for mark in pool_marks(memory, make.pools, bin_ns=BIN)} == {"allocation_failed", "fallback"}


def test_a_failure_that_a_fallback_made_good_at_once_is_no_mark(make):
    memory = make.columns(make.memory(1_010 * MS, kind=9), make.memory(1_011 * MS, kind=8)).memory
    assert {mark.kind for mark in pool_marks(memory, make.pools, bin_ns=BIN)} == {"fallback"}


def test_a_fallback_changes_no_size(make):
    memory = make.columns(make.memory(1_010 * MS, live=5, reserved=8), make.memory(1_020 * MS, kind=8)).memory
    assert bins_of(make, memory)["live"].tolist() == [5, 5, 5, 5]


def test_pools_follow_their_events(make):
    memory = make.columns(
        make.memory(1 * MS, live=50, reserved=64), make.memory(2 * MS, kind=5, live=10, reserved=64)
    ).memory
    after = pools_after(make.pools, sizes_after(memory, len(make.pools)))
    assert (after[0].live_byte_size, after[0].reserved_byte_size, after[0].peak_byte_size) == (10, 64, 50)
    assert after[1] == make.pools[1]
