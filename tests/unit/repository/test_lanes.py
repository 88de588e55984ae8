# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from workbench.repository.lanes import Lanes


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    lanes = Lanes()
    yield lanes
    lanes.close()


def test_work_under_one_key_runs_in_the_order_of_submission(lanes: Lanes) -> None:
    done: list[int] = []
    gate = threading.Event()
    lanes.submit("m", gate.wait, 5.0)
    futures = [lanes.submit("m", done.append, number) for number in range(50)]
    gate.set()
    for future in futures:
        future.result(5.0)
    assert done == list(range(50))


def test_work_under_other_keys_runs_beside_it(lanes: Lanes) -> None:
    gate = threading.Event()
    held = lanes.submit("m", gate.wait, 5.0)
    assert lanes.submit("n", lambda: "done").result(5.0) == "done"
    gate.set()
    assert held.result(5.0)


def test_error_is_raised_to_whoever_waits_and_the_lane_goes_on(lanes: Lanes) -> None:
    failed = lanes.submit("m", int, "x")
    assert lanes.submit("m", int, "7").result(5.0) == 7
    with pytest.raises(ValueError, match="invalid literal"):
        failed.result()


def test_close_finishes_what_was_submitted() -> None:
    lanes = Lanes()
    gate = threading.Event()
    lanes.submit("m", gate.wait, 5.0)
    last = lanes.submit("m", lambda: "last")
    gate.set()
    lanes.close()
    assert last.result(0.0) == "last"
    with pytest.raises(RuntimeError):
        lanes.submit("m", lambda: None)
