# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Mixed load, reloads and rebuilt backends for a long time: every request is answered, and memory stays flat.

Callers infer without pause with batches of all sizes, open-loop load comes from native threads, models reload under
other configurations, are unloaded and loaded again, and a backend is replaced by its other version. Memory counts from
the end of a warm-up, in which every version and configuration was there once.

    python benchmarks/soak.py [--minutes 20] [--warm-up-minutes 3] [--report-s 20]
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import workbench as wb

M_MMAP_THRESHOLD = -3  # of mallopt(3)
LARGE_BYTES = 2**19
FLAT_PERCENT = 3.0  # growth of the resident memory after the warm-up that is still called flat
PAGE_BYTES = 4096
EVENT_BYTES = 4 * 2**20  # of the event log: small, so that it is full before memory counts
MIB = 2**20

CONFIG = """
backend: "{backend}"
max_batch_size: 16
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }} ]
instance_group [ {{ kind: KIND_CPU count: {instances} }} ]
{batching}
"""
VARIANTS = (
    {"instances": 1, "batching": ""},
    {"instances": 1, "batching": "dynamic_batching { }"},
    {"instances": 2, "batching": "dynamic_batching { max_queue_delay_microseconds: 500 }"},
)
SOURCE = """
#include <workbench/backend.hpp>

constexpr int kVersion = {version};

struct Echo {{
  void Execute(workbench::Request& request) {{
    const workbench::Input input = request.input("INPUT0");
    const auto values = input.as<float>();
    std::vector<float> copy(values.begin(), values.end());
    if (kVersion < 0) copy.clear();
    request.output("OUTPUT0").Write(copy, input.shape());
  }}
}};
WORKBENCH_BACKEND(Echo)
"""
VERSIONS = 4


@dataclass(slots=True)
class Tally:
    """What happened so far; shared by all workers."""

    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str, number: int = 1) -> None:
        with self.lock:
            self.counts[what] += number

    def fail(self, what: str, error: Exception) -> None:
        with self.lock:
            self.errors[f"{what}: {type(error).__name__}: {error}"] += 1


def give_large_blocks_back() -> None:
    """Have freed blocks from `LARGE_BYTES` on leave the process at once, so that what is resident is what is held.

    By default glibc raises that bound with every large block that is freed, and keeps what lies below it.
    """
    ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


def config(name: str, backend: str, variant: int) -> str:
    return f'name: "{name}"' + CONFIG.format(backend=backend, **VARIANTS[variant % len(VARIANTS)])


def infer_always(server: wb.Server, name: str, tally: Tally, stop: threading.Event) -> None:
    """One caller: batches of 1 to 8 rows and 1 to 4,096 values, each answer checked."""
    random = np.random.default_rng(threading.get_ident())
    while not stop.is_set():
        sent = random.random((int(random.integers(1, 9)), int(random.integers(1, 4097))), dtype=np.float32)
        received = server.model(name).infer({"INPUT0": sent}, timeout_s=60)["OUTPUT0"]
        if not np.array_equal(sent, received):
            message = "the answer is not what was sent"
            raise AssertionError(message)
        tally.count("infer")


def drive_always(server: wb.Server, name: str, tally: Tally, stop: threading.Event) -> None:
    """Open-loop load, a measurement after the other."""
    inputs = {"INPUT0": np.ones((1, 16), dtype=np.float32)}
    for seed in itertools.count():
        if stop.is_set():
            return
        measurement = wb.drive(
            server.model(name), inputs=inputs, rate=1000, arrivals="poisson", duration_s=3, seed=seed
        )
        tally.count("driven", measurement.requests)
        tally.count("driven and failed", sum(measurement.errors.values()) + measurement.unanswered)


def reload_always(server: wb.Server, name: str, backend: str, tally: Tally, stop: threading.Event) -> None:
    """Another configuration every second, under load."""
    for variant in itertools.count():
        if stop.wait(1.0):
            return
        server.load(name, config=config(name, backend, variant))
        tally.count("reload")


def rebuild_always(tally: Tally, stop: threading.Event) -> None:
    """The backend of a model under load is replaced by its next version; after one round all of them were built."""
    for version in itertools.count():
        if stop.wait(2.0):
            return
        wb.build_backend("echo", SOURCE.format(version=version % VERSIONS))
        tally.count("rebuild")


def come_and_go(server: wb.Server, name: str, tally: Tally, stop: threading.Event) -> None:
    """A model that nobody else uses is loaded, asked once and unloaded."""
    sent = np.ones((1, 256), dtype=np.float32)
    for variant in itertools.count():
        if stop.wait(0.5):
            return
        server.load(name, config=config(name, "identity", variant))
        server.model(name).infer({"INPUT0": sent})
        server.unload(name)
        tally.count("load and unload")


def look_always(server: wb.Server, tally: Tally, stop: threading.Event) -> None:
    """A reader of events, as a dashboard is one."""
    since = 0
    while not stop.wait(0.1):
        columns = server.events(since=since)
        since = columns.next_since
        tally.count("events", len(columns.requests) + len(columns.batches))
        server.memory()


@contextmanager
def workers(tally: Tally, *tasks: Callable[[threading.Event], None]) -> Iterator[None]:
    """Runs each task on its thread until the block ends; a task that fails is tallied."""
    stop = threading.Event()

    def run(task: Callable[[threading.Event], None]) -> None:
        try:
            task(stop)
        except Exception as error:  # noqa: BLE001 - whatever it is, the table shows it
            tally.fail(getattr(task, "__name__", "task"), error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@dataclass(frozen=True, slots=True)
class Sample:
    """Memory at one moment."""

    elapsed_s: float
    resident: int


def watch(tally: Tally, minutes: float, report_s: float) -> list[Sample]:
    """One line of the table each `report_s`, until the time is over or a worker failed."""
    begin, samples = time.monotonic(), list[Sample]()
    while (elapsed := time.monotonic() - begin) < minutes * 60 and not tally.errors:
        samples.append(Sample(elapsed, resident_bytes()))
        counts = ", ".join(f"{number} {what}" for what, number in sorted(tally.counts.items()))
        print(f"{elapsed / 60:6.1f} min  {samples[-1].resident / MIB:8.1f} MiB  {counts}", flush=True)
        time.sleep(report_s)
    return [*samples, Sample(time.monotonic() - begin, resident_bytes())]


def growth(samples: list[Sample], warm_up_s: float) -> tuple[float, float]:
    """(percent from the start to the end of what follows the warm-up, MiB per hour), by a straight line through it."""
    after = [sample for sample in samples if sample.elapsed_s >= warm_up_s]
    if len(after) < 3:
        return 0.0, 0.0
    seconds = np.array([sample.elapsed_s for sample in after])
    resident = np.array([sample.resident for sample in after], dtype=float)
    slope, start = np.polyfit(seconds - seconds[0], resident, 1)
    return float(100 * slope * (seconds[-1] - seconds[0]) / start), float(slope * 3600 / MIB)


def soak(server: wb.Server, minutes: float, report_s: float, tally: Tally) -> list[Sample]:
    server.load("steady", config=config("steady", "identity", 2))
    server.load("changing", config=config("changing", "identity", 0))
    wb.build_backend("echo", SOURCE.format(version=0))
    server.load("rebuilt", config=config("rebuilt", "echo", 1))
    with workers(
        tally,
        lambda stop: infer_always(server, "steady", tally, stop),
        lambda stop: infer_always(server, "changing", tally, stop),
        lambda stop: infer_always(server, "changing", tally, stop),
        lambda stop: infer_always(server, "rebuilt", tally, stop),
        lambda stop: rebuild_always(tally, stop),
        lambda stop: drive_always(server, "changing", tally, stop),
        lambda stop: reload_always(server, "changing", "identity", tally, stop),
        lambda stop: come_and_go(server, "guest", tally, stop),
        lambda stop: look_always(server, tally, stop),
    ):
        return watch(tally, minutes, report_s)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--warm-up-minutes", type=float, default=3)
    parser.add_argument("--report-s", type=float, default=20)
    options = parser.parse_args()
    give_large_blocks_back()
    tally = Tally()
    with tempfile.TemporaryDirectory() as repository, wb.Server(repository, event_byte_size=EVENT_BYTES) as server:
        samples = soak(server, options.minutes, options.report_s, tally)
    percent, mib_per_hour = growth(samples, options.warm_up_minutes * 60)
    print(f"after the warm-up: {percent:+.2f} % resident memory, {mib_per_hour:+.1f} MiB an hour")
    for error, number in tally.errors.items():
        print(f"{number} times {error}")
    return int(bool(tally.errors) or tally.counts["driven and failed"] > 0 or percent > FLAT_PERCENT)


if __name__ == "__main__":
    sys.exit(main())
