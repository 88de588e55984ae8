# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures whole spaces once, so that searches can be replayed on them: p99 of each candidate at a ladder of rates.

Backend `synthetic` with several laws of service time. Each candidate is measured at rates from half to nearly all of
its capacity, twice with other arrivals, and in the closed loop in which Model Analyzer measures. One table serves any
number of latency objectives: the goodput of a candidate is where its p99 crosses the objective.

    python benchmarks/search_table.py out/search.csv [--seconds 0.4] [--models 4]
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import workbench as wb
from workbench.calibrate import calibrate
from workbench.load import Workload, measure
from workbench.simulate import Calibration
from workbench.sweep import Candidate, Point, TunableModel

LADDER = (0.45, 0.6, 0.7, 0.78, 0.84, 0.89, 0.93, 0.97)
"""Shares of the capacity of full batches."""
TURNS = 2

CONFIG = """
name: "{name}" backend: "synthetic" max_batch_size: 32
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
dynamic_batching {{ }}
instance_group [ {{ count: 1 kind: KIND_CPU }} ]
parameters [
  {{ key: "tau0_us" value: {{ string_value: "{tau0}" }} }}, {{ key: "alpha_us" value: {{ string_value: "{alpha}" }} }},
  {{ key: "jitter" value: {{ string_value: "{jitter}" }} }}
]
"""


@dataclass(frozen=True)
class Law:
    """Of service time: tau0 + alpha × rows, times a log-normal factor."""

    name: str
    tau0: int
    alpha: int
    jitter: float = 0.0


LAWS = (
    Law("steep", 1900, 100),  # batching pays much
    Law("one_ms", 900, 100),
    Law("flat", 500, 500),  # batching pays little
    Law("noisy", 1200, 200, 0.15),
    Law("long", 4500, 500),
)


@dataclass(frozen=True)
class Row:
    """A measured rung of a candidate's ladder; concurrency 0 is the open loop."""

    model: str
    max_batch_size: int
    preferred: str
    delay: int
    count: int
    turn: int
    rate: float
    concurrency: int
    throughput: float
    p99_ms: float
    p99_low_ms: float
    p99_high_ms: float
    kept_up: int
    steady: int


def space(law: Law) -> list[Candidate]:
    """Batches 4 to 32, one or two instances, no delay, half and two service times, a preferred half or none."""
    alone = law.tau0 + law.alpha
    found = []
    for size, count, delay in itertools.product((4, 8, 16, 32), (1, 2), (0, alone // 2, alone * 2)):
        found.append(Candidate(size, (), delay, count))
    found += [Candidate(32, (half,), alone * 2, count) for half in (8, 16) for count in (1, 2)]
    return sorted(found, key=lambda c: (c.max_batch_size, c.count))


def capacity(calibration: Calibration, candidate: Candidate) -> float:
    size, count = candidate.max_batch_size, candidate.count
    return count * calibration.speed(count) * size * 1e9 / calibration.service_time_ns(size)


def tabulate(model: wb.server.Model, law: Law, calibration: Calibration, seconds: float) -> Iterator[Row]:
    """All rungs of all candidates, round by round, so that what else the machine does falls on all alike."""
    tunable = TunableModel(model)
    for turn, share in itertools.product(range(TURNS), LADDER):
        for candidate in space(law):
            tunable.apply(candidate)
            rate = share * capacity(calibration, candidate)
            workload = Workload(rate=rate, duration_s=seconds, seed=1 + 1009 * turn)
            backlog = 200 + int(rate)  # a second's worth
            yield row(
                law, candidate, turn, Point.of(measure(tunable.target, workload, repeats=1, backlog_limit=backlog))
            )
    for candidate in (c for c in space(law) if c.max_queue_delay_microseconds == 0):
        tunable.apply(candidate)
        in_flight = 2 * candidate.max_batch_size * candidate.count
        workload = Workload(concurrency=in_flight, duration_s=seconds)
        yield row(law, candidate, 0, Point.of(measure(tunable.target, workload, repeats=1)), in_flight)
    tunable.restore()


def row(law: Law, candidate: Candidate, turn: int, point: Point, concurrency: int = 0) -> Row:
    p99 = point.p99_ms
    preferred = " ".join(map(str, candidate.preferred_batch_size))
    place = (candidate.max_batch_size, preferred, candidate.max_queue_delay_microseconds, candidate.count, turn)
    figures = (point.rate, concurrency, point.throughput, p99.value, p99.low, p99.high)
    return Row(law.name, *place, *figures, int(not point.falls_behind), int(point.is_steady))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--seconds", type=float, default=0.4, help="of one run")
    parser.add_argument("--models", type=int, default=4)
    given = parser.parse_args()
    given.table.parent.mkdir(parents=True, exist_ok=True)
    with given.table.open("w", newline="") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)])
        writer.writeheader()
        with wb.Server(folder, name="search") as server:
            for law in LAWS[: given.models]:
                model = server.load(law.name, config=CONFIG.format(**asdict(law)))
                calibration = calibrate(model, progress=False)
                calibrated = given.table.with_suffix(f".{law.name}.json")
                calibrated.write_text(json.dumps(calibration.to_mapping()))
                for number, one in enumerate(tabulate(model, law, calibration, given.seconds)):
                    writer.writerow(asdict(one))
                    print(f"\r{law.name}: {number + 1} runs", end="", file=sys.stderr, flush=True)
                print(file=sys.stderr)
                server.unload(law.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
