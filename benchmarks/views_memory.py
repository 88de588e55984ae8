# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Memory of kernel, notebook server and browser while four views are watched, whatever is done to pages.

A server in the kernel under load of 10,000 requests/s, its dashboard over ten seconds, over two and over a minute, and
its memory, in JupyterLab and headless Chromium. The page is slowed down to a sixth, hidden, reloaded, opened a second
time, and closed while the kernel goes on. JavaScript's heap is read after a collection: what it holds is held.

    python benchmarks/views_memory.py                   # ten minutes
    python benchmarks/views_memory.py --minutes 2       # a minute is shorter then
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.views_cells import served, telling_memory
from tests.browser.lab import CHROMIUM, CHROMIUM_OPTIONS, Lab, Notebook, running_lab

MIB = 2**20
WARM_S = 90.0  # the window of a minute and the event log are full, code is compiled
SAMPLE_S = 15.0
VIEWS = 4
SLOWER = 6
READY = f"""() => {{ const found = [...document.querySelectorAll('.workbench-dashboard')];
    return found.filter((element) => element.workbench?.view.draws > 3).length >= {VIEWS} }}"""
# A page that is reloaded shows what the notebook was saved with, too, beyond its edge.
DRAWS = """() => [...document.querySelectorAll('.workbench-dashboard')]
    .map(({ workbench }) => workbench?.view.isVisible ? workbench.view.draws : -1)"""
HIDE = """isHidden => {
    Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@dataclass(frozen=True)
class Sample:
    """Resident bytes of processes and bytes of JavaScript's heap at one time; no page has no heap.

    Attributes:
        at_s: seconds since the views were shown.
        state: what happens to the pages.
        kernel: the kernel with its server and its views.
        jupyter: the notebook server, which passes messages on.
        pages: the browser's processes of pages, without what they share with others.
        bitmaps: what these share: pixels of canvases and of the page, on their way to what puts it together.
        screen: the process that does.
        heap: what JavaScript holds, of all pages.
        used: of the kernel, what its C library's heap has given out: most of it requests, which are kept for the next.
        free: of the kernel, what the heap has not given out; part of it went back to the system.
        kept: of the kernel, what the view of a minute keeps; others share most of it.
        blocks: Python's objects in the kernel.
        queued: how many requests ever waited at once; each keeps its memory for the next.
        drawn: frames a second of the slowest view in the first page.
    """

    at_s: float
    state: str
    kernel: int
    jupyter: int
    pages: int
    bitmaps: int
    screen: int
    heap: int
    used: int
    free: int
    kept: int
    blocks: int
    queued: int
    drawn: float

    def __str__(self) -> str:
        sizes = (getattr(self, name) for name in COLUMNS)
        drawn = "" if self.drawn < 0 else f"{self.drawn:.1f}"  # no page, no frames
        memory = "".join(f"{size / MIB:9.1f}" for size in sizes)
        return f"{self.at_s:7.0f}  {self.state:30}{memory}{self.blocks:9}{self.queued:8}{drawn:>9}"


COLUMNS = ("kernel", "jupyter", "pages", "bitmaps", "screen", "heap", "used", "free", "kept")
HEAD = f"{'seconds':>7}  {'state':30}" + "".join(f"{name:>9}" for name in (*COLUMNS, "blocks"))
HEAD += f"{'queued':>8}{'frames/s':>9}"


class Watched:
    """The notebook, the pages that show it, and the processes behind them."""

    def __init__(self, chromium: Browser, lab: Lab, *, minutes: float, jupyter: psutil.Process) -> None:
        self.chromium, self.lab, self.jupyter = chromium, lab, jupyter
        seconds = round(60 * minutes) + 600
        cell = served(rate=10_000, seconds=seconds)
        self.told = lab.root / "memory.json"
        lab.write("watched.ipynb", cell, "grid", telling_memory(self.told))
        self.pages: list[tuple[BrowserContext, Notebook]] = []
        self.open(cell=0)
        self.pages[0][1].run(2)
        self.kernel = self._kernel()
        self.began_s = time.monotonic()

    @property
    def page(self) -> Page:
        """The first page."""
        return self.pages[0][1].page

    def open(self, *, cell: int = 1) -> None:
        """One more page with the views."""
        context = self.chromium.new_context(viewport={"width": 1900, "height": 2200})
        notebook = Notebook(context.new_page(), self.lab, "watched.ipynb")
        self.pages.append((context, notebook))
        self.show(notebook, cell)

    def show(self, notebook: Notebook, cell: int = 1) -> None:
        """Runs the cell that shows the views, and waits until all are drawn."""
        notebook.run(cell)
        notebook.page.wait_for_function(READY, timeout=600_000)
        notebook.page.evaluate("() => document.querySelector('.workbench-dashboard').scrollIntoView()")

    def close(self) -> None:
        """One page less; the kernel goes on."""
        context, _ = self.pages.pop()
        context.close()

    def end(self) -> None:
        """Ends the kernel and the pages."""
        for _, notebook in self.pages[:1]:
            notebook.shut_down()
        while self.pages:
            self.close()

    def reload(self) -> None:
        """The first page, anew."""
        self.page.reload()
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
        self.pages[0][1].wait_idle()
        self.show(self.pages[0][1])

    def hide(self, *, is_hidden: bool) -> None:
        """Tells the page that another tab is in front. Unlike there, its timers and frames go on."""
        self.page.evaluate(HIDE, is_hidden)

    def slow_down(self, factor: float) -> None:
        """The first page's processor."""
        session = self.pages[0][0].new_cdp_session(self.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": factor})

    def sample(self, state: str, seconds: float) -> Sample:
        """Waits, and reads at the end."""
        before = self._draws()
        if self.pages:
            self.page.wait_for_timeout(seconds * 1_000)
        else:
            time.sleep(seconds)
        after = self._draws()
        drawn = min((b - a for a, b in zip(before, after, strict=False) if min(a, b) >= 0), default=-1.0) / seconds
        heap = sum(heap_bytes(context, notebook.page) for context, notebook in self.pages)
        return Sample(
            at_s=time.monotonic() - self.began_s,
            state=state,
            kernel=self.kernel.memory_info().rss,
            jupyter=self.jupyter.memory_info().rss,
            pages=sum(resident(pid, "RssAnon") for pid in self._processes("renderer")),
            bitmaps=sum(resident(pid, "RssShmem") for pid in self._processes("renderer")),
            screen=sum(resident(pid, "RssAnon") for pid in self._processes("GPU")),
            heap=heap,
            **self._told(),
            drawn=drawn,
        )

    def _told(self) -> dict[str, int]:
        """What the kernel told last of its memory."""
        told: dict[str, int] = json.loads(self.told.read_text())
        return told

    def _draws(self) -> list[int]:
        return list(self.page.evaluate(DRAWS)) if self.pages else []

    def _processes(self, kind: str) -> Iterator[int]:
        session = self.chromium.new_browser_cdp_session()
        told = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        for process in told:
            if process["type"] == kind:
                yield int(process["id"])

    def _kernel(self) -> psutil.Process:
        found = [child for child in self.jupyter.children(recursive=True) if "ipykernel" in " ".join(child.cmdline())]
        return found[0]


def resident(pid: int, kind: str) -> int:
    """Bytes of a process: "RssAnon" is its own, "RssShmem" shared with others. Linux only."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{kind}:"))


def heap_bytes(context: BrowserContext, page: Page) -> int:
    """What JavaScript holds after a collection."""
    session = context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    return int(metrics["JSHeapUsedSize"])


def steps(watched: Watched) -> list[tuple[str, Callable[[], object]]]:
    """What happens, and what begins it; each lasts as long as the others."""
    return [
        ("seen", lambda: None),
        (f"slow: a {SLOWER}th of the processor", lambda: watched.slow_down(SLOWER)),
        ("seen", lambda: watched.slow_down(1)),
        ("hidden", lambda: watched.hide(is_hidden=True)),
        ("seen", lambda: watched.hide(is_hidden=False)),
        ("reloaded", watched.reload),
        ("two pages", watched.open),
        ("one of them closed", watched.close),
        ("all closed", watched.close),
        ("opened again", watched.open),
    ]


def taken(watched: Watched, minutes: float) -> Iterator[Sample]:
    """Everything that happens, and what memory was meanwhile; each line is printed as it comes.

    What comes late on a machine that has much to do is cut, so that everything happens in the time.
    """
    todo = steps(watched)
    each_s = 60 * minutes / len(todo)
    for number, (state, begin) in enumerate(todo, start=1):
        begin()
        is_first = True
        while is_first or time.monotonic() - watched.began_s < number * each_s - SAMPLE_S / 2:
            sample = watched.sample(state, min(SAMPLE_S, each_s))
            print(sample, flush=True)
            yield sample
            is_first = False


def report(samples: list[Sample]) -> None:
    """What each part held at first, at most and at last, and how it grew by least squares."""
    print(f"\nafter {samples[0].at_s:.0f} s  {'first':>10}{'most':>10}{'last':>10}  MiB, trend")
    hours = np.array([sample.at_s for sample in samples]) / 3_600
    for name in COLUMNS:
        sizes = np.array([getattr(sample, name) for sample in samples]) / MIB
        known = sizes > 0
        slope = np.polyfit(hours[known], sizes[known], 1)[0]
        first, last = sizes[known][0], sizes[known][-1]
        print(f"{name:12}{first:10.1f}{sizes.max():10.1f}{last:10.1f}  {slope / 60:+.2f} MiB a minute")


def jupyter_server() -> psutil.Process:
    """The notebook server that this process started."""
    return next(child for child in psutil.Process().children() if "jupyterlab" in " ".join(child.cmdline()))


def main() -> None:
    """Prints a table, and what grew after the first minute."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_OPTIONS)
        watched = Watched(chromium, lab, minutes=args.minutes, jupyter=jupyter_server())
        print(HEAD)
        samples = list(taken(watched, args.minutes))
        report([sample for sample in samples if sample.at_s > min(WARM_S, samples[-1].at_s / 5)])
        watched.end()
        chromium.close()


if __name__ == "__main__":
    main()
