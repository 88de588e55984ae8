# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the event log costs: our core with it and without, under the same driver and backend, in turns.

A row is a way of loading; it shows medians over the pairs, and the share of CPU time a request that the log adds:
the median over the pairs, since what else the machine does moves single ones.

    python benchmarks/events.py [--pairs 5] [--seconds 2] [--modes callback,async]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.in_process import Result, Row, build, measure, parse_options, rows, sides, write_repository  # noqa: E402


def added(results: Mapping[str, Sequence[Result]], key: str) -> float:
    """By which share `key` is larger with the log, the median over the pairs."""
    pairs = zip(results["with"], results["without"], strict=True)
    return statistics.median(with_log[key] / without[key] for with_log, without in pairs) - 1


def line(row: Row, results: Mapping[str, Sequence[Result]]) -> str:
    """One row of the table."""
    rates = [f"{statistics.median(one['requests_per_s'] for one in results[side]):,.0f}" for side in results]
    costs = [f"{added(results, key):+.1%}" for key in ("requests_per_s", "cpu_us_per_request")]
    return f"| {row.mode} | {row.batching} | {row.in_flight} | {' / '.join(rates)} | {' | '.join(costs)} |"


def main() -> None:
    """Prints the table, row by row."""
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        write_repository(repository)
        built = build()
        tried = {
            "with": sides(built, repository)["own"],
            "without": sides(built, repository, own_options=["--no-events"])["own"],
        }
        print("| mode | batching | in flight | requests/s with / without | requests/s | CPU time a request |")
        print("|---|---|---|---|---|---|")
        for row in rows(options):
            print(line(row, measure(row, tried, options)), flush=True)


if __name__ == "__main__":
    main()
