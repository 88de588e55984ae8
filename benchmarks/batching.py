# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How full batches get: our core beside the real server's library, under the same load.

A model whose execution takes a constant time serves two closed loops (one submitter keeps 64 requests in flight, 50 µs
apart at least; 64 threads each wait for their answer) and an open one (Poisson arrivals). A row shows the mean batch
size of both, medians over the pairs, and their ratio: the scheduler's decisions are the same where that is 1.

    python benchmarks/batching.py [--pairs 3] [--seconds 3]
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.in_process import Result, Side, build, sides  # noqa: E402
from workbench.build.installation import core_library  # noqa: E402

MAX_BATCH_SIZE = 64
IN_FLIGHT = 64
GAP_US = 50  # between two requests of the closed loop, as of a client that needs time for each
OPEN_SHARE = 0.25  # of the requests/s that full batches would serve
BATCHING = {
    "0": "",
    "100": "max_queue_delay_microseconds: 100",
    "1000": "max_queue_delay_microseconds: 1000",
    "1000, preferred 32": "max_queue_delay_microseconds: 1000 preferred_batch_size: [ 32 ]",
}
CONFIG = """
backend: "identity"
max_batch_size: {max_batch_size}
input [ {{ name: "INPUT0", data_type: TYPE_FP32, dims: [ 16 ] }} ]
output [ {{ name: "OUTPUT0", data_type: TYPE_FP32, dims: [ 16 ] }} ]
instance_group [ {{ kind: KIND_CPU, count: 1 }} ]
parameters {{ key: "execute_delay_ms" value {{ string_value: "{execution_ms}" }} }}
dynamic_batching {{ {batching} }}
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    execution_ms: int
    delay: str
    loop: str

    @property
    def model(self) -> str:
        return f"m{self.execution_ms}_{list(BATCHING).index(self.delay)}"

    def arguments(self) -> list[str]:
        """What the driver is told."""
        if self.loop == "closed":
            return ["--mode", "async", "--model", self.model, "--in-flight", str(IN_FLIGHT), "--gap-us", str(GAP_US)]
        if self.loop == "blocking":
            return ["--mode", "sync", "--model", self.model, "--in-flight", str(IN_FLIGHT)]
        rate = OPEN_SHARE * MAX_BATCH_SIZE * 1000 / self.execution_ms
        return ["--mode", "open", "--model", self.model, "--in-flight", "1024", "--rate", str(rate)]


def rows(executions: str = "5,1", loops: str = "closed,blocking,open") -> Iterator[Row]:
    for execution_ms, loop in itertools.product(map(int, executions.split(",")), loops.split(",")):
        yield from (Row(execution_ms, delay, loop) for delay in BATCHING)


def write_repository(folder: Path) -> None:
    for row in rows():
        text = CONFIG.format(max_batch_size=MAX_BATCH_SIZE, execution_ms=row.execution_ms, batching=BATCHING[row.delay])
        (folder / row.model / "1").mkdir(parents=True, exist_ok=True)
        (folder / row.model / "config.pbtxt").write_text(text)


def mean_batch_size(result: Result) -> float:
    (counts,) = result["statistics"]["model_stats"]
    return float(counts["inference_count"]) / float(counts["execution_count"])


def compare(row: Row, by_side: dict[str, Side], pairs: int, seconds: float) -> str:
    """One line of the table."""
    found: dict[str, list[float]] = {name: [] for name in by_side}
    for _ in range(pairs):
        for name, run in by_side.items():
            found[name].append(mean_batch_size(run([*row.arguments(), "--seconds", str(seconds)])))
    own, real = statistics.median(found["own"]), statistics.median(found["real"])
    cells = (row.execution_ms, row.loop, row.delay, f"{own:.2f}", f"{real:.2f}", f"{own / real:.3f}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--loops", default="closed,blocking,open", help="of closed, blocking, open")
    parser.add_argument("--executions", default="5,1", help="milliseconds")
    options = parser.parse_args()
    built = build()
    with tempfile.TemporaryDirectory() as folder:
        write_repository(Path(folder))
        by_side = sides(built, Path(folder), backends=core_library().parent / "backends")
        print(
            "| execution, ms | loop | delay, µs | mean batch, here | real server | ratio |\n|---|---|---|---|---|---|"
        )
        for row in rows(options.executions, options.loops):
            print(compare(row, by_side, options.pairs, options.seconds), flush=True)


if __name__ == "__main__":
    main()
