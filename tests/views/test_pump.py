# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One thread serves all views; it ends with the last of them, and before the interpreter does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from itertools import pairwise

import pytest

from workbench.views.credit import Credit
from workbench.views.pump import Pump
from workbench.views.ticker import NAME, Ticker, next_tick_s

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


def credit(frames_per_s=200):
    return Credit(frames_per_s=frames_per_s, now_s=time.monotonic())


@pytest.fixture
def ticker():
    ticker = Ticker()
    yield ticker
    ticker.close()


def test_all_views_are_served_by_one_thread_which_ends_with_the_last(ticker):
    threads = [threading.Event(), threading.Event()]
    by = set()

    def sender(sent):
        return lambda _: (by.add(threading.current_thread()), sent.set())

    pumps = [Pump(sender(sent), credit(), ticker=ticker) for sent in threads]
    for pump in pumps:
        pump.start()
    assert all(sent.wait(10) for sent in threads)
    (thread,) = by
    assert thread.name == NAME
    for pump in pumps:
        pump.stop()
    thread.join(10)
    assert not thread.is_alive()


def test_a_view_that_fails_takes_no_other_with_it(ticker, caplog):
    goes_on, failed = threading.Event(), threading.Event()

    def fail(_):
        failed.set()
        raise RuntimeError("moo")

    bad, good = (
        Pump(fail, credit(), ticker=ticker),
        Pump(lambda _: failed.is_set() and goes_on.set(), credit(), ticker=ticker),
    )
    bad.start()
    good.start()
    assert goes_on.wait(10)
    assert good.is_running
    good.stop()
    assert not bad.is_running
    assert "moo" in caplog.text


def test_a_view_that_is_stopped_can_start_again(ticker):
    sent = threading.Event()
    pump = Pump(lambda _: sent.set(), credit(), ticker=ticker)
    pump.start()
    pump.stop()
    sent.clear()
    pump.start()
    assert sent.wait(10)


def test_who_looks_again_does_not_wait_for_the_slow_pace(ticker):
    sent = threading.Event()
    slow = Credit(frames_per_s=200, now_s=time.monotonic() - 1_000)
    pump = Pump(lambda _: sent.set(), slow, ticker=ticker)
    pump.start()
    assert pump.due_s - time.monotonic() > 0.5
    slow.greeted(now_s=time.monotonic())
    pump.hurry()
    assert sent.wait(0.5)


def test_a_thread_that_is_late_sends_no_more_frames_than_one_in_time(ticker):
    stamps = []

    def slow(_):
        stamps.append(time.monotonic())
        while time.monotonic() < stamps[-1] + 0.011:
            pass

    pump = Pump(slow, credit(frames_per_s=100), ticker=ticker)
    pump.start()
    while len(stamps) < 20:
        assert pump.is_running
    pump.stop()
    assert min(after - before for before, after in pairwise(stamps)) > 0.012
