# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sequences, ensembles, queues by priority and blocks of a recording in JupyterLab, on a server of this machine."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.browser import view
from tests.browser.view import click_block, within

pytest.importorskip("workbench._native", exc_type=ImportError)
pytest.importorskip("pyarrow")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPOSITORY = Path(__file__).parents[2] / "model_repository"
SERVE = """
%load_ext workbench
import asyncio
import numpy as np
import workbench as wb
server = wb.Server("REPOSITORY", name="linked")
MODEL = '''name: "%s" backend: "synthetic" max_batch_size: 4
  input { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }
  output { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }
  instance_group { count: 1 kind: KIND_CPU } %s parameters { key: "tau0_us" value { string_value: "%d" } }'''
STEP = '''step { model_name: "%s" model_version: -1
  input_map { key: "INPUT0" value: "%s" } output_map { key: "OUTPUT0" value: "%s" } }'''
ROW = {"INPUT0": np.zeros((1, 16), np.float32)}
talk = server.load("talk", config=MODEL % ("talk", "sequence_batching { direct { } }", 4_000))
levels = "dynamic_batching { priority_levels: 2 default_priority_level: 2 }"
first = server.load("first", config=MODEL % ("first", levels, 1_000))
server.load("second", config=MODEL % ("second", "", 3_000))
whole = server.load("whole", config='''name: "whole" platform: "ensemble" max_batch_size: 4
  input { name: "IN" data_type: TYPE_FP32 dims: [ 16 ] } output { name: "OUT" data_type: TYPE_FP32 dims: [ 16 ] }
  ensemble_scheduling { %s %s }''' % (STEP % ("first", "IN", "t"), STEP % ("second", "t", "OUT")))

async def converse(name):
    for position in range(5):
        await talk.infer_async(ROW, sequence=wb.Sequence(name, start=position == 0, end=position == 4))

async def send(seconds):
    clock = asyncio.get_running_loop()
    until, number = clock.time() + seconds, 0
    while clock.time() < until:
        number += 1
        await asyncio.gather(
            *(converse(f"caller {number}-{i}") for i in range(3)),
            *(whole.infer_async({"IN": ROW["INPUT0"]}) for _ in range(4)),
            *(first.infer_async(ROW, priority=1 + i % 2) for i in range(24)),
        )
""".replace("REPOSITORY", str(REPOSITORY))
WATCH = "watched = wb.watch(talk, window_s=30)\nwatched"
WATCH_WHOLE = "composed = wb.watch(whole, window_s=30)\ncomposed"
WATCH_FIRST = "queued = wb.watch(first, window_s=30)\nqueued"
RECORD = """
with server.record("run.wbr"):
    kept = first.infer({"INPUT0": np.zeros((1, 16), np.float32)})
    await send(4)
run = wb.replay("run.wbr")
run.transport.pause()
run.transport.seek(3)
run
"""
SERVING, TALK, WHOLE, FIRST, REPLAY = range(5)
drawn = partial(view.drawn, timeout_s=60)


@pytest.fixture(scope="module")
def notebook(open_notebook):
    notebook = open_notebook(SERVE, WATCH, WATCH_WHOLE, WATCH_FIRST, RECORD, height=4200)
    for cell in (SERVING, TALK, WHOLE, FIRST, REPLAY):
        notebook.run(cell)
        notebook.wait_run(cell)
    return notebook


def entered(notebook, cell):
    """What is told once the enter key went into what is linked, in a picture that is held."""
    canvas = within(notebook, cell).locator(".workbench-canvas").first
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    notebook.page.keyboard.press("Space")
    notebook.page.keyboard.press("Enter")
    return told(notebook, cell)


def told(notebook, cell):
    pinned = within(notebook, cell).locator(".workbench-pinned")
    pinned.wait_for(timeout=20_000)
    return pinned.inner_text()


def test_a_sequence_is_told_and_arrows_go_along_it(notebook):
    seen = drawn(notebook, TALK, "d.spans.length > 4 && d.links > 2")
    assert all(span["label"].startswith("caller ") for span in seen["spans"])
    words = entered(notebook, TALK)
    assert words.startswith("sequence caller ")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        notebook.page.keyboard.press(key)
    notebook.page.wait_for_function(
        "words => [...document.querySelectorAll('.workbench-pinned')].some(tip => tip.innerText.includes(words))",
        arg="its 5th request, its end",
        timeout=20_000,
    )
    assert "slot" in told(notebook, TALK)
    notebook.picture("sequence")
    spoken = within(notebook, TALK).locator(".workbench-spoken").text_content()
    assert "sequences: caller" in spoken


def test_an_ensembles_request_is_told_with_its_steps(notebook):
    seen = drawn(notebook, WHOLE, "d.trees.length > 2")
    steps = {(step["step"], step["model"]) for tree in seen["trees"] for step in tree["steps"]}
    assert steps == {(0, "first"), (1, "second")}
    words = entered(notebook, WHOLE)
    assert "through 2 steps" in words
    assert "step 1 (second): waited" in words
    notebook.picture("ensemble")
    assert "step 1, second, waits" in within(notebook, WHOLE).locator(".workbench-spoken").text_content()


def test_queues_are_shown_by_priority(notebook):
    seen = drawn(notebook, FIRST, "Object.keys(d.waiting).length === 2")
    assert max(seen["waiting"]["2"]) > 0
    assert "priority 2: " in within(notebook, FIRST).locator(".workbench-spoken").text_content()


def test_a_replay_tells_who_held_which_block(notebook):
    seen = drawn(notebook, REPLAY, "d.hits.length > 0", more=".workbench-memory")
    assert any(owner.endswith(" v1") for owner in seen["owners"])
    canvas = within(notebook, REPLAY).locator(".workbench-memory .workbench-canvas")
    canvas.scroll_into_view_if_needed()
    click_block(notebook, canvas, seen["hits"][0])
    tip = within(notebook, REPLAY).locator(".workbench-memory .workbench-pinned")
    tip.wait_for(timeout=20_000)
    assert "of its slab in" in tip.inner_text()
    notebook.picture("blocks")


def test_what_is_linked_is_there_again_after_a_reload(notebook):
    notebook.command("docmanager:save")
    notebook.page.wait_for_timeout(500)
    notebook.page.reload()
    notebook.page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
    notebook.wait_idle()
    for cell in (REPLAY, TALK, WHOLE):  # the first sends again: views show the last 30 s
        notebook.run(cell)
        notebook.wait_run(cell)
    drawn(notebook, TALK, "d.spans.length > 4")
    drawn(notebook, WHOLE, "d.trees.length > 2")
