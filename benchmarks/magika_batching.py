# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What dynamic batching gives an ONNX model on a processor: requests/s with it and without, 64 in flight.

Sample `magika_model`, some 0.7 billion multiplications a row, and a perceptron of 64 x 64, some ten thousand; each with
the same threads within a node on both sides, in turns, medians over the pairs. A row also shows the mean batch.

    python benchmarks/magika_batching.py [--pairs 3] [--seconds 3]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import workbench as wb  # noqa: E402
from benchmarks.onnx_overhead import WIDTH, small_model  # noqa: E402
from model_repository import fetch  # noqa: E402

IN_FLIGHT = 64
CONFIG = """
backend: "onnxruntime" max_batch_size: {largest}
input [ {{ name: "{input}" data_type: {type} dims: [ {width} ] }} ]
output [ {{ name: "{output}" data_type: TYPE_FP32 dims: [ {classes} ] }} ]
instance_group [ {{ kind: KIND_CPU count: 1 }} ]
parameters {{ key: "intra_op_thread_count" value {{ string_value: "{threads}" }} }}
{batching}
"""
TENSORS = {
    "magika_model": {"input": "bytes", "type": "TYPE_INT32", "width": 2048, "output": "target_label", "classes": 214},
    "perceptron": {"input": "X", "type": "TYPE_FP32", "width": WIDTH, "output": "Y", "classes": WIDTH},
}


def inputs_of(name: str) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(1)
    if name == "perceptron":
        return {"X": generator.random((1, WIDTH), np.float32)}
    return {"bytes": generator.integers(0, 257, (1, 2048), np.int32)}


def measured(
    server: wb.Server, name: str, threads: int, largest: int, batching: str, seconds: float
) -> tuple[float, float]:
    """Requests a second, and the mean batch."""
    config = CONFIG.format(threads=threads, largest=largest, batching=batching, **TENSORS[name])
    model = server.load(name, config=config)
    found = wb.drive(model, inputs=inputs_of(name), concurrency=IN_FLIGHT, duration_s=seconds)
    counts = model.statistics()
    return found.throughput, counts.inference_count / counts.execution_count


def row(server: wb.Server, name: str, threads: int, largest: int, pairs: int, seconds: float) -> str:
    """Median requests/s of both sides and their ratio."""
    sides: dict[str, list[tuple[float, float]]] = {"": [], "dynamic_batching { }": []}
    for _ in range(pairs):
        for batching, found in sides.items():
            found.append(measured(server, name, threads, largest, batching, seconds))
    alone, batched = (statistics.median(rate for rate, _ in found) for found in sides.values())
    mean = statistics.median(size for _, size in sides["dynamic_batching { }"])
    return f"| {name} | {threads} | {largest} | {alone:,.0f} | {batched:,.0f} | {mean:.1f} | {batched / alone:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    options = parser.parse_args()
    fetch.fetch(["magika_model"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "perceptron/1/model.onnx")
        file.parent.mkdir(parents=True)
        file.write_bytes(small_model())
        print("| model | threads | largest batch | one by one, /s | batched, /s | mean batch | ratio |")
        print("|---|---|---|---|---|---|---|")
        with wb.Server([folder, ROOT / "model_repository"], name="batching") as server:
            for name, threads, largest in (
                ("magika_model", 1, 4), ("magika_model", 1, 64), ("magika_model", 2, 4), ("magika_model", 2, 64),
                ("perceptron", 1, 64),
            ):  # fmt: skip
                print(row(server, name, threads, largest, options.pairs, options.seconds), flush=True)


if __name__ == "__main__":
    main()
