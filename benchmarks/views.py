# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How fast dashboards draw, and what they cost: JupyterLab and headless Chromium on this machine.

Events come from recordings that are made up here and played at their own speed, so that a server and its load take
nothing of the processors; reading the log of a live server is what `benchmarks/events.py` measures.

    python benchmarks/views.py                      # 10,000 requests/s in four views, 100,000 in one
    python benchmarks/views.py --flat-s 600         # and the memory of kernel and page over ten minutes
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import CHROMIUM, CHROMIUM_OPTIONS, Lab, Notebook, running_lab
from workbench.events import EVENT_DTYPE, EventKind, EventNames, RecordingWriter, Snapshot

S = 1_000_000_000
WATCH = """
import workbench as wb
from workbench.views import watch
runs = [wb.replay({path!r}) for _ in range({views})]
watched = watch([run.source() for run in runs])
watched
"""
BUSY = """
import time
end = time.monotonic() + {seconds}
while time.monotonic() < end:
    sum(range(1000))
"""
COST = """
import json, psutil
for run in runs:
    run.transport.play()  # one that came to its end begins anew
pumps = [one.dashboard.pump for one in watched.watches]
cpu_s, frames = sum(pump.cpu_s for pump in pumps), sum(pump.frames for pump in pumps)
print(json.dumps([cpu_s, frames, psutil.Process().memory_info().rss]))
"""
DRAWS = "() => [...document.querySelectorAll('.workbench-dashboard')].map((element) => Number(element.dataset.draws))"
HEAP = "() => performance.memory?.usedJSHeapSize ?? 0"


@dataclass(frozen=True)
class Result:
    """One row of the table."""

    what: str
    drawn_idle: float
    drawn_busy: float
    pump_share: float

    def __str__(self) -> str:
        return f"{self.what:34} {self.drawn_idle:9.1f} {self.drawn_busy:9.1f} {self.pump_share:9.1%}"


def recording(path: Path, *, rate: int, seconds: int, rows: int, lanes: int) -> Path:
    """A model whose instances execute batches of `rows` requests one after the other, always alike."""
    if path.exists():
        return path
    began = 1_000 * S
    told = RecordingWriter(path, began_ns=began, began_unix_ns=0)
    model = {
        "number": 1, "name": "bench", "version": 1, "max_batch_size": rows, "dynamic": True, "priority_levels": 0,
        "max_queue_delay_microseconds": 1_000, "preferred_batch_size": [], "instances": [["CPU", 0]] * lanes,
        "steps": [],
    }  # fmt: skip
    random = np.random.default_rng(1)
    for second in range(seconds):
        records = _second(began + second * S, rate, rows, lanes, second, random)
        now_ns = began + (second + 1) * S
        names = EventNames(models=(("", 0), ("bench", 1)), pools=("host pool",))
        told.write(records, Snapshot(now_ns=now_ns, names=names, models=(model,), queues={1: rows}))
    told.close()
    return path


def _second(start_ns: int, rate: int, rows: int, lanes: int, second: int, random: np.random.Generator) -> np.ndarray:
    batches = rate // rows
    begun = start_ns + np.sort(random.integers(0, S, batches))
    length = int(0.9 * S * lanes / batches)
    records = np.zeros((batches, rows + 1), EVENT_DTYPE)
    records["kind"], records["rows"], records["count"], records["model"] = EventKind.REQUEST, 1, rows, 1
    records["start_ns"] = begun[:, None]
    records["compute_start_ns"], records["compute_end_ns"] = begun[:, None] + 1_000, begun[:, None] + length - 1_000
    records["end_ns"] = begun[:, None] + length
    records["arrival_ns"] = begun[:, None] - np.sort(random.integers(0, 1_000_000, (batches, rows + 1)))[:, ::-1]
    records["batch"] = (second * batches + np.arange(batches))[:, None]
    records["instance"] = (np.arange(batches) % lanes)[:, None]
    records["id"] = np.arange(records.size).reshape(records.shape) + second * records.size
    records["detail"] = np.where(np.arange(batches) % 3, 2, 4)[:, None]
    records["kind"][:, -1], records["rows"][:, -1], records["id"][:, -1] = EventKind.BATCH, rows, 0
    return records.ravel()


class Page:
    """A notebook that watches, in a page of its own."""

    def __init__(self, chromium: Browser, lab: Lab, path: Path, *, views: int, busy_s: float) -> None:
        name = f"n{time.monotonic_ns()}.ipynb"
        lab.write(name, WATCH.format(path=str(path), views=views), BUSY.format(seconds=busy_s), COST)
        self.context = chromium.new_context(viewport={"width": 1900, "height": 2200})
        self.notebook = Notebook(self.context.new_page(), lab, name)
        self.page = self.notebook.page
        self.notebook.run(0)
        ready = f"() => {{ const d = ({DRAWS})(); return d.length >= {views} && d.every((n) => n > 5) }}"
        self.page.wait_for_function(ready, timeout=60_000)

    def drawn_per_s(self, seconds: float) -> float:
        """Frames drawn a second, in the slowest view that can be seen."""
        before, begun = self.page.evaluate(DRAWS), time.monotonic()
        self.page.wait_for_timeout(seconds * 1_000)
        after, spent = self.page.evaluate(DRAWS), time.monotonic() - begun
        seen = [b - a for a, b in zip(before, after, strict=True)]
        return min(count for count in seen if count > 0) / spent

    def cost(self) -> list[float]:
        """Seconds of the pumps' threads, their frames, bytes of the kernel."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:enter-command-mode')")
        self.notebook.run(2)
        cell = "Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)[2]"
        output = f"({cell}.outputs.toJSON().map((o) => o.text).join('') || null)"
        self.page.wait_for_function(f"() => {output}", timeout=60_000)
        text = self.page.evaluate(f"() => {output}")
        self.page.evaluate(f"() => {cell}.outputs.clear()")
        return list(map(float, str(text).strip("[]\n ").split(",")))

    def close(self) -> None:
        """Ends kernel and page."""
        self.notebook.shut_down()
        self.context.close()


def measure(chromium: Browser, lab: Lab, path: Path, *, what: str, views: int, seconds: float) -> Result:
    """Draws idle, draws beside a busy cell, and the share of a core that the pumps took."""
    page = Page(chromium, lab, path, views=views, busy_s=seconds + 1)
    try:
        page.page.wait_for_timeout(2_000)
        before, begun = page.cost(), time.monotonic()
        idle = page.drawn_per_s(seconds)
        after, spent = page.cost(), time.monotonic() - begun
        page.notebook.run(1)
        page.page.wait_for_timeout(500)
        busy = page.drawn_per_s(seconds)
        return Result(what, idle, busy, (after[0] - before[0]) / spent)
    finally:
        page.close()


def flat(chromium: Browser, lab: Lab, path: Path, *, seconds: float) -> None:
    """Memory of kernel and page while a dashboard is watched for long."""
    page = Page(chromium, lab, path, views=1, busy_s=1)
    print(f"{'seconds':>8} {'kernel MiB':>11} {'page MiB':>9}")
    begun = time.monotonic()
    try:
        while (spent := time.monotonic() - begun) < seconds:
            print(f"{spent:8.0f} {page.cost()[2] / 2**20:11.1f} {page.page.evaluate(HEAP) / 2**20:9.1f}", flush=True)
            page.page.wait_for_timeout(min(seconds / 10, 60.0) * 1_000)
    finally:
        page.close()


MEASURED = {
    "one": ("10,000 requests/s, one view", 10_000, 1),
    "four": ("10,000 requests/s, four views", 10_000, 4),
    "fast": ("100,000 requests/s, one view", 100_000, 1),
}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", choices=[*MEASURED, []], help="all without")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--flat-s", type=float, default=0.0, help="how long memory is watched")
    parser.add_argument("--recordings", type=Path, help="a folder that keeps the recordings for another run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = args.recordings or Path(folder)
        paths = {
            10_000: recording(kept / "slow.wbr", rate=10_000, seconds=int(4 * args.seconds + 12), rows=8, lanes=2),
            100_000: recording(kept / "fast.wbr", rate=100_000, seconds=int(4 * args.seconds + 12), rows=32, lanes=4),
        }
        with running_lab(Path(folder) / "lab") as lab, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_OPTIONS)
            print(f"{'':34} {'frames/s':>9} {'busy cell':>9} {'pumps':>9}")
            for name in args.only or MEASURED:
                what, rate, views = MEASURED[name]
                told = measure(chromium, lab, paths[rate], what=what, views=views, seconds=args.seconds)
                print(told, flush=True)
            if args.flat_s:
                flat(chromium, lab, paths[10_000], seconds=args.flat_s)
            chromium.close()


if __name__ == "__main__":
    main()
