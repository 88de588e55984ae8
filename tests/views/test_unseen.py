# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A cell that is run again leaves its views behind: nobody can see them, and they must not keep a window each."""

import numpy as np
import pytest

from workbench.views import Dashboard
from workbench.views.credit import ABANDONED_S
from workbench.views.hearing import HEARING

MS = 1_000_000
S = 1_000_000_000


class Clock:
    """What the views take for the time."""

    def __init__(self):
        self.now_s = 1_000.0

    def monotonic(self):
        return self.now_s


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("workbench.views.dashboard.time.monotonic", clock.monotonic)
    return clock


class Log:
    """A source whose log holds the last 12,000 records, and is read from any number on, again and again."""

    def __init__(self, make, facts, clock):
        self._make, self._facts, self._clock = make, facts, clock
        self._records, self._end = [], 0

    def now_ns(self):
        return round(self._clock.now_s * 1e9)

    def facts(self):
        return self._facts

    def memory(self):
        return self._make.source(self._facts).memory()

    def serve(self, *, batches):
        """Executions in the second that ends now."""
        for i in range(batches):
            start_ns = self.now_ns() - S + i * (S // batches)
            self._records.append(self._make.batch(start_ns, waits_ns=[MS] * 5, execute_ns=MS, serial=self._end + i))
        self._end += 6 * batches
        del self._records[: max(len(self._records) - 2_000, 0)]

    def events(self, since=0):
        first = self._end - 6 * len(self._records)
        parts = self._records[max(since - first, 0) // 6 :]
        return self._make.columns(*parts, next_since=self._end)


@pytest.fixture
def log(make, facts, clock):
    return Log(make, facts, clock)


@pytest.fixture
def dashboard(held_comm, log):
    dashboard = Dashboard(log, window_s=60.0)
    yield dashboard
    dashboard.close()


def pass_time(dashboard, log, clock, *, seconds, batches=100):
    for _ in range(seconds):
        clock.now_s += 1
        log.serve(batches=batches)
        dashboard._send_frame(True)


def look(dashboard, *, is_hidden=False):
    seq = dashboard.comm.sent[-1][0]["seq"]
    dashboard._handle_custom_msg({"kind": "ack", "frames": [[dashboard.uid, seq, is_hidden]]}, [])


def test_a_view_that_nobody_sees_lets_its_window_go(dashboard, log, clock):
    pass_time(dashboard, log, clock, seconds=60)
    full = dashboard.kept_byte_size
    pass_time(dashboard, log, clock, seconds=round(ABANDONED_S))
    assert dashboard.kept_byte_size < full / 2


def test_so_does_one_of_a_page_that_answers_and_does_not_show_it(dashboard, log, clock):
    sizes = []
    for _ in range(int(ABANDONED_S) + 60):
        pass_time(dashboard, log, clock, seconds=1)
        look(dashboard, is_hidden=True)
        sizes.append(dashboard.kept_byte_size)
    assert sizes[-1] < max(sizes) / 2


def test_one_that_is_seen_keeps_it(dashboard, log, clock):
    sizes = []
    for _ in range(int(ABANDONED_S) + 60):
        pass_time(dashboard, log, clock, seconds=1)
        look(dashboard)
        sizes.append(dashboard.kept_byte_size)
    assert sizes[-1] > 0.9 * max(sizes)


@pytest.mark.parametrize("says", ["hello", "ack"])
def test_who_looks_again_gets_what_the_log_still_has(dashboard, log, clock, says):
    pass_time(dashboard, log, clock, seconds=200)
    if says == "ack":
        look(dashboard)
    else:
        dashboard._handle_custom_msg({"kind": "hello"}, [])
    pass_time(dashboard, log, clock, seconds=1)
    whole = dashboard.comm.sent[-1][0]
    assert (whole["is_whole"], whole["batch_total"]) == (True, 2_000)
    pass_time(dashboard, log, clock, seconds=1)
    assert not dashboard.comm.sent[-1][0]["is_whole"]


def test_one_that_can_not_be_heard_while_a_cell_runs_keeps_it(dashboard, log, clock):
    pass_time(dashboard, log, clock, seconds=60)
    full = dashboard.kept_byte_size
    HEARING.cell_began()
    pass_time(dashboard, log, clock, seconds=3 * round(ABANDONED_S))
    HEARING.cell_ended()
    pass_time(dashboard, log, clock, seconds=2)
    assert dashboard.kept_byte_size > 0.9 * full


def test_a_picture_of_a_view_that_nobody_sees_is_whole_too(dashboard, log, clock):
    pass_time(dashboard, log, clock, seconds=200)
    assert dashboard.view().batch_total == 2_000


def test_the_counts_of_the_window_are_right_while_nobody_sees_it(dashboard, log, clock):
    pass_time(dashboard, log, clock, seconds=200)
    totals = dashboard.comm.sent[-1][0]["totals"]
    assert np.isclose(totals["answered_per_s"], 500, rtol=0.1)


def test_what_the_window_took_is_given_back_once_it_is_let_go_and_at_no_other_time(dashboard, log, clock, monkeypatch):
    given = []
    monkeypatch.setattr("workbench.views.dashboard.give_back", lambda: given.append(dashboard.kept_byte_size))
    dashboard._handle_custom_msg({"kind": "hello"}, [])
    pass_time(dashboard, log, clock, seconds=60)
    full = dashboard.kept_byte_size
    assert given == []
    pass_time(dashboard, log, clock, seconds=200)
    assert len(given) == 1
    assert given[0] < full / 2
