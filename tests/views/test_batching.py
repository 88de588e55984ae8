# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from workbench.events import BatchReason
from workbench.views.batching import BatchSizes, size_table, sizes_of_table
from workbench.views.colours import REASONS

MS = 1_000_000


def batch_sizes(batches, *, max_batch_size):
    return sizes_of_table(size_table(batches), max_batch_size=max_batch_size)


def test_sizes_are_counted_by_reason(make):
    columns = make.columns(
        make.batch(10 * MS, waits_ns=[MS] * 8, reason=2),
        make.batch(20 * MS, waits_ns=[MS] * 3, reason=4),
        make.batch(30 * MS, waits_ns=[MS] * 3, reason=5),
    )
    found = batch_sizes(columns.batches, max_batch_size=8)
    assert [bar.count for bar in found.bars] == [0, 0, 2, 0, 0, 0, 0, 1]
    assert (found.bars[2].by_reason[4], found.bars[2].by_reason[5]) == (1, 1)
    assert found.mean_rows == 14 / 3


def test_a_batch_of_one_request_is_a_batch(make):
    found = batch_sizes(make.columns(make.batch(10 * MS, waits_ns=[MS], reason=1)).batches, max_batch_size=0)
    assert (found.count, found.bars[0].by_reason[1]) == (1, 1)


def test_large_batches_share_bars_of_equal_width(make):
    found = batch_sizes(make.columns(make.batch(10 * MS, waits_ns=[MS] * 64)).batches, max_batch_size=64)
    assert [(bar.first, bar.last) for bar in found.bars[:2]] == [(1, 4), (5, 8)]
    assert (len(found.bars), found.bars[-1].count) == (16, 1)


def test_a_reason_of_a_later_version_counts_as_none(make):
    found = batch_sizes(make.columns(make.batch(10 * MS, waits_ns=[MS], reason=77)).batches, max_batch_size=8)
    assert found.by_reason[0] == 1


def test_no_batch_has_no_bars(make):
    assert batch_sizes(make.columns().batches, max_batch_size=8) == BatchSizes()


def test_every_reason_of_the_log_has_a_style_and_no_two_look_alike():
    assert [style.name for style in REASONS] == [reason.name.lower() for reason in BatchReason]
    assert len({(style.colour, style.shape, style.hatched) for style in REASONS}) == len(REASONS)
