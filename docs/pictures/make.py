# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the dashboard in this folder: `python docs/pictures/make.py [real|synthetic]`.

`real` watches a server of this machine under a load with a burst; `synthetic` needs no built core.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linked import SCENES
from linked import SECONDS as SCENE_SECONDS
from playwright.sync_api import Browser
from stage import as_text, browser, dashboard, save, stage
from workbench.views import ModelFacts, Source, View
from workbench.views.colours import OWNERS, palette
from workbench.views.follower import Follower
from workbench.views.memory_follower import MemoryFollower, MemoryLook
from workbench.views.memory_watch import memory_message
from workbench.views.source import ServerSource
from workbench.views.picture import save as save_paper
from workbench.views.synthetic import SyntheticSource, Workload

FOLDER: Final = Path(__file__).parent
REPOSITORY: Final = FOLDER.parents[1] / "model_repository"
PICTURES: Final = (
    "dashboard.png",
    "dashboard_dark.png",
    "dashboard.svg",
    "ensemble.png",
    "ensemble_dark.png",
    "memory.png",
    "priorities.png",
    "priorities_dark.png",
    "sequences.png",
    "sequences_dark.png",
)
"""All that the pages show."""
FRAMES_PER_S: Final = 30
SECONDS: Final = 11.0
BURST_S: Final = (5.5, 7.0)


def followed(source: Source, *, seconds: float, tick: Iterator[float]) -> tuple[list[View], View]:
    """All news of some seconds, and the whole window at their end."""
    follower = Follower(source)
    news = [follower.news() for now_s, _ in zip(tick, range(int(seconds * FRAMES_PER_S)), strict=False) if now_s >= 0]
    return news, follower.whole()


def synthetic() -> tuple[list[View], View]:
    """A made-up model, in virtual time."""
    facts = ModelFacts(
        "magika",
        instances=("instance 0", "instance 1"),
        max_batch_size=8,
        dynamic=True,
        max_queue_delay_microseconds=2_000,
        preferred_batch_size=(),
        number=1,
        objective_p99_ms=50.0,
    )
    clock = [10**12]
    source = SyntheticSource(facts, Workload(rate=2_000), clock=lambda: clock[0])

    def tick() -> Iterator[float]:
        while True:
            clock[0] += 10**9 // FRAMES_PER_S
            now_s = clock[0] / 1e9 - 1_000
            rate = 5_200.0 if BURST_S[0] < now_s < BURST_S[1] else 2_000.0
            source.workload = replace(source.workload, rate=rate)
            yield now_s

    return followed(source, seconds=SECONDS, tick=tick())


@contextmanager
def served() -> Iterator[Source]:
    """The sample model `synthetic` of this repository, in two instances, under a load with a burst."""
    import workbench as wb
    from workbench.views.source import ModelSource

    with wb.Server(REPOSITORY, name="pictures") as server:
        model = server.load("synthetic")
        model.reconfigure(max_batch_size=8, count=2, max_queue_delay_microseconds=2_000, preferred_batch_size=[])
        inputs = {"INPUT0": np.zeros((1, 16), np.float32)}
        load = threading.Thread(target=wb.drive, args=(model,), kwargs={"inputs": inputs, "arrivals": burst()})
        load.start()
        yield ModelSource(model, objective_p99_ms=50.0)
        load.join()


def memory() -> MemoryLook:
    """Two models whose answers are kept, in a pool that is too small for them."""
    import workbench as wb

    config = """name: "%s" backend: "identity" max_batch_size: 64
        input { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }
        output { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }"""
    with wb.Server(REPOSITORY, name="memory", pool_byte_size=2 << 20, pool_growth_byte_size=1 << 19) as server:
        models = [server.load(name, config=config % name) for name in ("embed", "rank", "embed")]
        follower = MemoryFollower(ServerSource(server))
        follower.look()
        kept = []
        for i in range(60):
            rows, columns = 8 + i * 7 % 56, 256 + i * 37 % 700
            kept.append(models[i % 3].infer({"INPUT0": np.zeros((rows, columns), np.float32)}))
            if len(kept) > 18:
                kept.pop(i * 5 % 10)
            time.sleep(0.2)
        return follower.look()


def save_memory(chromium: Browser, look: MemoryLook, path: Path, *, dark: bool = False) -> None:
    """The memory view, with a block pinned."""
    told = as_text([memory_message(look, seq=1)])
    traits = {"palette": palette() | {"owners": list(OWNERS)}}
    with stage(chromium, told, entry="memory_widget.js", ratio=2, dark=dark, traits=traits) as page:
        page.wait_for_timeout(300)
        hits = page.evaluate("document.querySelector('.workbench-dashboard').workbench.drawn().hits")
        block = hits[len(hits) // 3]
        page.mouse.click(block["x"] + block["w"] / 2, block["y"] + block["h"] / 2)
        page.wait_for_timeout(300)
        save(page, path)


def save_linked(chromium: Browser, folder: Path) -> None:
    """Sequences and an ensemble with one of them lit, and queues by priority."""
    for name, scene in SCENES.items():
        with scene() as source:
            news, _ = followed(source, seconds=SCENE_SECONDS, tick=real_time())
        for suffix, dark in (("", False), ("_dark", True)):
            with dashboard(chromium, news, width=1_200, ratio=2, dark=dark) as page:
                page.wait_for_timeout(300)
                page.locator(".workbench-canvas").focus()
                page.keyboard.press("Space")
                if name != "priorities":
                    page.keyboard.press("ArrowLeft")
                    page.keyboard.press("Enter")
                page.wait_for_timeout(300)
                save(page, folder / f"{name}{suffix}.png")


def burst(steady: float = 2_800.0, extra: float = 8_000.0) -> NDArray[np.float64]:
    """Seconds at which requests are sent: at random, and for a while many more."""
    random = np.random.default_rng(7)
    begin_s, end_s = BURST_S
    always = random.uniform(0, SECONDS + 1, random.poisson(steady * (SECONDS + 1)))
    more = random.uniform(begin_s, end_s, random.poisson(extra * (end_s - begin_s)))
    return np.sort(np.concatenate([always, more]))


def real() -> tuple[list[View], View]:
    """A running server, in real time."""
    with served() as source:
        return followed(source, seconds=SECONDS, tick=real_time())


def real_time() -> Iterator[float]:
    """Seconds since the start, a frame after the other."""
    begun_s = time.monotonic()
    for frame in range(10**6):
        time.sleep(max(begun_s + frame / FRAMES_PER_S - time.monotonic(), 0.0))
        yield frame / FRAMES_PER_S


def main() -> None:
    """Writes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", nargs="?", choices=("real", "synthetic"), default="real")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    args = parser.parse_args()
    news, whole = real() if args.source == "real" else synthetic()
    with browser() as chromium:
        for name, dark in (("dashboard", False), ("dashboard_dark", True)):
            with dashboard(chromium, news, width=1_200, ratio=2, dark=dark) as page:
                page.wait_for_timeout(300)
                save(page, args.folder / f"{name}.png")
        if args.source == "real":
            save_linked(chromium, args.folder)
            save_memory(chromium, memory(), args.folder / "memory.png")
    save_paper(whole, args.folder / "dashboard.svg")
    if args.source == "real":
        assert {path.name for path in args.folder.iterdir() if path.suffix in {".png", ".svg"}} == set(PICTURES)


if __name__ == "__main__":
    main()
