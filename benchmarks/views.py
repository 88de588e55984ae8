# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How fast dashboards draw, and what they cost: JupyterLab and headless Chromium on this machine.

Two kinds of sources. A server in the kernel under load of 10,000 requests/s, and four views of it at once: its
dashboard, the dashboard again over two seconds and over a minute, and its memory. And recordings that are made up here
and played at their own speed, so that a server and its load take nothing of the processors: four models of 10,000
requests/s each in four dashboards, and one of 100,000 in one.

Pages are of two sizes: 1,900 by 2,200 pixels, in which all four views are seen at once, and 1,920 by 1,080, the window
of a usual display, in which some of them lie below its edge and are not drawn.

    python benchmarks/views.py                      # every row
    python benchmarks/views.py server four          # some of them
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from playwright.sync_api import Browser, sync_playwright

from benchmarks.views_cells import BUSY, COST, REPLAYED, empty, served
from tests.browser.lab import CHROMIUM, CHROMIUM_OPTIONS, Lab, Notebook, running_lab
from workbench.events import EVENT_DTYPE, EventKind, EventNames, RecordingWriter, Snapshot

S = 1_000_000_000
ALL_SEEN, DISPLAY = (1900, 2200), (1920, 1080)
VIEWS = """() => [...document.querySelectorAll(".workbench-dashboard")]
    .map(({ workbench }) => ({ draws: workbench?.view.draws ?? 0, isSeen: workbench?.view.isVisible ?? false }))"""


@dataclass(frozen=True)
class Case:
    """What a row measures.

    Attributes:
        what: the row's words.
        cell: code that shows the views.
        views: how many there are.
        page: width and height of the browser's window, in pixels.
    """

    what: str
    cell: str
    views: int
    page: tuple[int, int]


@dataclass(frozen=True)
class Result:
    """One row of the table."""

    what: str
    drawn_idle: float
    drawn_busy: float
    seen: int
    pump_share: float
    others_share: float

    def __str__(self) -> str:
        drawn = f"{self.drawn_idle:9.1f} {self.drawn_busy:9.1f}"
        return f"{self.what:58} {self.seen:5} {drawn} {self.pump_share:9.1%} {self.others_share:9.1%}"


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


class Others:
    """What processes beside this one and its children take of the processors: where it is much, figures are low."""

    def __init__(self) -> None:
        self._began_s, self._before_s = time.monotonic(), self._taken_s()

    def share(self) -> float:
        """Of one core, since this was made."""
        return (self._taken_s() - self._before_s) / (time.monotonic() - self._began_s)

    def _taken_s(self) -> float:
        every = psutil.cpu_times()
        own = [psutil.Process(), *psutil.Process().children(recursive=True)]
        return sum(every[:3]) - sum(sum(one.cpu_times()[:2]) for one in own)


class Page:
    """A notebook that watches, in a page of its own."""

    def __init__(self, chromium: Browser, lab: Lab, case: Case, *, busy_s: float) -> None:
        name = f"n{time.monotonic_ns()}.ipynb"
        lab.write(name, case.cell, BUSY.format(seconds=busy_s), COST)
        width, height = case.page
        self.context = chromium.new_context(viewport={"width": width, "height": height})
        self.notebook = Notebook(self.context.new_page(), lab, name)
        self.page = self.notebook.page
        self.notebook.run(0)
        ready = f"() => {{ const d = ({VIEWS})(); return d.length >= {case.views} && d.some((v) => v.draws > 5) }}"
        self.page.wait_for_function(ready, timeout=60_000)
        self.page.evaluate("() => document.querySelector('.workbench-dashboard').scrollIntoView()")

    def drawn_per_s(self, seconds: float) -> list[float]:
        """Frames drawn a second, of each view that can be seen."""
        before, begun = self.page.evaluate(VIEWS), time.monotonic()
        self.page.wait_for_timeout(seconds * 1_000)
        after, spent = self.page.evaluate(VIEWS), time.monotonic() - begun
        return [(b["draws"] - a["draws"]) / spent for a, b in zip(before, after, strict=True) if b["isSeen"]]

    def cost(self) -> list[float]:
        """Seconds of the thread that serves views, bytes of the kernel."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:enter-command-mode')")
        self.notebook.run(2)
        cell = "Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)[2]"
        output = f"({cell}.outputs.toJSON().map((o) => o.text).join('') || null)"
        self.page.wait_for_function(f"() => {output}", timeout=60_000)
        text = self.page.evaluate(f"() => {output}")
        self.page.evaluate(f"() => {cell}.outputs.clear()")
        self.page.evaluate("() => document.querySelector('.workbench-dashboard').scrollIntoView()")
        return list(map(float, str(text).strip("[]\n ").split(",")))

    def close(self) -> None:
        """Ends kernel and page."""
        self.notebook.shut_down()
        self.context.close()


def measure(chromium: Browser, lab: Lab, case: Case, *, seconds: float) -> Result:
    """Draws of the slowest view that can be seen, idle and beside a busy cell; share of a core of the views."""
    page = Page(chromium, lab, case, busy_s=seconds + 1)
    try:
        page.page.wait_for_timeout(2_000)
        before, begun = page.cost(), time.monotonic()
        others = Others()
        idle = page.drawn_per_s(seconds)
        others_share = others.share()
        after, spent = page.cost(), time.monotonic() - begun
        page.notebook.run(1)
        page.page.wait_for_timeout(500)
        busy = page.drawn_per_s(seconds)
        return Result(case.what, min(idle), min(busy), len(idle), (after[0] - before[0]) / spent, others_share)
    finally:
        page.close()


def cases(kept: Path, *, seconds: float) -> dict[str, Case]:
    """Every row, by its short name; recordings are made in `kept`, where they are not there yet."""
    length = int(4 * seconds + 12)
    slow = recording(kept / "slow.wbr", rate=10_000, seconds=length, rows=8, lanes=2)
    fast = recording(kept / "fast.wbr", rate=100_000, seconds=length, rows=32, lanes=4)
    one, four = (REPLAYED.format(path=str(slow), views=views) for views in (1, 4))
    load = {"rate": 10_000, "seconds": length + 20}
    server = served(**load)
    return {
        "empty": Case("a server at 10,000/s, 4 canvases of one rectangle each", empty(**load), 4, ALL_SEEN),
        "server": Case("a server at 10,000/s, 3 dashboards and its memory", server, 4, ALL_SEEN),
        "server-display": Case("the same in a window of 1,920 by 1,080", server, 4, DISPLAY),
        "one": Case("recording of 10,000/s, one dashboard", one, 1, ALL_SEEN),
        "four": Case("recordings of four models of 10,000/s, four dashboards", four, 4, ALL_SEEN),
        "four-display": Case("the same in a window of 1,920 by 1,080", four, 4, DISPLAY),
        "fast": Case("recording of 100,000/s, one dashboard", REPLAYED.format(path=str(fast), views=1), 1, ALL_SEEN),
    }


NAMES = ("empty", "server", "server-display", "one", "four", "four-display", "fast")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", choices=[*NAMES, []], help="all without")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--recordings", type=Path, help="a folder that keeps the recordings for another run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        known = cases(args.recordings or Path(folder), seconds=args.seconds)
        with running_lab(Path(folder) / "lab") as lab, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_OPTIONS)
            columns = ("frames/s", "busy cell", "pumps", "others")
            print(f"{'slowest view that is seen':58} {'seen':>5}" + "".join(f"{name:>10}" for name in columns))
            for name in args.only or NAMES:
                print(measure(chromium, lab, known[name], seconds=args.seconds), flush=True)
            chromium.close()


if __name__ == "__main__":
    main()
