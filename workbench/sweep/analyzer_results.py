# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Results of perf_analyzer and Model Analyzer as they write them, and whether they can be believed."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.errors import InvalidArgumentError

_PARTS: Final = (
    "Client Send", "Network+Server Send/Recv", "Server Queue", "Server Compute Input", "Server Compute Infer",
    "Server Compute Output", "Client Recv",
)  # fmt: skip
_LAW: Final = 0.1
"""By which part of the requests in flight throughput × latency may miss them."""


@dataclass(frozen=True, slots=True)
class ForeignResult:
    """One line of another tool's results. It has no interval: the files keep none.

    Args:
        config: the configuration's name, of Model Analyzer's files.
        concurrency: requests in flight; 0 for a rate.
        rate: requests per second that were asked for; 0 for a concurrency.
        throughput: answers per second.
        p50_ms, p99_ms: latency; NaN where the file does not tell it.
        mean_ms: the sum of its parts; NaN where the file does not tell them.
    """

    config: str
    concurrency: int
    rate: float
    throughput: float
    p50_ms: float
    p99_ms: float
    mean_ms: float

    @property
    def doubt(self) -> str:
        """Why it is not to be believed; empty where nothing speaks against it.

        Little's law: in a closed loop throughput × mean latency is the number of requests in flight.
        """
        if not self.concurrency or not self.mean_ms > 0:
            return ""
        share = self.throughput * self.mean_ms / 1e3 / self.concurrency
        if abs(share - 1) <= _LAW:
            return ""
        return f"throughput × latency is {share:.0%} of the {self.concurrency} requests in flight"


def read_analyzer_results(path: str | Path) -> tuple[ForeignResult, ...]:
    """The lines of a CSV file of perf_analyzer (`-f`) or of Model Analyzer (`metrics-model-inference.csv`).

    Raises:
        InvalidArgumentError: a file of neither.
    """
    with Path(path).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = set(rows[0]) if rows else set()
    if "Inferences/Second" in columns:
        return tuple(map(_of_perf_analyzer, rows))
    if "Throughput (infer/sec)" in columns:
        return tuple(map(_of_model_analyzer, rows))
    raise InvalidArgumentError(f"{path} has neither perf_analyzer's columns nor Model Analyzer's")


def _of_perf_analyzer(row: Mapping[str, str]) -> ForeignResult:
    mean_us = sum(_number(row, part) for part in _PARTS)
    return ForeignResult(
        config="",
        concurrency=int(_number(row, "Concurrency", 0.0)),
        rate=_number(row, "Request Rate", 0.0),
        throughput=_number(row, "Inferences/Second"),
        p50_ms=_number(row, "p50 latency") / 1e3,
        p99_ms=_number(row, "p99 latency") / 1e3,
        mean_ms=_number(row, "Avg latency", mean_us) / 1e3,
    )


def _of_model_analyzer(row: Mapping[str, str]) -> ForeignResult:
    return ForeignResult(
        config=row.get("Model Config Path", ""),
        concurrency=int(_number(row, "Concurrency", 0.0)),
        rate=_number(row, "Request Rate", 0.0),
        throughput=_number(row, "Throughput (infer/sec)"),
        p50_ms=_number(row, "p50 Latency (ms)"),
        p99_ms=_number(row, "p99 Latency (ms)"),
        mean_ms=_number(row, "Average Latency (ms)", _number(row, "avg Latency (ms)")),
    )


def _number(row: Mapping[str, str], name: str, otherwise: float = float("nan")) -> float:
    text = row.get(name) or ""
    return float(text) if text.strip() else otherwise
