# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Executions beside those that ran while the machine was slower."""

from __future__ import annotations

import numpy as np

from workbench.calibrate.calm import WINDOW, is_calm, slowness

USUAL = 100_000


def test_executions_of_a_slower_phase_are_told_from_the_others() -> None:
    times = np.repeat([USUAL, 135_000, USUAL], [10 * WINDOW, 6 * WINDOW, 4 * WINDOW])
    assert np.array_equal(is_calm(times), times == USUAL)
    assert slowness(times).max() == 1.35


def test_most_of_the_time_may_be_slower() -> None:
    times = np.repeat([135_000, USUAL], [12 * WINDOW, 5 * WINDOW])
    assert np.array_equal(is_calm(times), times == USUAL)


def test_what_varies_from_one_execution_to_the_next_is_no_phase() -> None:
    times = np.random.default_rng(1).choice([90_000, 100_000, 110_000, 190_000], 100 * WINDOW, p=[0.3, 0.4, 0.2, 0.1])
    assert is_calm(times).mean() > 0.98


def test_a_few_executions_are_all_calm() -> None:
    assert is_calm(np.array([USUAL, 2 * USUAL, USUAL])).all()
