# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What `benchmarks/prediction.py` counts as the machine's own part of a run."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.events import EVENT_DTYPE

SCRIPT = Path(__file__).parents[2] / "benchmarks/lost_time.py"
MS = 1_000_000
COUNT = 1000


@pytest.fixture
def lost_time(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script as a module."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location("lost_time", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def lost_share(lost_time: Any) -> Any:
    """Its function."""
    return lost_time.lost_share


def executions(times_ns: np.ndarray, *, idle_ns: int = MS, wait_ns: Any = 0, instance: int = 0) -> np.ndarray:
    """One after the other, each of a request that came idle_ns after the end of the one before."""
    batches = np.zeros(len(times_ns), EVENT_DTYPE)
    arrivals = np.cumsum(np.concatenate(([MS], (times_ns + wait_ns)[:-1] + idle_ns)))
    batches["arrival_ns"], batches["start_ns"] = arrivals, arrivals + wait_ns
    batches["end_ns"] = batches["start_ns"] + times_ns
    batches["count"], batches["instance"] = 1, instance
    return batches


def span_ns(batches: np.ndarray) -> float:
    return float(batches["end_ns"].max() - batches["start_ns"].min())


def test_a_calm_machine_takes_nothing(lost_share: Any) -> None:
    assert lost_share(executions(np.full(COUNT, MS)), {}) == 0


def test_what_executions_took_too_long_in_a_slower_phase_is_lost(lost_share: Any) -> None:
    times = np.full(COUNT, MS)
    times[320:640] = 1.25 * MS
    batches = executions(times)
    assert lost_share(batches, {}) * span_ns(batches) == pytest.approx(320 * 0.25 * MS, rel=0.11)


def test_a_single_execution_that_was_held_is_lost(lost_share: Any) -> None:
    times = np.full(COUNT, MS)
    times[500] = 3 * MS
    batches = executions(times)
    assert lost_share(batches, {}) * span_ns(batches) == pytest.approx(2 * MS)


def test_a_start_that_nothing_kept_waiting_is_lost_beyond_the_queue_delay(lost_share: Any) -> None:
    waits = np.zeros(COUNT, np.int64)
    waits[500] = 2 * MS
    batches = executions(np.full(COUNT, MS), wait_ns=waits)
    assert lost_share(batches, {}) * span_ns(batches) == pytest.approx(2 * MS)
    assert lost_share(batches, {}, delay_ns=2 * MS) == 0


def test_what_pauses_cost_and_what_other_instances_do_is_not_lost(lost_share: Any) -> None:
    long, short = (executions(np.full(COUNT, MS + extra), idle_ns=idle) for idle, extra in ((MS, MS // 2), (10, 0)))
    short["arrival_ns"] += int(long["end_ns"].max())
    for field in ("start_ns", "end_ns"):
        short[field] += int(long["end_ns"].max())
    batches = np.concatenate((long, short, executions(np.full(COUNT, MS), idle_ns=10, instance=1)))
    assert lost_share(batches, {10: 0.0, MS: MS / 2}) == 0
    assert lost_share(batches, {}) > 0.05


def test_a_calibration_is_as_calm_as_few_of_its_executions_were_slow(lost_time: Any) -> None:
    assert lost_time.slow_share({1: (100, 105, 100, 95), 2: (200, 210, 190)}) == 0
    assert lost_time.slow_share({1: (100,) * 9 + (210,), 2: (200,) * 5}) == pytest.approx(100 / 2110)
