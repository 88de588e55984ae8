# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is read out of the times of a run's requests."""

from __future__ import annotations

import numpy as np

from workbench.calibrate.trace import Trace


def burst(starts: list[int], size: int, service: int) -> Trace:
    """Executions of one size that begin at these times; answers come one after the other, 2 ns apart."""
    start = np.repeat(np.array(starts), size)
    answers = np.tile(np.arange(size) * 2, len(starts)) - (size - 1)
    zeros = np.zeros_like(start)
    return Trace(zeros, zeros, start, start + service + answers, np.full_like(start, size))


def test_service_runs_to_the_mean_answer_and_leaves_out_the_first_executions() -> None:
    trace = burst([0, 100, 200, 310, 420], size=3, service=90)
    assert trace.service_ns(3).tolist() == [90, 90, 90]
    assert trace.periods_ns().tolist() == [110, 110]


def test_other_sizes_do_not_count() -> None:
    trace = burst([0, 100, 200, 310], size=2, service=50)
    assert trace.service_ns(3).tolist() == []


def test_a_request_finds_an_idle_instance_when_all_before_were_answered() -> None:
    arrival, done = np.array([10, 15, 40]), np.array([20, 30, 60])
    trace = Trace(arrival, arrival, arrival, done, np.ones_like(arrival))
    assert trace.found_idle().tolist() == [True, False, True]


def test_a_pause_runs_from_the_last_answer_to_the_next_start() -> None:
    start, done = np.array([10, 10, 40, 100]), np.array([20, 30, 60, 120])
    trace = Trace(start, start, start, done, np.array([2, 2, 1, 1]))
    assert trace.pauses_ns().tolist() == [0, 10, 40]
