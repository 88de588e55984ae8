# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What serving adds to ONNX Runtime: `model.infer` beside `InferenceSession.run`, both called from Python.

One client, the same batch, the same session options, in turns of a few milliseconds. A row shows medians over the
turns of the p50 of both, and of their difference within a turn; a turn in which the rest of the machine took more than
a fifth of a core is told apart, since the client's and the instance's thread then wait for cores. The row of resnet50
(the light model of the `onnx` package) shows runs/s and their ratio.

    python benchmarks/onnx_overhead.py [--turns 100] [--resnet-turns 10]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import workbench as wb

WIDTH, LAYERS = 64, 2
CALLS, WARM_CALLS = 250, 50  # of each side in a turn
RESNET_CALLS = 5
QUIET = 0.2  # cores that the rest of the machine may take
LIGHT_RESNET = "backend/test/data/light/light_resnet50.onnx"
Run = Callable[[dict[str, np.ndarray]], Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn of both sides found."""

    bare: float
    served: float
    others: float


def small_model(width: int = WIDTH) -> bytes:
    """A perceptron: some ten microseconds a run."""
    generator = np.random.default_rng(1)
    nodes, weights, name = [], [], "X"
    for layer in range(LAYERS):
        weight = generator.standard_normal((width, width)).astype(np.float32) / np.float32(width**0.5)
        weights.append(numpy_helper.from_array(weight, f"W{layer}"))
        out = "Y" if layer == LAYERS - 1 else f"R{layer}"
        nodes += [
            helper.make_node("MatMul", [name, f"W{layer}"], [f"H{layer}"]),
            helper.make_node("Relu", [f"H{layer}"], [out]),
        ]
        name = out
    tensors = [[helper.make_tensor_value_info(one, TensorProto.FLOAT, ["batch", width])] for one in "XY"]
    graph = helper.make_graph(nodes, "mlp", *tensors, weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    content: bytes = made.SerializeToString()
    return content


@contextmanager
def both(content: bytes, threads: int) -> Iterator[tuple[Run, Run]]:
    """The library alone and the served model, with as many threads within a node."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "m/1/model.onnx")
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
        limit = f'parameters {{ key: "intra_op_thread_count" value {{ string_value: "{threads}" }} }}'
        Path(folder, "m/config.pbtxt").write_text(f'backend: "onnxruntime" {limit}')
        with wb.Server(folder, name="onnx overhead") as server:
            server.load("m")
            # A batch as large as wanted, all at once: the default of 4 is meant for dynamic batching.
            model = server.model("m")
            if model.spec.max_batch_size:
                model.reconfigure(max_batch_size=64)
            yield lambda inputs: session.run(None, inputs), model.infer


def busy_s() -> float:
    """CPU seconds of the machine since it started."""
    ticks = [int(value) for value in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def own_s() -> float:
    times = os.times()
    return times.user + times.system


def p50_us(run: Run, inputs: dict[str, np.ndarray]) -> float:
    """Of single calls."""
    found = []
    for _ in range(CALLS):
        begin = time.perf_counter_ns()
        run(inputs)
        found.append(time.perf_counter_ns() - begin)
    return statistics.median(found[WARM_CALLS:]) / 1e3


def per_s(run: Run, inputs: dict[str, np.ndarray]) -> float:
    """Calls a second, one after the other."""
    begin = time.perf_counter()
    for _ in range(RESNET_CALLS):
        run(inputs)
    return RESNET_CALLS / (time.perf_counter() - begin)


def turns(
    count: int, measure: Callable[[Run, dict[str, np.ndarray]], float], sides: tuple[Run, Run], inputs: Any
) -> list[Turn]:
    """Both sides `count` times, the first one changing."""
    found = []
    for index in range(count):
        begin, busy, own = time.perf_counter(), busy_s(), own_s()
        order = (0, 1) if index % 2 == 0 else (1, 0)
        values = {side: measure(sides[side], inputs) for side in order}
        others = (busy_s() - busy - (own_s() - own)) / (time.perf_counter() - begin)
        found.append(Turn(values[0], values[1], others))
    return found


def row(label: str, found: list[Turn], compare: Callable[[float, float], float], unit: str) -> str:
    """Medians of all turns, and of the quiet ones."""
    cells = [label]
    for chosen in (found, [turn for turn in found if turn.others < QUIET]):
        if not chosen:
            cells += ["none", "", ""]
            continue
        cells += [
            f"{len(chosen)}",
            (
                f"{statistics.median(turn.bare for turn in chosen):.1f} / "
                f"{statistics.median(turn.served for turn in chosen):.1f} {unit}"
            ),
            f"{statistics.median(compare(turn.bare, turn.served) for turn in chosen):.3g}",
        ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--resnet-turns", type=int, default=10)
    options = parser.parse_args()
    print("| model | turns | bare / served | added, or share | quiet turns | bare / served | added, or share |")
    print("|---|---|---|---|---|---|---|")
    with both(small_model(), 1) as sides:
        for batch in (1, 8, 32):
            inputs = {"X": np.random.default_rng(2).random((batch, WIDTH), np.float32)}
            found = turns(options.turns, p50_us, sides, inputs)
            print(row(f"perceptron, batch {batch}", found, lambda bare, served: served - bare, "µs"), flush=True)
    resnet = Path(onnx.__file__).parent / LIGHT_RESNET
    image = np.arange(3 * 224 * 224, dtype=np.float32).reshape(1, 3, 224, 224) / (3 * 224 * 224)
    for threads in (1, 0):
        with both(resnet.read_bytes(), threads) as sides:
            found = turns(options.resnet_turns, per_s, sides, {"gpu_0/data_0": image})
            label = f"resnet50, {threads or 'all'} thread{'' if threads else 's'}"
            print(row(label, found, lambda bare, served: served / bare, "runs/s"), flush=True)


if __name__ == "__main__":
    main()
