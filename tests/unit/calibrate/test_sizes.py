# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which sizes a calibration measures, and how it shares out its time."""

from __future__ import annotations

import pytest

from workbench.calibrate.sizes import FEWEST, REPETITIONS, Budget, batch_sizes, is_short
from workbench.simulate import Line


def test_small_sizes_are_all_measured() -> None:
    assert sorted(batch_sizes(5)) == [1, 2, 3, 4, 5]
    assert batch_sizes(1) == (1,)


def test_powers_of_two_and_edges_of_tiles_are_measured() -> None:
    sizes = batch_sizes(64)
    assert {1, 2, 4, 8, 16, 32, 64} <= set(sizes)
    assert {17, 24, 33, 40, 48} <= set(sizes)
    assert max(sizes) == 64
    assert len(set(sizes)) == len(sizes)


def test_the_ends_come_first() -> None:
    assert batch_sizes(48)[:2] == (1, 48)


def test_a_quick_model_gets_all_repetitions() -> None:
    assert Budget(10).repetitions(8, Line(1e5, 9e5, 0), left=20) == REPETITIONS


def test_what_does_not_fit_is_left_out_but_for_powers_of_two() -> None:
    slow = Line(1e8, 1e9, 0)
    assert Budget(10).repetitions(11, slow, left=20) == 0
    assert Budget(10).repetitions(16, slow, left=20) == FEWEST


def test_executions_that_are_soon_over_are_repeated_for_longer_as_far_as_requests_go() -> None:
    assert Budget(10).repetitions(1, Line(1e3, 99e3, 0), left=2) == 500
    assert Budget(10).repetitions(32, Line(1e3, 99e3, 0), left=2) == 128
    assert Budget(10).repetitions(64, Line(1e3, 99e3, 0), left=2) == 64


def test_half_of_the_executions_come_on_the_way_back() -> None:
    line = Line(1e5, 9e5, 0)
    assert Budget(10).repetitions(8, line, left=20, share=0.5) == 30
    assert Budget(10).repetitions(8, line, left=20, known=31) == 29
    assert Budget(10).repetitions(1, line, left=20, known=7) == 53


@pytest.mark.parametrize("size", [1, 7])
def test_the_first_size_is_tried_shortly(size: int) -> None:
    assert Budget(10).repetitions(size, None, left=20) == FEWEST


def test_executions_are_short_of_which_a_phase_of_the_machine_covers_sixty() -> None:
    assert is_short(100_000)
    assert not is_short(1_000_000)
