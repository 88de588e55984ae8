# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Builds, tests and measures everything that needs a GPU, in less than eight minutes; prints one table.

    python benchmarks/gpu_check.py

The table, with the card's name, goes to docs/explanation/gpu.md. Where there is no GPU it says so and ends with 2.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import workbench as wb  # noqa: E402
from model_repository import fetch  # noqa: E402
from workbench.build.compiler import probe  # noqa: E402
from workbench.server import gpu_count  # noqa: E402

LIMIT_S: Final = 8 * 60
SAMPLES: Final = ("normalize_cpu", "normalize_cuda", "mlp_cpu", "mlp_cuda")
Row = tuple[str, str, str]


def card() -> str:
    """The first GPU's name, and the CUDA that its driver offers."""
    driver = ctypes.CDLL("libcuda.so.1")
    name, version = ctypes.create_string_buffer(256), ctypes.c_int()
    driver.cuInit(0)
    driver.cuDeviceGetName(name, len(name), 0)
    driver.cuDriverGetVersion(ctypes.byref(version))
    return f"{name.value.decode()}, driver for CUDA {version.value // 1000}.{version.value % 1000 // 10}"


def built() -> Iterator[Row]:
    """The samples, built."""
    for name in SAMPLES:
        start = time.monotonic()
        fetch.build([name])
        yield f"build {name}", "ready", f"{time.monotonic() - start:.1f} s"


def tested(deadline: float) -> Row:
    """`pytest -m gpu`."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "gpu", "--timeout=120", "tests/gpu"]
    start = time.monotonic()
    left_s = max(deadline - start, 1)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=left_s, check=False)
        words = (done.stdout.strip().splitlines() or ["no output"])[-1]
        if done.returncode != 0:
            sys.stdout.write(done.stdout)
    except subprocess.TimeoutExpired:
        words = "cut off: no time was left"
    return "pytest -m gpu", words, f"{time.monotonic() - start:.0f} s"


def median_us(call: Callable[[], Any], *, rounds: int = 200) -> float:
    """Of single calls, warmed up."""
    for _ in range(rounds // 10 + 1):
        call()
    times = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        call()
        times.append((time.perf_counter_ns() - start) / 1000)
    return statistics.median(times)


def measured(server: wb.Server, pairs: Sequence[tuple[str, str, str, Callable[[int], Any]]]) -> Iterator[Row]:
    """Each sample beside its twin, and with inputs and outputs that stay on the GPU."""
    for name, source, result, make in pairs:
        on_cpu, on_gpu = server.load(f"{name}_cpu"), server.load(f"{name}_cuda")
        for rows in (1, 8, 32):
            given = {source: make(rows)}
            cpu_us = median_us(lambda model=on_cpu, given=given: model.infer(given), rounds=50)
            gpu_us = median_us(lambda model=on_gpu, given=given: model.infer(given))
            yield f"{name}, {rows} rows, p50", f"CPU {cpu_us:.0f} us", f"GPU {gpu_us:.0f} us"
            there_us = median_us(lambda model=on_gpu, given=given: model.infer(given, outputs_on="device"))
            yield f"{name}, {rows} rows, output stays there", result, f"GPU {there_us:.0f} us"
        copies = on_gpu.statistics().copies
        yield f"{name}, bytes copied", ", ".join(f"{key} {count:,}" for key, count in copies.items() if count), ""
        load = wb.drive(on_gpu, inputs={source: make(1)}, concurrency=64, duration_s=5)
        yield f"{name}, 64 in flight", f"{load.throughput:.0f} requests/s", f"p99 {load.p99_ms:.2f} ms"


def pools(server: wb.Server) -> Iterator[Row]:
    """What the pools did meanwhile."""
    for pool in server.memory().pools:
        yield f"{pool.name}", f"peak {pool.peak_byte_size:,} B", f"hit rate {pool.hit_rate:.1%}"


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown."""
    return "\n".join(["| what | result | time |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows)])


def obstacle() -> str:
    """Why nothing can be checked here; "" where it can."""
    if not gpu_count():
        return "this machine has no GPU (no CUDA driver, or none that it finds): nothing was checked"
    if probe("nvcc") is None:
        return "there is no nvcc: pip install 'workbench-serving[cuda]'"
    return ""


def main() -> int:
    """The command."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    if why_not := obstacle():
        sys.stderr.write(f"{why_not}\n")
        return 2
    start = time.monotonic()
    random = np.random.default_rng(1)
    pairs = [
        ("normalize", "IMAGES", "PIXELS", lambda rows: random.integers(0, 256, (rows, 224, 224, 3), dtype=np.uint8)),
        ("mlp", "X", "Y", lambda rows: random.standard_normal((rows, 256), np.float32)),
    ]
    rows: list[Row] = [("card", card(), ""), *built()]
    with wb.Server(ROOT / "model_repository", name="gpu-check") as server:
        rows += [*measured(server, pairs), *pools(server)]
    rows.append(tested(start + LIMIT_S - 15))
    rows.append(("in all", "", f"{time.monotonic() - start:.0f} s"))
    sys.stdout.write(table(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
