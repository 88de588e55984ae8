# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A kernel that runs a cell may hear nothing of its pages: that time does not count."""

import threading
from types import SimpleNamespace

import pytest
from IPython.core.events import EventManager, available_events

from workbench.views.hearing import Hearing


@pytest.fixture
def now(monkeypatch):
    """What the module takes for the time, to be set."""
    now = SimpleNamespace(s=100.0)
    monkeypatch.setattr("workbench.views.hearing.time.monotonic", lambda: now.s)
    return now


@pytest.fixture
def hearing():
    return Hearing()


@pytest.fixture
def shell(monkeypatch):
    """A shell that runs cells as IPython does, as far as its events tell."""
    shell = SimpleNamespace()
    shell.events = EventManager(shell, available_events)
    monkeypatch.setattr("workbench.views.hearing.get_ipython", lambda: shell)
    return shell


def on_another_thread(call):
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def test_the_time_of_a_cell_does_not_count(hearing, now):
    assert hearing.time_s(now.s) == 100.0
    hearing.cell_began()
    now.s = 700.0
    assert hearing.time_s(now.s) == 100.0
    hearing.cell_ended()
    now.s = 730.0
    assert hearing.time_s(now.s) == 130.0


def test_a_cell_that_runs_another_is_over_with_the_outer_one(hearing, now):
    hearing.cell_began()
    hearing.cell_began()
    hearing.cell_ended()
    now.s = 400.0
    assert hearing.time_s(now.s) == 100.0
    hearing.cell_ended()
    now.s = 410.0
    assert hearing.time_s(now.s) == 110.0


def test_a_kernel_that_hears_in_a_subshell_hears_beside_cells(hearing, now):
    hearing.cell_began()
    now.s = 200.0
    on_another_thread(hearing.heard)
    assert hearing.time_s(now.s) == 200.0
    hearing.cell_ended()
    hearing.cell_began()
    now.s = 300.0
    assert hearing.time_s(now.s) == 300.0


def test_what_is_heard_where_cells_run_says_that_none_runs(hearing, now):
    hearing.cell_began()
    now.s = 150.0
    hearing.heard()
    now.s = 160.0
    assert hearing.time_s(now.s) == 110.0


def test_an_end_without_a_beginning_is_none(hearing, now):
    hearing.cell_ended()
    hearing.cell_began()
    now.s = 300.0
    assert hearing.time_s(now.s) == 100.0


def test_it_is_told_of_cells_by_the_shell_once_and_of_the_one_that_makes_the_first_view(hearing, now, shell):
    hearing.listen()
    hearing.listen()
    now.s = 200.0
    assert hearing.time_s(now.s) == 100.0
    shell.events.trigger("post_execute")
    now.s = 210.0
    assert hearing.time_s(now.s) == 110.0
    shell.events.trigger("pre_execute")
    now.s = 500.0
    assert hearing.time_s(now.s) == 110.0


def test_without_a_shell_all_time_counts(hearing, now, monkeypatch):
    monkeypatch.setattr("workbench.views.hearing.get_ipython", lambda: None)
    hearing.listen()
    now.s = 500.0
    assert hearing.time_s(now.s) == 500.0
