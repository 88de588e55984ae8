# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The thread of a dashboard ends before the interpreter does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workbench.views.pump import next_tick_s

PROGRAM = """
import atexit, threading, time
from workbench.views.credit import Credit
from workbench.views.pump import Pump

sent = threading.Event()
pump = Pump(lambda is_thinned: sent.set(), Credit(frames_per_s=30, now_s=time.monotonic()))
atexit.register(lambda: print("running" if pump.is_running else "ended"))  # handlers run last one first
pump.start()
assert sent.wait(20)
"""


def test_a_pump_that_nobody_stopped_ends_with_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "ended"), done.stderr


def test_pumps_of_one_pace_tick_at_the_same_times_whenever_they_began() -> None:
    ticks = {next_tick_s(begun_s, 0.5) for begun_s in (10.0, 10.01, 10.2, 10.37)}
    assert ticks == {10.5}


def test_a_frame_that_was_late_is_followed_by_the_next_tick_that_is_not_at_once() -> None:
    assert next_tick_s(10.4, 0.5) == 11.0


def test_ticks_go_on_at_their_period_for_long() -> None:
    period_s = 1 / 30
    tick_s = 1_000_000.0
    for _ in range(3_000):
        tick_s, before_s = next_tick_s(tick_s, period_s), tick_s
        assert tick_s - before_s <= 1.25 * period_s
    assert tick_s == pytest.approx(1_000_100.0, abs=2 * period_s)
