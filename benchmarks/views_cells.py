# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Cells of the notebooks that the benchmarks of views run."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).parents[1] / "model_repository"
RECTANGLES = Path(__file__).parent / "rectangles.js"
REPLAYED = """
import workbench as wb
from workbench.views import watch
runs = [wb.replay({path!r}) for _ in range({views})]
watched = watch([run.source() for run in runs])
def go_on():
    for run in runs:
        run.transport.play()  # one that came to its end begins anew
watched
"""
LOADED = """
import threading
import ipywidgets
import numpy as np
import workbench as wb
server = wb.Server({repository!r})
model = server.load("synthetic", config={config!r})
def load():
    inputs = {{"INPUT0": np.zeros((1, 16), np.float32)}}
    for piece in range({seconds} // 5):  # a measurement keeps a record of each request: none for ten minutes
        wb.drive(model, inputs=inputs, rate={rate}, duration_s=5, warmup=0, seed=piece)
threading.Thread(target=load, daemon=True).start()
def go_on():
    pass
"""
SERVED = """
dashboards = [wb.watch(model, window_s=window_s, controls=False) for window_s in (10, 2, 60)]
memory = wb.watch_memory(server, frames_per_s=30)
grid = ipywidgets.GridBox([*dashboards, memory])
grid.layout.grid_template_columns = "repeat(auto-fit, minmax(560px, 1fr))"
grid
"""
EMPTY = """
from IPython.display import Javascript
Javascript(open({script!r}).read())
"""
CONFIG = """
name: "synthetic"
backend: "synthetic"
max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
dynamic_batching { max_queue_delay_microseconds: 1000 }
instance_group [ { count: 2 kind: KIND_CPU } ]
parameters [ { key: "tau0_us" value: { string_value: "600" } }, { key: "alpha_us" value: { string_value: "50" } } ]
"""
TELL_MEMORY = """
import sys
sys.path.insert(0, {root!r})
from benchmarks.kernel_memory import tell
tell({path!r}, lambda: dashboards[-1].dashboard.kept_byte_size, model.queue_length)
"""
BUSY = """
import time
end = time.monotonic() + {seconds}
while time.monotonic() < end:
    sum(range(1000))
"""
COST = """
import json, pathlib, psutil, threading
go_on()
views = {thread.native_id for thread in threading.enumerate() if thread.name == "workbench-views"}
def spent_s(thread):
    text = pathlib.Path(f"/proc/self/task/{thread}/schedstat").read_text()
    return int(text.split()[0]) / 1e9
print(json.dumps([sum(map(spent_s, views)), psutil.Process().memory_info().rss]))
"""


def served(*, rate: int, seconds: int) -> str:
    """Three dashboards and the memory of a server under load."""
    return _loaded(rate, seconds) + SERVED


def telling_memory(path: Path) -> str:
    """What writes the parts of the kernel's memory into a file, after the views are made."""
    return TELL_MEMORY.format(root=str(Path(__file__).parents[1]), path=str(path))


def empty(*, rate: int, seconds: int) -> str:
    """The same server and load, and canvases in which next to nothing is drawn."""
    return _loaded(rate, seconds) + EMPTY.format(script=str(RECTANGLES))


def _loaded(rate: int, seconds: int) -> str:
    return LOADED.format(repository=str(REPOSITORY), config=CONFIG, rate=rate, seconds=seconds)
