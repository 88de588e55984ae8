# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Measures whole spaces once, so that searches can be replayed on them: p99 of each candidate at a ladder of rates.

Five served models: backend `synthetic` of 1 and 5 ms, an ONNX model, a C++ cell, a Python model. Each candidate is
measured at rates around those at which its p99 is predicted to cross the objectives (further ones follow where it does
not cross between them), twice with other arrivals, and in the closed loop in which Model Analyzer measures. One table
serves all objectives: the goodput of a candidate is where its p99 crosses the objective.

    python benchmarks/search_table.py out/search.csv [--minutes 12] [--models onnx,cell] [--simulated]

Each row is written as it is measured: begun again with the same file it goes on where it stopped. `--minutes` is the
time of all models together on a machine with nothing else to do; runs last as long as that allows.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from time import monotonic

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # an instance computes on its own thread alone

from search_models import SERVED
from search_world import LAWS, PLAIN, believed, simulating

import workbench as wb
from workbench.config import parse_config, write_config
from workbench.load import Workload, measure
from workbench.simulate import Calibration, Simulator, capacity
from workbench.sweep import Candidate, Goodput, Point, TunableModel, tuned_config
from workbench.sweep.forecast import forecasts
from workbench.sweep.objective import backlog_limit
from workbench.sweep.score import UNCONSTRAINED

SLO_SERVICE_TIMES = (2.5, 4.0, 8.0)
"""Objectives, in service times of a full batch of eight."""
TURNS = 2
RUNGS, MORE = 6, 3
"""Of a ladder, and how many may follow where it does not reach."""
BELOW, ABOVE = 0.93, 1.06
"""Where a ladder begins and ends, in shares of the rates at which the objectives are predicted to be met."""
LONGEST_S = 1.5
OVERHEAD_S = 0.15
"""Of a run: reconfiguring, gathering, judging."""


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

    @classmethod
    def of(cls, model: str, candidate: Candidate, turn: int, point: Point, concurrency: int = 0) -> Row:
        """What was measured."""
        p99 = point.p99_ms
        preferred = " ".join(map(str, candidate.preferred_batch_size))
        place = (candidate.max_batch_size, preferred, candidate.max_queue_delay_microseconds, candidate.count, turn)
        figures = (point.rate, concurrency, point.throughput, p99.value, p99.low, p99.high)
        return cls(model, *place, *figures, int(not point.falls_behind), int(point.is_steady))

    @property
    def candidate(self) -> Candidate:
        preferred = tuple(map(int, self.preferred.split()))
        return Candidate(self.max_batch_size, preferred, self.delay, self.count)

    def meets(self, slo_p99_ms: float) -> bool:
        return bool(self.kept_up) and self.p99_ms <= slo_p99_ms


def read_rows(path: Path) -> list[Row]:
    """The rows of a table; none where there is no file."""
    if not path.exists():
        return []
    kinds: dict[str, Callable[[str], object]] = {"int": int, "float": lambda text: float(text or "nan"), "str": str}
    with path.open(newline="") as file:
        lines = csv.DictReader(file)
        return [Row(**{one.name: kinds[str(one.type)](line[one.name]) for one in fields(Row)}) for line in lines]


def space(alone_us: int) -> list[Candidate]:
    """Batches of 4 to 32, one or two instances, no delay, one and two service times, a preferred half or none."""
    found = [
        Candidate(size, (), delay, count)
        for size, count, delay in itertools.product((4, 8, 16, 32), (1, 2), (0, alone_us))
    ]
    found += [Candidate(size, (), 2 * alone_us, count) for size in (16, 32) for count in (1, 2)]
    found += [Candidate(32, (16,), alone_us, count) for count in (1, 2)]
    return sorted(found, key=lambda c: (c.max_batch_size, c.count))


def calibration_of(path: Path, model: str, make: Callable[[], Calibration]) -> Calibration:
    """The one beside the table, or a new one, which then is there."""
    beside = path.with_suffix(f".{model}.json")
    if not beside.exists():
        beside.write_text(json.dumps(make().to_mapping()))
    return Calibration.from_mapping(json.loads(beside.read_text()))


def objectives(calibration: Calibration) -> list[float]:
    return [factor * calibration.service_time_ns(8) / 1e6 for factor in SLO_SERVICE_TIMES]


Run = Callable[[Candidate, Workload], Point]


@dataclass(frozen=True)
class Tabulation:
    """One model's share of the table."""

    model: str
    calibration: Calibration
    seconds: float

    @property
    def candidates(self) -> list[Candidate]:
        return space(round(self.calibration.service_time_ns(1) / 1e3))

    def ladders(self) -> dict[Candidate, list[float]]:
        """Rates around the predicted crossings; around two fifths of the capacity where there is none."""
        config, predictor = parse_config(PLAIN), Simulator(self.calibration)
        goodputs: dict[Candidate, list[float]] = defaultdict(list)
        for slo in objectives(self.calibration):
            told = forecasts(
                self.candidates,
                lambda candidate: write_config(tuned_config(config, candidate)),
                predictor=predictor,
                objective=Goodput(slo),
                workload=Workload(rate=200, duration_s=1),
                constraints=UNCONSTRAINED,
            )
            for forecast in itertools.chain.from_iterable(told):
                goodputs[forecast.candidate] += [forecast.score.gain.value] if forecast.score.is_feasible else []
        return {one: self._ladder(one, goodputs[one]) for one in self.candidates}

    def _ladder(self, candidate: Candidate, goodputs: Sequence[float]) -> list[float]:
        most = capacity(self.calibration, candidate.max_batch_size, instances=candidate.count)
        low, high = (min(goodputs), max(goodputs)) if goodputs else (0.4 * most, 0.4 * most)
        first, ratio = BELOW * low, ABOVE * high / (BELOW * low)
        return [first * ratio ** (rung / (RUNGS - 1)) for rung in range(RUNGS)]

    def rows(self, run: Run, known: Sequence[Row]) -> Iterator[Row]:
        """What is not known yet, round by round, so that what else the machine does falls on all alike."""
        ladders = self.ladders()
        measured: dict[tuple[Candidate, int], list[Row]] = defaultdict(list)
        for row in known:
            measured[row.candidate, -1 if row.concurrency else row.turn].append(row)
        for turn, rung, candidate in itertools.product(range(TURNS), range(RUNGS + MORE), self.candidates):
            here = measured[candidate, turn]
            rate = self._next_rate(ladders[candidate], here) if len(here) <= rung else None
            if rate is None:
                continue
            workload = Workload(rate=rate, duration_s=self.seconds, seed=1 + 1009 * turn)
            here.append(Row.of(self.model, candidate, turn, run(candidate, workload)))
            yield here[-1]
        plain = [one for one in self.candidates if not one.max_queue_delay_microseconds]
        for candidate in (one for one in plain if not measured[one, -1]):
            in_flight = 2 * candidate.max_batch_size * candidate.count
            point = run(candidate, Workload(concurrency=in_flight, duration_s=self.seconds))
            yield Row.of(self.model, candidate, 0, point, in_flight)

    def _next_rate(self, ladder: Sequence[float], known: Sequence[Row]) -> float | None:
        """The next rung; beyond the ladder's ends where an objective lies there; None where all is known."""
        if len(known) < len(ladder):
            return ladder[len(known)]
        slos = objectives(self.calibration)
        slowest, fastest = (choose(known, key=lambda row: row.rate) for choose in (min, max))
        if not slowest.meets(min(slos)):
            return slowest.rate * 0.8
        return fastest.rate * 1.07 if fastest.meets(max(slos)) else None


def measuring(tunable: TunableModel, slo_p99_ms: float) -> Run:
    """Runs on the served model; one that has missed the objective for sure ends early."""

    def run(candidate: Candidate, workload: Workload) -> Point:
        tunable.apply(candidate)
        limit = backlog_limit(workload.rate, slo_p99_ms)
        return Point.of(measure(tunable.target, workload, repeats=1, backlog_limit=limit))

    return run


class Table:
    """The file, to which rows are added as they come."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.known = read_rows(path)
        if not self.known:
            path.write_text(",".join(field.name for field in fields(Row)) + "\n")

    def add(self, tabulation: Tabulation, run: Run) -> None:
        """Measures and writes what is missing of a model."""
        known = [row for row in self.known if row.model == tabulation.model]
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
            for count, row in enumerate(tabulation.rows(run, known), len(known) + 1):
                writer.writerow(asdict(row))
                file.flush()
                if count % 44 == 0:
                    print(f"{tabulation.model}: {count} runs", file=sys.stderr, flush=True)


def shares(calibrations: Mapping[str, Calibration], minutes: float) -> dict[str, float]:
    """Seconds of each model's runs: slow ones need longer for as many requests; in all what the minutes allow."""
    needs = {name: one.service_time_ns(8) ** 0.5 for name, one in calibrations.items()}
    runs = {name: TURNS * (RUNGS + 1) * len(space(1)) for name in needs}
    left_s = minutes * 60 - OVERHEAD_S * sum(runs.values())
    unit_s = max(left_s, 0.0) / sum(runs[name] * need for name, need in needs.items())
    return {name: min(max(unit_s * need, 0.15), LONGEST_S) for name, need in needs.items()}


def tabulate_served(table: Table, names: Sequence[str], minutes: float) -> None:
    began = monotonic()
    with tempfile.TemporaryDirectory() as folder, wb.Server(folder, name="search") as server:

        def calibrated(name: str) -> Calibration:
            calibration = wb.calibrate(SERVED[name].load(server), max_batch_size=32, instances=2, budget_s=4)
            server.unload(name)
            return calibration

        known = {name: calibration_of(table.path, name, lambda name=name: calibrated(name)) for name in names}
        seconds = shares(known, minutes - (monotonic() - began) / 60)
        for name, calibration in known.items():
            print(f"{calibration}; runs of {seconds[name]:.2f} s", file=sys.stderr)
            model = SERVED[name].load(server)
            run = measuring(TunableModel(model), max(objectives(calibration)))
            table.add(Tabulation(name, calibration, seconds[name]), run)
            server.unload(name)
    print(f"{(monotonic() - began) / 60:.1f} minutes", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--minutes", type=float, default=11.0, help="for all models together")
    parser.add_argument("--models", default=",".join(SERVED))
    parser.add_argument("--simulated", action="store_true", help="no measurements, but a world unlike the calibration")
    given = parser.parse_args()
    table = Table(given.table)
    if not given.simulated:
        tabulate_served(table, given.models.split(","), given.minutes)
        return 0
    for number, law in enumerate(LAWS):
        calibration = calibration_of(table.path, law.name, lambda law=law: believed(law))
        table.add(Tabulation(law.name, calibration, 1.0), simulating(law, random.Random(number)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
