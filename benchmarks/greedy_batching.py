# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The lesson that many tell: a batcher that waits for large batches ruins the tail of sparse traffic.

    python benchmarks/greedy_batching.py [--rate 400] [--seconds 6]

Batch limit 128 with preferred sizes 64 and 128 and 500 µs of delay, against a limit of 32 and 100 µs, on one trace of
sparse Poisson arrivals in ABBA order, and at full load; then the sweep, which is told nothing of either. The model
takes 70 µs for one row: where traffic is sparse no batch ever fills, and each request pays the delay for nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile

import workbench as wb
from workbench.load import Measurement, Workload, measure
from workbench.sweep import Candidate, TunableModel

CONFIG = """
name: "greedy" backend: "synthetic" max_batch_size: 128
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
dynamic_batching { preferred_batch_size: [ 64, 128 ] max_queue_delay_microseconds: 500 }
instance_group [ { count: 1 kind: KIND_CPU } ]
parameters [
  { key: "tau0_us" value: { string_value: "60" } }, { key: "alpha_us" value: { string_value: "10" } },
  { key: "mode" value: { string_value: "spin" } }
]
"""
GREEDY = Candidate(128, (64, 128), 500, 1)
MODEST = Candidate(32, (), 100, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=400.0)
    parser.add_argument("--seconds", type=float, default=6.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, wb.Server(folder, name="greedy") as server:
        model = server.load("greedy", config=CONFIG)
        tunable = TunableModel(model)
        print("| configuration | load | answers/s | p50 ms | p99 ms | mean batch |\n|---|---|---|---|---|---|")
        compare(tunable, given.rate, given.seconds)
        tunable.restore()
        space = {
            "max_batch_size": [8, 16, 32, 64, 128],
            "preferred_batch_size": [[], [64], [64, 128]],
            "max_queue_delay_microseconds": [0, 100, 500, 2000],
        }
        workload = Workload(rate=given.rate, duration_s=given.seconds / 6)
        study = wb.sweep(
            model, space=space, workload=workload, objective="p99", strategy="predict", most=4, progress=False
        )
        print(f"\nthe sweep picks: {study.best}")
        greedy = study.forecast_of(GREEDY)
        print(f"it predicts of the greedy one: {greedy.score.words if greedy else 'nothing'}")
    return 0


def compare(tunable: TunableModel, rate: float, seconds: float) -> None:
    sparse = Workload(rate=rate, duration_s=seconds / 2)
    found: dict[Candidate, list[Measurement]] = {GREEDY: [], MODEST: []}
    for candidate in (GREEDY, MODEST, MODEST, GREEDY):
        tunable.apply(candidate)
        found[candidate].append(measure(tunable.target, sparse, repeats=1))
    for candidate, runs in found.items():
        best = min(runs, key=lambda run: run.steadiness.stalls.share)
        show(candidate, f"{rate:,.0f}/s", best)
    for candidate in (GREEDY, MODEST):
        tunable.apply(candidate)
        show(candidate, "256 in flight", measure(tunable.target, Workload(concurrency=256, duration_s=seconds / 2)))


def show(candidate: Candidate, load: str, run: Measurement) -> None:
    flag = "" if run.is_steady else "*"
    print(
        f"| {candidate} | {load} | {run.throughput:,.0f} | {run.p50_ms:.2f} | {run.p99_ms:.2f}{flag} "
        f"| {run.mean_batch_size:.1f} |"
    )


if __name__ == "__main__":
    sys.exit(main())
