# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How well simulations foretell real models: cells that no calibration saw, on the same arrivals.

Each model is calibrated anew before each configuration, so that the drift of the machine's own speed, which differs by
some percent from one minute to the next, is hardly counted as an error; then the configuration is served at several
utilisations, and simulated with the very times at which its requests were sent. Printed: relative errors of p50, p99
and mean batch, whether the machine stood still meanwhile, and the capacity under a saturating burst. Latency runs from
when a request was sent, so that a late sender is not the model's. `silero_vad` is sent sequences that take turns, the
same in both.

A calibration tells of a calm machine, and a core that is slower by a third for 50 ms, or held for 2 ms, decides the
p99 of a model of 0.1 ms. So each cell is run until the machine took less than 0.2 % of the time for itself, see
`lost_time`, ten times at most, and the calmest run counts; latencies choose nothing. Beside it stand the errors in the
mean of all runs. A run has 5,000 requests at most. For the same reason the calmest of five calibrations is taken, or
the first whose executions were slow for less than 1 % of their time.

    python benchmarks/prediction.py [--models synthetic_1ms,silero_vad] [--seconds 3] [--out out/prediction]

Every row is written as it is measured: begun again with the same folder it goes on where it stopped, and tries cells
again for which the machine was never calm.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import sys
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from lost_time import executions, lost_share, slow_share  # noqa: E402

import workbench as wb  # noqa: E402
from workbench.load import ModelTarget, Sequences, measure  # noqa: E402
from workbench.simulate import capacity  # noqa: E402

SYNTHETIC = """
backend: "synthetic" max_batch_size: 16
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
dynamic_batching {{ }}
instance_group [ {{ count: 1 kind: KIND_CPU }} ]
parameters [
  {{ key: "tau0_us" value: {{ string_value: "{fixed}" }} }}, {{ key: "alpha_us" value: {{ string_value: "{row}" }} }}
]
"""
RANDOM = np.random.default_rng(1)
MODELS: dict[str, tuple[str | None, dict[str, Any] | None]] = {
    "synthetic_1ms": (SYNTHETIC.format(fixed=900, row=100), None),
    "synthetic_5ms": (SYNTHETIC.format(fixed=4500, row=500), None),
    "magika_model": (None, {"bytes": RANDOM.integers(0, 257, (1, 2048), np.int32)}),
    "resnet50": (None, {"gpu_0/data_0": RANDOM.random((1, 3, 224, 224), np.float32)}),
    "silero_vad": (None, {"input": RANDOM.standard_normal((1, 576)).astype(np.float32), "sr": np.array([16000])}),
}
SEQUENCES = {"silero_vad": Sequences(in_flight=16, length=50)}
"""Of models that have them: streams under way, and frames of each."""
THREADS = {"intra_op_thread_count": "1", "inter_op_thread_count": "1"}


@dataclass(frozen=True)
class Shape:
    """A configuration: what of the batcher and the instances differs."""

    max_batch_size: int
    delay_us: int
    instances: int
    preferred: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"b {self.max_batch_size:2} D {self.delay_us:4} N {self.instances} {list(self.preferred) or ''}".rstrip()


SHAPES = (Shape(8, 0, 1), Shape(8, 1000, 1), Shape(16, 500, 2, (4,)), Shape(1, 0, 1))
LOADS = (0.4, 0.7, 0.8)
RUNS, CALM = 10, 0.002
"""Of each cell: runs at most, and the share of time lost with which one is enough."""
CALIBRATIONS, CALM_CALIBRATION = 5, 0.01
REQUESTS = 5000


@dataclass(frozen=True)
class Row:
    """One cell as it was measured, with relative errors of its prediction; of a disturbed one they say little."""

    model: str
    shape: str
    load: float  # utilisation; 0 is the burst that shows the capacity
    rate: float
    p50_ms: float = 0.0
    p50: float = 0.0
    p99_ms: float = 0.0
    p99: float = 0.0
    mean_batch: float = 0.0
    batch: float = 0.0
    capacity: float = 0.0
    is_disturbed: bool = False
    lost: float = 0.0  # share of the run that the machine took for itself
    p50_any: float = 0.0  # mean absolute errors of all runs of the cell
    p99_any: float = 0.0
    runs: int = 1

    def __str__(self) -> str:
        if not self.load:
            return f"    capacity {self.rate:,.0f}/s {self.capacity:+.1%}"
        note = "  (the machine stood still)" if self.is_disturbed else ""
        calm = f"lost {self.lost:.2%} of run {self.runs}"
        return (
            f"    {self.rate:8,.0f}/s  p50 {self.p50_ms:7.3f} ms {self.p50:+6.1%}  p99 {self.p99_ms:7.3f} ms "
            f"{self.p99:+6.1%}  batch {self.mean_batch:5.2f} {self.batch:+6.1%}  {calm}{note}"
        )


class Rows:
    """What was measured, in a file that grows row by row."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.path = folder, folder / "rows.csv"
        kinds = {"str": str, "int": int, "float": float, "bool": lambda text: text == "True"}
        if not self.path.exists():
            self.path.write_text(",".join(field.name for field in fields(Row)) + "\n")
        with self.path.open(newline="") as file:
            lines = list(csv.DictReader(file))
        self.all = [Row(**{f.name: kinds[str(f.type)](line[f.name]) for f in fields(Row)}) for line in lines]

    def known(self, model: str, shape: Shape, load: float) -> Row | None:
        """The calmest of what there is."""
        place = (model, str(shape), load)
        there = (row for row in self.all if (row.model, row.shape, row.load) == place)
        return min(there, key=lambda row: row.lost, default=None)

    def add(self, row: Row) -> None:
        self.all.append(row)
        with self.path.open("a", newline="") as file:
            csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n").writerow(asdict(row))


def served(server: wb.Server, name: str) -> Any:
    """The model, loaded, on one thread of its own where it has a runtime's."""
    config, _ = MODELS[name]
    model = server.load(name, config=config) if config else server.load(name)
    if config is None:
        model.reconfigure(parameters={key: {"string_value": value} for key, value in THREADS.items()})
    return model


def apply(model: Any, shape: Shape, *, batches: bool) -> None:
    """Serves with the configuration; a model that does not batch takes the instances alone."""
    if not batches:
        model.reconfigure(count=shape.instances)
        return
    fields = {"preferred_batch_size": list(shape.preferred), "max_queue_delay_microseconds": shape.delay_us}
    model.reconfigure(max_batch_size=shape.max_batch_size, count=shape.instances, **fields)


def cell(
    server: wb.Server, calibration: wb.Calibration, shape: Shape, place: tuple[str, float, float], seconds: float
) -> Row:
    """The calmest of some runs of a model (name, utilisation, rate), as it is configured."""
    runs: list[Row] = []
    while len(runs) < RUNS and not (runs and runs[-1].lost < CALM):
        runs.append(run(server, calibration, shape, place, seconds))
    p50, p99 = (statistics.mean(abs(getattr(one, field)) for one in runs) for field in ("p50", "p99"))
    return replace(min(runs, key=lambda one: one.lost), p50_any=p50, p99_any=p99, runs=len(runs))


def run(
    server: wb.Server, calibration: wb.Calibration, shape: Shape, place: tuple[str, float, float], seconds: float
) -> Row:
    """One load, measured, and simulated with the times at which it was sent."""
    name, load, rate = place
    model, sequences, (_, inputs) = server.model(name), SEQUENCES.get(name), MODELS[name]
    workload = wb.Workload.poisson(
        rate=rate, requests=min(max(100, int(rate * seconds)), REQUESTS), seed=1 + SHAPES.index(shape)
    )
    since = server.events().next_since
    measured = measure(ModelTarget(model, inputs=inputs, sequences=sequences), workload, warmup_s=0.0, repeats=1)
    records = measured.records
    sent = wb.Workload.replay(np.maximum.accumulate(records["sent_ns"]) / 1e9)
    turns = {"sequences": sequences.in_flight, "sequence_length": sequences.length} if sequences else {}
    predicted = wb.simulate(model.config, calibration, sent, warmup=0, **turns)
    latency = (records["done_ns"] - records["sent_ns"]).astype(np.float64)
    p50, p99 = np.quantile(latency, [0.5, 0.99])
    return Row(
        name,
        str(shape),
        load,
        rate,
        p50 / 1e6,
        predicted.p50_ns / p50 - 1,
        p99 / 1e6,
        predicted.p99_ns / p99 - 1,
        measured.mean_batch_size,
        predicted.mean_batch_size / measured.mean_batch_size - 1,
        is_disturbed=measured.steadiness.is_disturbed,
        lost=lost_share(
            executions(server, since, len(records)), calibration.after_pause_ns, delay_ns=shape.delay_us * 1000
        ),
    )


def capacity_of(model: Any, calibration: wb.Calibration, shape: Shape, seconds: float) -> Row:
    """Of the answers per second under a burst, between the first and the last twentieth of those that came in time."""
    sequences, (_, inputs) = SEQUENCES.get(model.name), MODELS[model.name]
    size = shape.max_batch_size
    expected = capacity(calibration, size, instances=shape.instances)
    count = max(8 * size * shape.instances, int(expected * seconds / 2))
    workload = wb.Workload(times_s=tuple([0.0] * count))
    target = ModelTarget(model, inputs=inputs, sequences=sequences)
    records = measure(target, workload, warmup_s=0.0).records
    done = np.sort(records["done_ns"][(records["done_ns"] > 0) & (records["status"] == 0)])
    first, last = len(done) // 20, len(done) - len(done) // 20 - 1
    got = (last - first) / (done[last] - done[first]) * 1e9
    return Row(model.name, str(shape), 0.0, got, capacity=expected / got - 1)


def calibrated(rows: Rows, model: Any, shape: Shape, seconds: float) -> wb.Calibration:
    """As it is in the folder, or measured now."""
    path = rows.folder / f"{model.name}.{SHAPES.index(shape)}.json"
    if not path.exists():
        inputs, size = MODELS[model.name][1], shape.max_batch_size
        made: list[wb.Calibration] = []
        while len(made) < CALIBRATIONS and not (made and slow_share(made[-1].samples_ns) < CALM_CALIBRATION):
            how = {"max_batch_size": size, "instances": shape.instances, "budget_s": seconds}
            made.append(wb.calibrate(model, inputs=inputs, **how))
        path.write_text(json.dumps(min(made, key=lambda one: slow_share(one.samples_ns)).to_mapping()))
    return wb.Calibration.from_mapping(json.loads(path.read_text()))


def words(calibration: wb.Calibration) -> str:
    """What it says beside service times."""
    costs = calibration.after_pause_ns
    dearest = max(costs.values(), default=0.0) / 1e3
    return (
        f"an idle instance starts after {calibration.wake_ns / 1e3:.0f} us, a delay ends "
        f"{calibration.timer_late_ns / 1e3:.0f} us late, a pause costs up to {dearest:.0f} us"
    )


def of_model(server: wb.Server, rows: Rows, name: str, seconds: float, shapes: int) -> None:
    """All cells of a model."""
    model = served(server, name)
    batches = wb.parse_config(model.config).max_batch_size > 0
    tried = [shape for shape in SHAPES if batches or shape.max_batch_size == 1][:shapes]
    for shape in tried:
        calibration = calibrated(rows, model, shape, seconds)
        print(f"{shape}: {calibration}; {words(calibration)}")
        top = capacity(calibration, shape.max_batch_size, instances=shape.instances)
        for load in (*LOADS, *(() if shape.preferred else (0.0,))):
            row = rows.known(name, shape, load)
            if row is None or row.lost >= CALM:
                apply(model, shape, batches=batches)
                if load:
                    row = cell(server, calibration, shape, (name, load, load * top), seconds)
                else:
                    row = capacity_of(model, calibration, shape, seconds)
                rows.add(row)
            print(rows.known(name, shape, load), flush=True)
    server.unload(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seconds", type=float, default=3.0, help="of each cell")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "prediction")
    parser.add_argument("--shapes", type=int, default=len(SHAPES))
    args = parser.parse_args()
    rows = Rows(args.out)
    names = args.models.split(",")
    with wb.Server(ROOT / "model_repository", control="explicit") as server:
        for name in names:
            of_model(server, rows, name, args.seconds, args.shapes)
    titles = ("model", "cells", "p50", "p99", "mean batch", "capacity", "p50, all runs", "p99, all runs")
    print(f"\n| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    for name in names:
        of_it = [row for row in rows.all if row.model == name]
        places = {(row.shape, row.load): row for row in sorted(of_it, key=lambda row: -row.lost) if row.load}
        cells = list(places.values())
        capacities = statistics.mean(abs(row.capacity) for row in of_it if not row.load)
        p50, p99, batch, *any_run = (
            statistics.mean(abs(getattr(row, field)) for row in cells)
            for field in ("p50", "p99", "batch", "p50_any", "p99_any")
        )
        figures = " | ".join(f"{mean:.1%}" for mean in (p50, p99, batch, capacities, *any_run))
        print(f"| {name} | {len(cells)} | {figures} |")


if __name__ == "__main__":
    main()
