# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How fast and how right the simulator is, beside its bars.

Speed in seconds of one processor's time; the exact law is a Markov chain that shares no code with the simulator.

    python benchmarks/simulator.py [--requests 20000000] [--loads 0.3,0.8,0.9]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import workbench as wb  # noqa: E402
from workbench.simulate import (  # noqa: E402
    capacity,
    exact_latency,
    mean_latency_bound_ns,
    predict,
    simulate_all,
    single_requests_mean_ns,
)


def linear(largest: int) -> wb.Calibration:
    """0.9 ms, and 0.1 ms for each row."""
    return wb.Calibration(service_ns={rows: 900_000 + 100_000 * rows for rows in range(1, largest + 1)})


def greedy(largest: int, extra: str = "") -> str:
    """Takes all that waits."""
    return f'name: "m" max_batch_size: {largest} dynamic_batching {{ {extra} }}'


def speed(requests: int) -> None:
    """Requests a second of single long simulations, and many short ones."""
    print(f"speed, {requests:,} requests each; bar: 10 million/s of a core")
    cases = {
        "direct, utilisation 0.8": ('name: "m"', 1, 0.8, 1),
        "b 8, 0.3": (greedy(8), 8, 0.3, 1),
        "b 8, 0.8": (greedy(8), 8, 0.8, 1),
        "b 64, 0.8": (greedy(64), 64, 0.8, 1),
        "b 8, delay 0.5 ms, 2 instances, 0.6": (
            greedy(8, "max_queue_delay_microseconds: 500") + " instance_group { count: 2 }",
            8,
            0.6,
            2,
        ),
        "b 8, timeouts, 0.8": (greedy(8, "default_queue_policy { default_timeout_microseconds: 9000 }"), 8, 0.8, 1),
    }
    for name, (config, largest, load, instances) in cases.items():
        calibration = linear(largest)
        began = process_time()
        predict(config, calibration, rate=load * capacity(calibration, largest, instances=instances), requests=requests)
        print(f"  {name:40} {requests / (process_time() - began) / 1e6:6.1f} million/s", flush=True)


def many() -> None:
    """A thousand configurations."""
    sizes, delays, counts = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512), range(0, 2500, 100), (1, 2, 3, 4)
    configs = [
        greedy(size, f"max_queue_delay_microseconds: {delay}") + f" instance_group {{ count: {count} }}"
        for size in sizes
        for delay in delays
        for count in counts
    ]
    began = process_time()
    simulate_all(configs, linear(512), wb.Workload.poisson(rate=800, requests=20_000), threads=1)
    print(f"{len(configs):,} configurations x 20,000 requests: {process_time() - began:.2f} s of a core; bar: 3 s")


def exactness(requests: int, loads: list[float]) -> None:
    """Against the exact law."""
    print(f"beside the exact law, {requests:,} requests; bars: 0.5 % up to utilisation 0.8, 1.5 % at 0.9")
    for largest in (1, 8, 32):
        calibration = linear(largest)
        service = np.array(list(calibration.service_ns.values()))
        for load in loads:
            rate = load * capacity(calibration, largest)
            exact = exact_latency(service, rate=rate)
            told = predict(greedy(largest), calibration, rate=rate, requests=requests)
            print(
                f"  b {largest:2} utilisation {load:.1f}: mean {told.mean_ns / exact.mean_ns - 1:+.2%}, "
                f"p50 {told.p50_ns / exact.quantile_ns(0.5) - 1:+.2%}, "
                f"p99 {told.p99_ns / exact.quantile_ns(0.99) - 1:+.2%}, "
                f"batch {told.mean_batch_size / exact.mean_batch_size - 1:+.2%}",
                flush=True,
            )


def formulas(requests: int, loads: list[float]) -> None:
    """Against closed forms."""
    for load in loads:
        told = predict('name: "m"', linear(1), rate=load * 1000, requests=requests)
        exact = single_requests_mean_ns(1e6, rate=load * 1000)
        unbounded = linear(1024)
        bound = mean_latency_bound_ns(unbounded.line, rate=load * 1e4)
        free = predict(greedy(1024), unbounded, rate=load * 1e4, requests=requests)
        print(
            f"utilisation {load:.1f}: M/D/1 mean {told.mean_ns / exact - 1:+.2%} (bar 1 %); "
            f"of Inoue's bound {free.mean_ns / bound:.1%} (bar: 100 %)",
            flush=True,
        )


def repeatability() -> None:
    """To the last bit."""
    config = greedy(8, "max_queue_delay_microseconds: 300")
    first, again = (predict(config, linear(8), rate=2000, requests=1_000_000) for _ in range(2))
    assert first == again
    print("the same to the last bit for a seed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=20_000_000)
    parser.add_argument("--loads", default="0.3,0.8,0.9")
    args = parser.parse_args()
    loads = [float(load) for load in args.loads.split(",")]
    repeatability()
    speed(min(args.requests, 5_000_000))
    many()
    formulas(args.requests // 4, loads)
    exactness(args.requests, loads)


if __name__ == "__main__":
    main()
