# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Whether measurements are honest: coverage of intervals, a stall of the server, the generator's own time.

python benchmarks/honesty.py            # all three
python benchmarks/honesty.py coverage stall overhead --json honesty.json
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import workbench as wb
from workbench.load import Interval, NullTarget, mean_interval, quantile, warmup_cut
from workbench.testing.queueing import mean_sojourn, p99_after_stall, sojourn_quantile, sojourn_times

STALL_S = 0.2
RATE = 500.0
SECONDS = 10.0
SERVICE_MS = 1.0
CONFIG = f"""
backend: "synthetic" max_batch_size: 1
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
instance_group [ {{ count: 1 kind: KIND_CPU }} ]
parameters [ {{ key: "tau0_us" value: {{ string_value: "{SERVICE_MS * 1000:.0f}" }} }} ]
"""
ECHO = """
backend: "identity" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
"""


def coverage(runs: int) -> dict[str, float]:
    """Share of 95 % intervals that have the truth, at utilisation 0.8, 10,000 requests from an empty queue."""
    shares: dict[str, float] = {}
    for services, name in (("constant", "M/D/1"), ("exponential", "M/M/1")):
        samples = [sojourn_times(0.8, 10_000, seed=seed, services=services) for seed in range(runs)]
        samples = [one[warmup_cut(one) :] for one in samples]
        for q in (0.5, 0.9, 0.99):
            truth = sojourn_quantile(0.8, q, services=services)
            shares[f"{name} p{100 * q:.0f}"] = share_with(truth, samples, lambda one, q=q: quantile(one, q))
        shares[f"{name} mean"] = share_with(mean_sojourn(0.8, services=services), samples, mean_interval)
    return shares


def share_with(truth: float, samples: list[Any], interval_of: Callable[[Any], Interval]) -> float:
    intervals = map(interval_of, samples)
    return statistics.fmean(interval.low <= truth <= interval.high for interval in intervals)


def overhead(requests: int) -> dict[str, float]:
    """The generator's own nanoseconds a request, on a target that answers at once: the median of five runs."""
    loops = {
        "open loop, every request due at once": wb.Workload.replay(np.zeros(requests)),
        "closed loop, one in flight": wb.Workload.closed(concurrency=1, requests=requests),
    }
    return {name: statistics.median(ns_per_request(workload) for _ in range(5)) for name, workload in loops.items()}


def ns_per_request(workload: wb.Workload) -> float:
    run = NullTarget().start(workload, workload.schedule_ns())
    while not run.wait(1.0):
        pass
    records = run.records()
    return float(records["done_ns"].max() - records["sent_ns"].min()) / len(records)


@contextmanager
def child_server(folder: Path) -> Iterator[tuple[int, str, str]]:
    """A server in a process of its own that serves `m` and `echo`; its process, and its HTTP and gRPC addresses."""
    for name, config in (("m", CONFIG), ("echo", ECHO)):
        (folder / name / "1").mkdir(parents=True)
        (folder / name / "config.pbtxt").write_text(f'name: "{name}"\n{config}')
    command = [sys.executable, str(Path(__file__)), "serve", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        http, grpc = re.findall(r"\d+", child.stdout.readline())
        try:
            yield child.pid, f"http://127.0.0.1:{http}", f"grpc://127.0.0.1:{grpc}"
        finally:
            child.send_signal(signal.SIGCONT)
            child.terminate()


def serve(folder: str) -> None:
    with wb.Server(folder, name="honesty") as server:
        for name in ("m", "echo"):
            server.load(name)
        print(server.http().port, server.grpc().port, flush=True)
        signal.pause()


def stall() -> dict[str, float]:
    """p99 of a run in which the server's process is stopped for 200 ms, measured over HTTP, and what theory says."""
    with tempfile.TemporaryDirectory() as folder, child_server(Path(folder)) as (child, http, _):
        model = wb.RemoteModel(http, "m")
        wb.drive(model, concurrency=1, duration_s=0.5, repeats=0)
        stopped = threading.Thread(target=stop_for, args=(child, SECONDS / 2), daemon=True)
        stopped.start()
        measured = wb.drive(model, rate=RATE, arrivals="constant", duration_s=SECONDS, warmup=0.0, repeats=0)
        stopped.join()
    service_s = measured.split.compute_infer_ns / 1e9
    theory_s = p99_after_stall(STALL_S, service_s=service_s, gap_s=1 / RATE, duration_s=SECONDS)
    return {"measured ms": measured.p99_ms, "theory ms": theory_s * 1e3, "ratio": measured.p99_ms / theory_s / 1e3}


def doors(rounds: int = 3) -> dict[str, float]:
    """Median and p99 in µs of a request to a model that does nothing, in another process, one in flight."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, child_server(Path(folder)) as (_, *urls):
        for _ in range(rounds):
            for url in urls:
                measured = wb.drive(wb.RemoteModel(url, "echo"), concurrency=1, duration_s=1.5, repeats=0)
                protocol = url.partition(":")[0]
                found.setdefault(f"{protocol} p50 µs", []).append(measured.p50_ms * 1e3)
                found.setdefault(f"{protocol} p99 µs", []).append(measured.p99_ms * 1e3)
                found.setdefault(f"{protocol} requests/s", []).append(measured.throughput)
    return {name: statistics.median(values) for name, values in found.items()}


def stop_for(process: int, after_s: float) -> None:
    time.sleep(after_s)
    os.kill(process, signal.SIGSTOP)
    time.sleep(STALL_S)
    os.kill(process, signal.SIGCONT)


def main() -> None:
    if sys.argv[1:2] == ["serve"]:
        return serve(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checks", nargs="*", default=["coverage", "stall", "overhead", "doors"])
    parser.add_argument("--runs", type=int, default=1000, help="simulated runs of the coverage")
    parser.add_argument("--requests", type=int, default=1_000_000, help="of an overhead run")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    checks = {
        "coverage": lambda: coverage(arguments.runs),
        "stall": stall,
        "overhead": lambda: overhead(arguments.requests),
        "doors": doors,
    }
    found = {name: checks[name]() for name in arguments.checks}
    for name, figures in found.items():
        print(name)
        for figure, value in figures.items():
            print(f"  {figure:40} {value:10.3f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1))
    return None


if __name__ == "__main__":
    main()
