# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.views.lanes import thin, waiting_fan

MS = 1_000_000


@pytest.fixture
def many(make):
    """2,000 batches, one every millisecond; number 700 waited longest, number 900 executed longest."""
    parts = [make.batch(1_000 * MS + i * MS, waits_ns=[MS, MS], serial=i) for i in range(2_000)]
    records = np.concatenate(parts)
    slow = (records["batch"] == 700) & (records["kind"] == 3)
    records["arrival_ns"][slow] -= 500 * MS
    records["end_ns"][(records["batch"] == 900) & (records["kind"] == 3)] += 500 * MS
    return make.columns(records)


def test_few_batches_are_all_drawn(many):
    found = thin(many.batches, limit=5_000)
    assert found.is_whole
    assert found.kept.tolist() == list(range(2_000))


def test_thinning_keeps_to_its_limit_and_covers_the_whole_time(many):
    found = thin(many.batches, limit=400)
    serials = many.batches["batch"][found.kept]
    assert len(found.kept) <= 400
    assert np.diff(np.sort(serials)).max() <= 20


def test_thinning_never_hides_the_slowest(many):
    kept = set(many.batches["batch"][thin(many.batches, limit=100).kept].tolist())
    assert {700, 900} <= kept


def test_thinning_keeps_the_newest_without_a_gap(many):
    found = thin(many.batches, limit=400)
    whole = many.batches["start_ns"] >= found.whole_from_ns
    assert whole.sum() == 150
    assert set(np.flatnonzero(whole)) <= set(found.kept.tolist())


def test_no_batch_thins_to_none(make):
    assert thin(make.columns().batches, limit=10).kept.tolist() == []


def test_the_fan_keeps_every_wait_of_the_gapless_part(many):
    chosen = thin(many.batches, limit=400)
    fan = waiting_fan(many.requests, limit=800, whole_from_ns=chosen.whole_from_ns)
    assert len(fan) <= 800
    assert (fan["start_ns"] >= chosen.whole_from_ns).sum() == 300


def test_a_small_fan_is_whole(many):
    assert len(waiting_fan(many.requests, limit=10_000)) == 4_000
