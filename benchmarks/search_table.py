# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures whole spaces once, so that searches can be replayed on them: p99 of each candidate at a ladder of rates.

Backend `synthetic` with several laws of service time. Each candidate is measured at rates from half to nearly all of
its capacity, twice with other arrivals, and in the closed loop in which Model Analyzer measures. One table serves any
number of latency objectives: the goodput of a candidate is where its p99 crosses the objective.

    python benchmarks/search_table.py out/search.csv [--seconds 0.4] [--models 4] [--simulated]
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import workbench as wb
from workbench.calibrate import calibrate
from workbench.config import parse_config
from workbench.load import Workload, measure
from workbench.simulate import Calibration, Simulator, capacity
from workbench.sweep import Candidate, Point, TunableModel, tuned_config

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


Run = Callable[[Candidate, Workload], Point]


def tabulate(run: Run, law: Law, calibration: Calibration, seconds: float) -> Iterator[Row]:
    """All rungs of all candidates, round by round, so that what else the machine does falls on all alike."""
    for turn, share in itertools.product(range(TURNS), LADDER):
        for candidate in space(law):
            rate = share * capacity(calibration, candidate.max_batch_size, instances=candidate.count)
            workload = Workload(rate=rate, duration_s=seconds, seed=1 + 1009 * turn)
            yield row(law, candidate, turn, run(candidate, workload))
    for candidate in (c for c in space(law) if c.max_queue_delay_microseconds == 0):
        in_flight = 2 * candidate.max_batch_size * candidate.count
        yield row(law, candidate, 0, run(candidate, Workload(concurrency=in_flight, duration_s=seconds)), in_flight)


def measuring(tunable: TunableModel) -> Run:
    def run(candidate: Candidate, workload: Workload) -> Point:
        tunable.apply(candidate)
        backlog = 200 + int(workload.rate) if workload.rate else 0  # a second's worth
        return Point.of(measure(tunable.target, workload, repeats=1, backlog_limit=backlog))

    return run


def simulating(law: Law, source: random.Random) -> Run:
    """A world that is unlike the calibration: 3 % in the service times, 6 % in the contention, 3 % of noise."""
    factor = 1 + source.gauss(0, 0.03)
    service = {size: time * factor for size, time in believed(law).service_ns.items()}
    simulator = Simulator(Calibration(service_ns=service, contention={1: 1.0, 2: 1 - abs(source.gauss(0, 0.06))}))
    config = parse_config(CONFIG.format(**asdict(law)))

    def run(candidate: Candidate, workload: Workload) -> Point:
        tuned = tuned_config(config, candidate)
        p99 = (point := Point.predicted(simulator(tuned, workload), workload)).p99_ms
        return replace(point, p99_ms=p99.scaled(1 + source.gauss(0, 0.03)), is_predicted=True)

    return run


def believed(law: Law) -> Calibration:
    return Calibration(service_ns={size: 1e3 * (law.tau0 + law.alpha * size) for size in (1, 8, 32)})


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
    parser.add_argument("--simulated", action="store_true", help="no measurements, but a world unlike the calibration")
    given = parser.parse_args()
    given.table.parent.mkdir(parents=True, exist_ok=True)
    with given.table.open("w", newline="") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)])
        writer.writeheader()
        with wb.Server(folder, name="search") as server:
            for number, law in enumerate(LAWS[: given.models]):
                if given.simulated:
                    calibration, run = believed(law), simulating(law, random.Random(number))
                else:
                    model = server.load(law.name, config=CONFIG.format(**asdict(law)))
                    calibration, run = calibrate(model, instances=2, progress=False), measuring(TunableModel(model))
                calibrated = given.table.with_suffix(f".{law.name}.json")
                calibrated.write_text(json.dumps(calibration.to_mapping()))
                for count, one in enumerate(tabulate(run, law, calibration, given.seconds), 1):
                    writer.writerow(asdict(one))
                    print(f"\r{law.name}: {count} runs", end="", file=sys.stderr, flush=True)
                print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
