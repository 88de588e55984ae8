# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The dashboard on a server that runs in the notebook's kernel, under load."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("workbench._native", exc_type=ImportError)
ipykernel = pytest.importorskip("ipykernel")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPOSITORY = Path(__file__).parents[2] / "model_repository"
SERVE = f"""
%load_ext workbench
import numpy as np
import workbench as wb
server = wb.Server({str(REPOSITORY)!r}, name="browser")
model = server.load("synthetic")
model.reconfigure(max_queue_delay_microseconds=2000, preferred_batch_size=[])
"""
WATCH = "%watch synthetic --server browser --objective 50"
DRIVE = """
inputs = {"INPUT0": np.zeros((1, 16), np.float32)}
measured = wb.drive(model, inputs=inputs, rate=1500, duration_s=20, warmup=0)
"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    notebook = open_notebook(SERVE, WATCH, DRIVE, "model.statistics()")
    for cell in (0, 1):
        notebook.run(cell)
        notebook.wait_run(cell)
    return notebook


def test_a_server_without_load_says_how_to_send_some(notebook):
    drawn = notebook.wait_drawn("d.facts.name === 'synthetic'")
    assert "%drive synthetic" in drawn["totals"]["sentence"]
    assert drawn["facts"]["objective_p99_ms"] == 50
    notebook.picture("server-idle")


def test_load_is_seen_while_the_cell_that_sends_it_runs(notebook):
    notebook.run(2)
    before = notebook.wait_drawn("d.totals.answered_per_s > 700 && d.batches.length > 5")
    assert before["facts"]["max_queue_delay_microseconds"] == 2_000


@pytest.mark.skipif(ipykernel.version_info[0] < 7, reason="until 7 a kernel hears the browser only between cells")
def test_a_slider_changes_the_model_while_the_cell_runs(notebook):
    before = notebook.drawn()
    notebook.move_slider(0, "ArrowRight", 3)
    after = notebook.wait_drawn("d.facts.max_queue_delay_microseconds === 20000 && d.totals.mean_rows > 8")
    assert after["totals"]["mean_rows"] > before["totals"]["mean_rows"]
    notebook.picture("server-load")


def test_statistics_have_a_picture(notebook):
    notebook.wait_run(2)
    notebook.run(3)
    notebook.page.wait_for_selector(".jp-OutputArea-output svg text")
    notebook.picture("server-statistics")
