# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Replay, memory, what if and the editor's extension in JupyterLab, on a server of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.view import click_block, drawn, within

pytest.importorskip("workbench._native", exc_type=ImportError)
pytest.importorskip("pyarrow")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPOSITORY = Path(__file__).parents[2] / "model_repository"
SERVE = f"""
%load_ext workbench
import numpy as np
import workbench as wb
server = wb.Server({str(REPOSITORY)!r}, name="views")
model = server.load("synthetic")
kept = [model.infer({{"INPUT0": np.zeros((1, 16), np.float32)}}) for _ in range(3)]
memory = wb.watch_memory(server)
memory
"""
RECORD = """
with server.record("run.wbr"):
    measured = wb.drive(model, inputs={"INPUT0": np.zeros((1, 16), np.float32)}, rate=400, duration_s=3, warmup=0)
run = wb.replay("run.wbr")
run.transport.pause()
run
"""
WATCH = """
watched = wb.watch(model)
watched
"""
LOAD = """
measured = wb.drive(model, inputs={"INPUT0": np.zeros((1, 16), np.float32)}, rate=400, duration_s=4, warmup=0)
"""
BACKEND = "%%backend mine\nint main() { return 0; }"
MEMORY, REPLAY, LIVE, LOADING, CPP = range(5)


@pytest.fixture(scope="module")
def notebook(open_notebook):
    notebook = open_notebook(SERVE, RECORD, WATCH, LOAD, BACKEND, height=2600)
    for cell in (MEMORY, REPLAY, LIVE):
        notebook.run(cell)
        notebook.wait_run(cell)
    return notebook


def test_memory_shows_whose_the_blocks_are_and_a_click_says_so(notebook):
    seen = drawn(notebook, MEMORY, "d.hits.length > 0")
    assert seen["owners"] == ["synthetic v1"]
    click_block(notebook, within(notebook, MEMORY).locator(".workbench-canvas"), seen["hits"][0])
    tip = within(notebook, MEMORY).locator(".workbench-pinned")
    tip.wait_for(timeout=10_000)
    assert "held by synthetic v1" in tip.inner_text()
    notebook.picture("memory")


def test_a_replay_shows_the_time_that_its_bar_is_moved_to(notebook):
    bar = within(notebook, REPLAY).locator(".workbench-range")
    bar.wait_for(timeout=20_000)
    bar.evaluate("(range) => { range.value = '700'; range.dispatchEvent(new Event('change')) }")
    seen = drawn(notebook, REPLAY, "d.totals.answered_per_s > 200")
    assert seen["facts"]["name"] == "synthetic"
    bar.evaluate("(range) => { range.value = '20'; range.dispatchEvent(new Event('change')) }")
    drawn(notebook, REPLAY, f"d.now_s < {seen['now_s']} - 1")
    notebook.picture("replay")


def test_what_if_draws_a_prediction_and_changes_nothing(notebook):
    notebook.run(LOADING)
    drawn(notebook, LIVE, "d.totals.answered_per_s > 200")
    before = drawn(notebook, LIVE)["facts"]["max_queue_delay_microseconds"]
    live = within(notebook, LIVE)
    live.get_by_text("what if", exact=True).click()
    drawn(notebook, LIVE, "d.prediction?.words.startsWith('Predicted, with nothing changed')")
    handle = live.locator(".workbench-controls .noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    told = drawn(notebook, LIVE, "d.prediction?.words.includes('queue delay of')")
    assert told["facts"]["max_queue_delay_microseconds"] == before
    notebook.picture("what-if")
    live.get_by_text("what if", exact=True).click()
    drawn(notebook, LIVE, "d.prediction === null")
    notebook.wait_run(LOADING)


def test_the_arrow_of_a_choice_is_light_in_a_dark_theme(notebook):
    arrow = """is_light => {
        document.body.dataset.jpThemeLight = is_light;
        return getComputedStyle(document.querySelector('.workbench-load select')).backgroundImage;
    }"""
    assert "23ccc" in notebook.page.evaluate(arrow, "false")
    assert "23ccc" not in notebook.page.evaluate(arrow, "true")


def test_a_cell_of_a_backend_is_coloured_as_cpp(notebook):
    cells = "window.jupyterapp.shell.currentWidget.content.widgets"
    notebook.page.wait_for_function(f"() => {cells}[{CPP}].model.mimeType === 'text/x-c++src'", timeout=20_000)
    assert notebook.page.evaluate(f"() => {cells}[0].model.mimeType") != "text/x-c++src"


def test_a_link_leads_to_the_cell_that_it_names(notebook):
    notebook.page.evaluate(f"""() => {{
        const notebook = window.jupyterapp.shell.currentWidget.content;
        const link = document.createElement("a");
        link.id = "to-cell";
        link.href = "#workbench-cell=" + notebook.widgets[{CPP}].model.id;
        link.textContent = "there";
        document.querySelector(".jp-Notebook .jp-OutputArea-output").append(link);
        notebook.activeCellIndex = 0;
    }}""")
    notebook.page.locator("#to-cell").click()
    active = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    notebook.page.wait_for_function(f"() => ({active})() === {CPP}", timeout=10_000)


def test_views_are_there_again_after_a_reload_and_a_second_run(notebook):
    notebook.command("docmanager:save")
    notebook.page.wait_for_timeout(500)
    notebook.page.reload()
    notebook.page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
    notebook.wait_idle()
    for cell in (MEMORY, LIVE):
        notebook.run(cell)
        notebook.wait_run(cell)
    drawn(notebook, MEMORY, "d.blocks > 0")
    assert drawn(notebook, LIVE)["facts"]["name"] == "synthetic"
