# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the Python backend costs a batch, beside backend `identity` on the same tensors: in the kernel, and isolated.

    python benchmarks/python_backend.py --rounds 30

Each round sends some requests to each model in turn; the figures are medians over all of them. One request at a time,
with the batch size as its rows, or as so many requests that the server batches (`--requests`).
"""

from __future__ import annotations

import argparse
import tempfile
from statistics import median
from time import perf_counter_ns
from typing import Any, Final

import numpy as np

import workbench as wb

TENSORS: Final = """
max_batch_size: 64
input [ { name: "IN" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
"""
MODEL: Final = """
import triton_python_backend_utils as pb_utils

class TritonPythonModel:
    def execute(self, requests):
        return [
            pb_utils.InferenceResponse([pb_utils.Tensor("OUT", request.inputs()[0].as_numpy())]) for request in requests
        ]
"""
PARAMETER: Final = 'parameters {{ key: "isolation" value {{ string_value: "{}" }} }}'


def models(server: wb.Server) -> dict[str, Any]:
    made = {"identity": server.load("identity", config=f'backend: "identity" {TENSORS}')}
    for isolation in ("kernel", "process"):
        config = f'backend: "python" {TENSORS} {PARAMETER.format(isolation)}'
        made[isolation] = server.load_model_py(isolation, MODEL, config=config)
    return made


def measure(model: Any, inputs: dict[str, Any], count: int) -> list[float]:
    times = []
    for _ in range(count):
        start = perf_counter_ns()
        model.infer(inputs)
        times.append((perf_counter_ns() - start) / 1000)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--requests", type=int, default=100, help="requests of one model in one round")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, wb.Server(folder) as server:
        loaded = models(server)
        names = ("identity", "kernel", "process", "+kernel", "+process")
        print(f"{'rows x elements':>16}", *(f"{name:>10}" for name in names), "(µs, p50)")
        for rows, elements in ((1, 16), (8, 16), (1, 16384), (8, 150528)):
            inputs = {"IN": np.ones((rows, elements), np.float32)}
            times: dict[str, list[float]] = {name: [] for name in loaded}
            for _ in range(args.rounds):
                for name, model in loaded.items():
                    times[name].extend(measure(model, inputs, args.requests)[args.requests // 5 :])
            p50 = {name: median(values) for name, values in times.items()}
            more = {name: p50[name] - p50["identity"] for name in ("kernel", "process")}
            columns = (p50["identity"], p50["kernel"], p50["process"], more["kernel"], more["process"])
            print(f"{rows:>6} x {elements:<7}", *(f"{value:>10.1f}" for value in columns))


if __name__ == "__main__":
    main()
