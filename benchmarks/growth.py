# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How cost grows: requests/s of one model as there are more models, queued requests, instances, and larger batches.

Load comes from the closed-loop generator in the same process, so a row holds its cost too. The share is of the table's
first row; flat is 1.

    python benchmarks/growth.py [--seconds 2] [--of models,queue,instances,batches]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import workbench as wb

PAGE_BYTES = 4096
CONFIG = """
backend: "identity"
max_batch_size: {batch}
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
instance_group [ {{ kind: KIND_CPU count: {instances} }} ]
{batching}
"""


def config(*, batch: int = 64, instances: int = 1, batching: str = "dynamic_batching { }") -> str:
    return CONFIG.format(batch=batch, instances=instances, batching=batching)


def rate(server: wb.Server, concurrency: int, seconds: float) -> float:
    """Requests/s, the median of three runs."""
    inputs = {"INPUT0": np.ones((1, 16), dtype=np.float32)}
    found = [
        wb.drive(server.model("m"), inputs=inputs, concurrency=concurrency, duration_s=seconds).throughput
        for _ in range(3)
    ]
    return statistics.median(found)


def resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 2**20


def models(server: wb.Server, seconds: float) -> None:
    loaded, resident, first = 0, resident_mib(), 0.0
    server.load("m", config=config())
    print("| models | requests/s at 32 in flight | share | load, ms a model | MiB a model |\n|---|---|---|---|---|")
    for count in (1, 10, 100, 1000):
        begin = time.perf_counter()
        for number in range(loaded, count - 1):
            server.load(f"other{number}", config=config())
        load_ms = (time.perf_counter() - begin) * 1e3 / max(count - 1 - loaded, 1)
        loaded = count - 1
        mib = (resident_mib() - resident) / count
        found = rate(server, 32, seconds)
        first = first or found
        print(f"| {count} | {found:,.0f} | {found / first:.2f} | {load_ms:.2f} | {mib:.3f} |", flush=True)


def table(title: str, values: tuple[int, ...], measure: Callable[[int], float]) -> None:
    print(f"\n| {title} | requests/s | share |\n|---|---|---|")
    first = 0.0
    for value in values:
        found = measure(value)
        first = first or found
        print(f"| {value:,} | {found:,.0f} | {found / first:.2f} |", flush=True)


def queue(server: wb.Server, seconds: float) -> None:
    server.load("m", config=config())
    table("requests in flight", (64, 1000, 10_000, 100_000, 1_000_000), lambda n: rate(server, n, seconds))


def instances(server: wb.Server, seconds: float) -> None:
    def measure(count: int) -> float:
        server.load("m", config=config(instances=count))
        return rate(server, 64, seconds)

    table("instances, 64 in flight", (1, 2, 4, 16, 64), measure)


def batches(server: wb.Server, seconds: float) -> None:
    def measure(batch: int) -> float:
        server.load("m", config=config(batch=batch))
        return rate(server, 2048, seconds)

    table("largest batch, 2,048 in flight", (1, 8, 64, 256, 1024), measure)


TABLES = {"models": models, "queue": queue, "instances": instances, "batches": batches}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--of", default=",".join(TABLES), help=f"of {', '.join(TABLES)}")
    options = parser.parse_args()
    for name in options.of.split(","):
        with tempfile.TemporaryDirectory() as folder, wb.Server(folder) as server:
            TABLES[name](server, options.seconds)


if __name__ == "__main__":
    main()
