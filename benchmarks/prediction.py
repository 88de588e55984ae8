# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How well simulations foretell real models: cells that no calibration saw, on the same arrival times.

Each model is calibrated once; then each configuration is served at several utilisations, and simulated with the very
same arrivals. Printed: relative errors of p50, p99 and mean batch, whether the machine stood still meanwhile, and the
capacity under a saturating burst. Latency runs from when a request was sent, so that a late sender is not the model's.

    python benchmarks/prediction.py [--models synthetic_1ms,magika_model] [--seconds 3]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import workbench as wb  # noqa: E402
from workbench.load import ModelTarget, measure  # noqa: E402
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
}
THREADS = {"intra_op_thread_count": "1", "inter_op_thread_count": "1"}


@dataclass(frozen=True)
class Shape:
    """A configuration: what of the batcher and the instances differs."""

    max_batch_size: int
    delay_us: int
    instances: int
    preferred: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"b {self.max_batch_size:2} D {self.delay_us:4} N {self.instances} {list(self.preferred) or ''}"


SHAPES = (Shape(8, 0, 1), Shape(8, 1000, 1), Shape(16, 500, 2, (4,)), Shape(1, 0, 1))
LOADS = (0.4, 0.7, 0.8)


@dataclass(frozen=True)
class Errors:
    """Relative errors of one cell; of a disturbed one they say little."""

    p50: float
    p99: float
    batch: float
    is_disturbed: bool


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


def cell(model: Any, inputs: Any, calibration: wb.Calibration, rate: float, seconds: float, seed: int) -> Errors:
    """One load on the model as it is configured, measured and simulated."""
    workload = wb.Workload.poisson(rate=rate, requests=max(100, int(rate * seconds)), seed=seed)
    predicted = wb.simulate(model.config, calibration, workload, warmup=0)
    measured = measure(ModelTarget(model, inputs=inputs), workload, warmup_s=0.0, repeats=1)
    records = measured.records
    latency = (records["done_ns"] - records["sent_ns"]).astype(np.float64)
    p50, p99 = np.quantile(latency, [0.5, 0.99])
    errors = Errors(
        predicted.p50_ns / p50 - 1,
        predicted.p99_ns / p99 - 1,
        predicted.mean_batch_size / measured.mean_batch_size - 1,
        measured.steadiness.is_disturbed,
    )
    note = "  (the machine stood still)" if errors.is_disturbed else ""
    print(
        f"    {rate:8,.0f}/s  p50 {p50 / 1e6:7.3f} ms {errors.p50:+6.1%}  p99 {p99 / 1e6:7.3f} ms {errors.p99:+6.1%}  "
        f"batch {measured.mean_batch_size:5.2f} {errors.batch:+6.1%}{note}",
        flush=True,
    )
    return errors


def capacity_error(model: Any, inputs: Any, calibration: wb.Calibration, shape: Shape, seconds: float) -> float:
    """Of the answers per second under a burst, between its first and its last hundredth."""
    size = shape.max_batch_size
    expected = capacity(calibration, size, instances=shape.instances)
    count = max(8 * size * shape.instances, int(expected * seconds / 2))
    workload = wb.Workload(times_s=tuple([0.0] * count))
    done = np.sort(measure(ModelTarget(model, inputs=inputs), workload, warmup_s=0.0).records["done_ns"])
    first, last = count // 20, count - count // 20 - 1
    got = (last - first) / (done[last] - done[first]) * 1e9
    print(f"    capacity {got:,.0f}/s, expected {expected:,.0f}/s {expected / got - 1:+.1%}", flush=True)
    return expected / got - 1


def of_model(server: wb.Server, name: str, seconds: float, shapes: int) -> tuple[list[Errors], list[float]]:
    """All cells of a model."""
    model, (_, inputs) = served(server, name), MODELS[name]
    batches = wb.parse_config(model.config).max_batch_size > 0
    tried = [shape for shape in SHAPES if batches or shape.max_batch_size == 1][:shapes]
    largest, count = (max(getattr(shape, field) for shape in tried) for field in ("max_batch_size", "instances"))
    calibration = wb.calibrate(model, inputs=inputs, max_batch_size=largest, instances=count, budget_s=seconds)
    print(f"{calibration}; an idle instance starts after {calibration.wake_ns / 1e3:.0f} us,")
    print(f"  and a delay ends {calibration.timer_late_ns / 1e3:.0f} us late")
    errors: list[Errors] = []
    capacities: list[float] = []
    for number, shape in enumerate(tried):
        apply(model, shape, batches=batches)
        print(f"  {shape}")
        top = capacity(calibration, shape.max_batch_size, instances=shape.instances)
        errors += [cell(model, inputs, calibration, load * top, seconds, 10 * number + 1) for load in LOADS]
        if not shape.preferred:
            capacities.append(capacity_error(model, inputs, calibration, shape, seconds))
    server.unload(name)
    return errors, capacities


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seconds", type=float, default=3.0, help="of each cell")
    parser.add_argument("--shapes", type=int, default=len(SHAPES))
    args = parser.parse_args()
    errors: list[Errors] = []
    capacities: list[float] = []
    with wb.Server(ROOT / "model_repository", control="explicit") as server:
        for name in args.models.split(","):
            of_cells, of_capacities = of_model(server, name, args.seconds, args.shapes)
            errors += of_cells
            capacities += of_capacities
    calm = [one for one in errors if not one.is_disturbed]
    for title, chosen in ((f"all {len(errors)} cells", errors), (f"{len(calm)} calm cells", calm)):
        if chosen:
            means = [statistics.mean(abs(getattr(one, field)) for one in chosen) for field in ("p50", "p99", "batch")]
            print(f"mean error of {title}: p50 {means[0]:.1%}, p99 {means[1]:.1%}, mean batch {means[2]:.1%}")
    print(f"capacity: {statistics.mean(map(abs, capacities)):.1%}")


if __name__ == "__main__":
    main()
