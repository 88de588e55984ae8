# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Memory over rounds of loading a model, asking it once and unloading it: flat, or it leaks.

A row is a model: resident memory after the first fifth of the rounds and at the end, and by how much a straight line
through the rounds between rises in all. What the allocator has is given back before each look.

    python benchmarks/load_rounds.py [--rounds 200] [identity perceptron magika silero_vad ...]
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import workbench as wb  # noqa: E402
from model_repository import fetch  # noqa: E402
from tests.stand_ins.cuda import compiled  # noqa: E402

MIB = 2**20
Inputs = Mapping[str, Any]
MODELS: Mapping[str, Inputs] = {
    "identity": {"INPUT0": np.ones((1, 16), np.float32)},
    "synthetic": {"INPUT0": np.ones((1, 16), np.float32)},
    "perceptron": {"X": np.ones((1, 64), np.float32)},
    "silero_vad": {"input": np.ones((1, 576), np.float32), "sr": [16000]},
    "resnet50_pixels_python": {"IMAGE": np.ones((32, 32, 3), np.uint8)},
    "magika": {"CONTENT": [[b"import os\n" * 10]]},
    "add_sub": {"INPUT0": np.ones((1, 4), np.float32), "INPUT1": np.ones((1, 4), np.float32)},
    "add_sub_process": {"INPUT0": np.ones((1, 4), np.float32), "INPUT1": np.ones((1, 4), np.float32)},
    "jax_mlp": {"X": np.ones((1, 8), np.float32)},
    "stand_in_gpu": {"IN": np.ones((1, 4), np.float32)},
}
"""What each is asked; `perceptron` is a small ONNX model, `add_sub_process` is add_sub in a process of its own, and
`stand_in_gpu` is a backend with instances of KIND_GPU, on the stand-in for the CUDA driver (tests/stand_ins/cuda)."""
STAND_IN = "stand_in_gpu"


@dataclass(frozen=True, slots=True)
class Rounds:
    """Resident memory after each round, in bytes."""

    resident: np.ndarray

    @property
    def settled(self) -> np.ndarray:
        """Without the first fifth, in which caches fill."""
        return self.resident[len(self.resident) // 5 :]

    @property
    def rise(self) -> float:
        """Of a straight line through the settled rounds, in bytes over all of them."""
        index = np.arange(len(self.settled))
        return float(np.polyfit(index, self.settled, 1)[0] * len(index))


def resident_bytes() -> int:
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def run(server: wb.Server, name: str, inputs: Inputs, rounds: int) -> Rounds:
    """Loads, asks and unloads."""
    found = []
    for _ in range(rounds):
        model = server.load(name)
        sequence = wb.Sequence(1, start=True, end=True) if "sequence_batching" in model.config else None
        model.infer(inputs, sequence=sequence)
        del model
        server.unload(name, unload_dependents=True)
        server.wait_settled()
        found.append(resident_bytes())
    return Rounds(np.array(found, float))


def write_perceptron(folder: Path) -> None:
    from benchmarks.onnx_overhead import small_model

    (folder / "1").mkdir(parents=True)
    (folder / "1" / "model.onnx").write_bytes(small_model())


def write_isolated(folder: Path) -> None:
    shutil.copytree(ROOT / "model_repository/add_sub", folder)
    told = 'backend: "python" parameters { key: "isolation" value { string_value: "process" } }'
    (folder / "config.pbtxt").write_text(told)


def write_gpu_model(folder: Path) -> None:
    """The core tests' own backend: to the device, a copy there, and back, answered after the execution."""
    source = (ROOT / "native/src/testing/gpu_backend.cc").read_text()
    library = wb.build_backend(STAND_IN, source)
    (folder / "1").mkdir(parents=True)
    shutil.copy(library.path, folder / f"libtriton_{STAND_IN}.so")
    tensors = "".join(
        f'{kind} [ {{ name: "{name}" data_type: TYPE_FP32 dims: [ 4 ] }} ] '
        for kind, name in (("input", "IN"), ("output", "OUT"))
    )
    instances = "instance_group [ { count: 2 kind: KIND_GPU } ]"
    (folder / "config.pbtxt").write_text(f'backend: "{STAND_IN}" max_batch_size: 8 {tensors}{instances}')


def measure(repositories: list[Path], names: Sequence[str], rounds: int) -> None:
    """Prints a row for each model."""
    with wb.Server(repositories, name="rounds") as server:
        for name in names:
            found = run(server, name, MODELS[name], rounds)
            cells = (found.settled[0] / MIB, found.settled[-1] / MIB, found.rise / MIB)
            print(f"| {name} | {rounds} | {' | '.join(f'{cell:.1f}' for cell in cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    samples = fetch.with_steps(name for name in options.models if name in fetch.SAMPLES)
    fetch.fetch(samples)
    fetch.build(samples)
    print("| model | rounds | settled, MiB | at the end, MiB | rise of a line, MiB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        if "perceptron" in options.models:
            write_perceptron(Path(folder, "perceptron"))
        write_isolated(Path(folder, "add_sub_process"))
        repositories = [Path(folder), ROOT / "model_repository"]
        if names := [name for name in options.models if name != STAND_IN]:
            measure(repositories, names, options.rounds)
        if STAND_IN in options.models:
            write_gpu_model(Path(folder, STAND_IN))
            os.environ["WORKBENCH_CUDA_DRIVER"] = str(compiled(Path(folder)))
            measure(repositories, [STAND_IN], options.rounds)


if __name__ == "__main__":
    main()
