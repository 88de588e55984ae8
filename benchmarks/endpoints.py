# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The doors beside the real server's: one client loads both, in turns, on the same models of the same backend.

A row is a client, a protocol, a tensor's size and a number of requests in flight; it shows medians over the pairs,
and the median of the pairs' ratios. Clients are perf_analyzer, which on two cores takes most of them itself, with
threads that wait for their answers, as it is without options (`perf`), and with one that does not (`async`: its `-a`);
and wrk and h2load, which cost little (`lean`; Debian: wrk, nghttp2-client). With `--busy` a Python loop runs in our
kernel's main thread meanwhile.

    python benchmarks/endpoints.py [--pairs 3] [--window-ms 1000] [--protocols http,grpc]
                                   [--clients perf,async,lean] [--busy]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.lean_clients import PROGRAMS, is_there, measure_lean  # noqa: E402
from tests.conformance.peer import RealTriton  # noqa: E402
from tests.conformance.perf_analyzer import Measured, measure  # noqa: E402
from workbench.server.finder import WHEEL_BACKENDS  # noqa: E402

MODELS: Final = {"small": 16, "large": 1 << 20}  # elements of FP32: 64 bytes, 4 MiB
ROWS: Final = (("small", 1), ("small", 8), ("small", 32), ("large", 1))
CLIENTS: Final = ("perf", "async", "lean")
TRIED: Final = {"perf": {1, 8}, "async": {8, 32}, "lean": {1, 8, 32}}
"""Requests in flight by client. 32 waiting threads of perf_analyzer do not finish a window of the real server's."""
OWN_SERVER: Final = """
import sys, time
import workbench as wb
server = wb.Server(sys.argv[1], startup_models=["*"], name="measured")
print(server.http().port, server.grpc().port, flush=True)
if sys.argv[2] == "busy":
    while True:
        sum(range(1000))
sys.stdin.read()
"""


def write_models(repository: Path) -> None:
    """The models that are loaded."""
    for name, size in MODELS.items():
        (repository / name / "1").mkdir(parents=True)
        tensor = f"data_type: TYPE_FP32 dims: [ {size} ]"
        (repository / name / "config.pbtxt").write_text(f"""
            backend: "identity" max_batch_size: 64
            input [ {{ name: "INPUT0" {tensor} }} ]
            output [ {{ name: "OUTPUT0" {tensor} }} ]
            instance_group [ {{ kind: KIND_CPU count: 1 }} ]
        """)


@contextmanager
def own_server(repository: Path, *, busy: bool) -> Iterator[dict[str, str]]:
    """Ours, in a process of its own; gives its addresses by protocol."""
    command = [sys.executable, "-c", OWN_SERVER, str(repository), "busy" if busy else "idle"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        http, grpc = process.stdout.readline().split()
        yield {"http": f"127.0.0.1:{http}", "grpc": f"127.0.0.1:{grpc}"}
    finally:
        process.kill()
        process.wait()


def line(name: str, own: list[Measured], real: list[Measured]) -> str:
    """One row of the table."""

    def both(field: str) -> str:
        return " / ".join(f"{statistics.median(getattr(one, field) for one in side):,.0f}" for side in (own, real))

    ratio = statistics.median(a.requests_per_s / b.requests_per_s for a, b in zip(own, real, strict=True))
    return f"| {name} | {both('requests_per_s')} | {ratio:.2f} | {both('p50_us')} | {both('p99_us')} |"


def measured(url: str, *, client: str, protocol: str, model: str, in_flight: int, window_ms: int) -> Measured:
    """What the client says of one run."""
    if client != "lean":
        flags = ["--concurrency-range", str(in_flight), *(["--sync"] if client == "perf" else [])]
        return measure(url, model=model, protocol=protocol, concurrency=in_flight, window_ms=window_ms, flags=flags)
    return measure_lean(
        url,
        model=model,
        elements=MODELS[model],
        protocol=protocol,
        concurrency=in_flight,
        window_ms=window_ms,
    )


def rows(options: argparse.Namespace) -> Iterator[tuple[str, str, str, int]]:
    """Client, protocol, model, requests in flight."""
    for protocol in options.protocols.split(","):
        for client in options.clients.split(","):
            if client == "lean" and not is_there(protocol):
                print(f"{PROGRAMS[protocol]} is not here: no rows of it", file=sys.stderr)
                continue
            yield from ((client, protocol, model, in_flight) for model, in_flight in ROWS if in_flight in TRIED[client])


def name_of(client: str, protocol: str) -> str:
    """What a row calls it."""
    if client == "lean":
        return PROGRAMS[protocol]
    return f"perf_analyzer {'-a ' if client == 'async' else ''}{protocol}"


def main() -> None:
    """Prints the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--window-ms", type=int, default=1000)
    parser.add_argument("--protocols", default="http,grpc")
    parser.add_argument("--clients", default=",".join(CLIENTS))
    parser.add_argument("--busy", action="store_true", help="a Python loop runs in our kernel meanwhile")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_models(Path(folder))
        with own_server(Path(folder), busy=options.busy) as own, RealTriton(Path(folder), WHEEL_BACKENDS) as real:
            addresses = {"own": own, "real": {"http": f"127.0.0.1:{real.http}", "grpc": f"127.0.0.1:{real.grpc}"}}
            print("| client, tensor, in flight | requests/s ours / real | ratio | p50 µs | p99 µs |")
            print("|---|---|---|---|---|")
            for client, protocol, model, in_flight in rows(options):
                found: dict[str, list[Measured]] = {"own": [], "real": []}
                for pair in range(options.pairs):
                    for side in ("own", "real") if pair % 2 == 0 else ("real", "own"):
                        found[side].append(
                            measured(
                                addresses[side][protocol],
                                client=client,
                                protocol=protocol,
                                model=model,
                                in_flight=in_flight,
                                window_ms=options.window_ms,
                            )
                        )
                row = f"{name_of(client, protocol)}, {model}, {in_flight}"
                print(line(row, found["own"], found["real"]), flush=True)


if __name__ == "__main__":
    main()
