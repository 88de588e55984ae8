# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests per second in process: our core beside the real server's library.

The same driver and the same lean echo backend load both through the C interface, in turns, so that
what else the machine does falls on both. A row is a way of loading, a batching configuration and a
number of requests in flight; it shows medians over the pairs, and the median of the pairs' ratios.

    python benchmarks/in_process.py [--quick] [--pairs 3] [--seconds 2] [--modes callback,sync]
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.conformance import peer  # noqa: E402

BENCH = ROOT / "native/bench"
DRIVER_SOURCES = ("inprocess_driver.cc", "load_mode.cc", "server_library.cc", "session.cc")
MODES: dict[str, tuple[str, ...]] = {
    "callback": ("--mode", "callback"),
    "async": ("--mode", "async"),
    "sync": ("--mode", "sync"),
    "spin": ("--mode", "sync", "--spin-us", "50"),
}
IN_FLIGHT = (1, 32, 128)
MODELS = {"none": "", "dynamic": "dynamic_batching { }"}
CONFIG = """
backend: "echo"
max_batch_size: 64
input [ { name: "INPUT0", data_type: TYPE_FP32, dims: [ 16 ] } ]
output [ { name: "OUTPUT0", data_type: TYPE_FP32, dims: [ 16 ] } ]
instance_group [ { kind: KIND_CPU, count: 1 } ]
"""

Result = Mapping[str, Any]
Side = Callable[[Sequence[str]], Result]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    mode: str
    batching: str
    in_flight: int

    def arguments(self) -> list[str]:
        """What the driver is told."""
        return [*MODES[self.mode], "--model", self.batching, "--in-flight", str(self.in_flight)]


def build() -> Path:
    """Folder with the driver, as program and shared object, and the backend; made anew when a source changes."""
    sources = sorted(BENCH.iterdir())
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    folder = peer.cache_folder() / "in-process" / digest
    if not (folder / "ready").exists():
        (folder / "backends/echo").mkdir(parents=True, exist_ok=True)
        _compile(folder / "driver.so", *DRIVER_SOURCES, shared=True)
        _compile(folder / "driver", *DRIVER_SOURCES, "inprocess_main.cc", shared=False)
        _compile(folder / "backends/echo/libtriton_echo.so", "echo_backend.cc", shared=True)
        (folder / "ready").touch()
    return folder


def _compile(target: Path, *sources: str, shared: bool) -> None:
    flags = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", f"-I{ROOT}/native/include"]
    flags += ["-shared"] if shared else []
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, *flags, *(str(BENCH / s) for s in sources), "-o", str(target), "-pthread"], check=True)


def write_repository(folder: Path) -> None:
    """The models that are loaded: with and without dynamic batching."""
    for name, batching in MODELS.items():
        (folder / name / "1").mkdir(parents=True)
        (folder / name / "config.pbtxt").write_text(f"{CONFIG}{batching}\n")


def sides(
    built: Path, repository: Path, *, backends: Path | None = None, own_options: Sequence[str] = ()
) -> dict[str, Side]:
    """How to run the driver on either library; `backends` is a folder of others than the driver's own."""
    common = ["--backends", str(backends or built / "backends"), "--repository", str(repository)]

    def own(arguments: Sequence[str]) -> Result:
        runner = [sys.executable, str(ROOT / "benchmarks/own_driver.py"), *own_options, str(built / "driver.so")]
        return _run([*runner, *common, *arguments], os.environ)

    def real(arguments: Sequence[str]) -> Result:
        program = [str(built / "driver"), "--library", str(peer.core_library())]
        return _run([*program, *common, *arguments], peer.environment())

    return {"own": own, "real": real}


def _run(command: Sequence[str], environment: Mapping[str, str]) -> Result:
    done = subprocess.run(command, env=dict(environment), capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"api"')]
    if done.returncode != 0 or not lines:
        raise SystemExit(
            f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout[-500:]}{done.stderr[-3000:]}"
        )
    result: Result = json.loads(lines[-1])
    return result


def measure(row: Row, tried: Mapping[str, Side], options: argparse.Namespace) -> dict[str, list[Result]]:
    """Results of both sides, in turns; the side that goes first changes with each pair."""
    results: dict[str, list[Result]] = {name: [] for name in tried}
    length = ["--seconds", str(options.seconds), "--warmup-s", str(options.warmup_s)]
    for pair in range(options.pairs):
        for name in list(tried)[:: 1 if pair % 2 == 0 else -1]:
            results[name].append(tried[name]([*row.arguments(), *length]))
    return results


def line(row: Row, results: Mapping[str, Sequence[Result]]) -> str:
    """One row of the table."""
    cells = [row.mode, row.batching, str(row.in_flight)]
    cells += [_both(results, "requests_per_s", "{:,.0f}"), _ratio(results)]
    cells += [_both(results, "p50_us", "{:.2f}"), _both(results, "p99_us", "{:.1f}")]
    cells += [_both(results, "cpu_us_per_request", "{:.2f}")]
    others = max(r["cpus_used_by_others"] for r in itertools.chain(*results.values()))
    return "| " + " | ".join([*cells, f"{others:.2f}"]) + " |"


def _both(results: Mapping[str, Sequence[Result]], key: str, form: str) -> str:
    return " / ".join(form.format(statistics.median(r[key] for r in side)) for side in results.values())


def _ratio(results: Mapping[str, Sequence[Result]]) -> str:
    if len(results) < 2:
        return "-"
    pairs = zip(results["own"], results["real"], strict=True)
    return f"{statistics.median(own['requests_per_s'] / real['requests_per_s'] for own, real in pairs):.2f}"


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """The rows of the table, in its order."""
    for mode, batching, in_flight in itertools.product(options.modes, options.batching, options.in_flight):
        yield Row(mode, batching, in_flight)


def parse_options() -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3, help="runs of each side per row")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a run, after its warm-up")
    parser.add_argument("--warmup-s", type=float, default=0.7)
    parser.add_argument("--modes", type=_list_of(MODES), default=list(MODES), help=f"of {', '.join(MODES)}")
    parser.add_argument("--batching", type=_list_of(MODELS), default=list(MODELS), help=f"of {', '.join(MODELS)}")
    parser.add_argument("--in-flight", type=lambda text: [int(n) for n in text.split(",")], default=list(IN_FLIGHT))
    parser.add_argument("--sides", type=_list_of(("own", "real")), default=["own", "real"], help="of own, real")
    parser.add_argument("--quick", action="store_true", help="one short pair per row: does it run, not how fast is it")
    options = parser.parse_args()
    if options.quick:
        options.pairs, options.seconds, options.warmup_s = 1, 0.5, 0.2
    return options


def _list_of(known: Sequence[str] | Mapping[str, object]) -> Callable[[str], list[str]]:
    def parse(text: str) -> list[str]:
        names = text.split(",")
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known)}")
        return names

    return parse


def main() -> None:
    """Prints the table, row by row."""
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        write_repository(repository)
        available = sides(build(), repository)
        tried = {name: available[name] for name in options.sides}
        columns = ["mode", "batching", "in flight", f"requests/s {' / '.join(tried)}", "ratio", "p50 µs", "p99 µs"]
        columns += ["CPU µs a request", "others' CPUs"]
        print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
        for row in rows(options):
            print(line(row, measure(row, tried, options)), flush=True)


if __name__ == "__main__":
    try:
        main()
    except peer.PeerUnavailable as error:
        raise SystemExit(f"nothing to compare with: {error}; --sides own measures our core alone") from error
