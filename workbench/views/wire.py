# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A view as a message for the browser: a small header, and tables of float32.

Times in a table are seconds after the header's `base_s`, so that float32 keeps them to the nanosecond within a frame;
`base_s` itself is a float64 in the header.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.views.colours import REASONS
from workbench.views.latency import Latency
from workbench.views.records import Records
from workbench.views.spans import Chains
from workbench.views.view import Totals, View
from workbench.views.what_if import Imagined

BIN_COLUMNS: Final = (
    "index", "answered", "failed", "refused",
    "latency_p50", "latency_p95", "latency_p99", "queue_p50", "queue_p95", "queue_p99", "rows",
    *(f"reason_{code}" for code in range(len(REASONS))),
)  # fmt: skip
BATCH_COLUMNS: Final = (
    "lane", "arrival", "start", "compute_start", "compute_end", "end", "count", "rows", "reason", "batch",
)  # fmt: skip
REQUEST_COLUMNS: Final = ("lane", "arrival", "start", "end", "batch", "serial", "rows", "priority", "status")
POOL_COLUMNS: Final = ("index", "pool", "live", "reserved")
CHAIN_COLUMNS: Final = (
    "lane", "batch", "arrival", "start", "end", "serial", "label", "position", "flags", "slot", "got_slot", "before",
)  # fmt: skip
TREE_COLUMNS: Final = (
    "tree", "parent", "step", "lane", "batch", "arrival", "start", "end", "status", "count", "reason", "model",
    "serial",
)  # fmt: skip
QUEUE_COLUMNS: Final = ("index", "level", "length")
TABLES: Final = {
    "bins": BIN_COLUMNS,
    "batches": BATCH_COLUMNS,
    "requests": REQUEST_COLUMNS,
    "pools": POOL_COLUMNS,
    "chains": CHAIN_COLUMNS,
    "trees": TREE_COLUMNS,
    "queues": QUEUE_COLUMNS,
}

# Float32 counts exactly up to here: serial numbers of batches are told modulo.
_EXACT: Final = 1 << 24


def message(view: View, *, seq: int, is_whole: bool = False) -> tuple[dict[str, Any], list[bytes]]:
    """The header and the tables, in the order of `TABLES`. The bytes stay as they are.

    Args:
        view: news, or a whole window.
        seq: number of the message.
        is_whole: whether the browser shall forget what it was told before.
    """
    base_ns = _base_ns(view)
    base_serial = int(view.requests["id"].min()) if len(view.requests) else 0
    base_tree = int(view.trees["serial"][view.trees["parent"] < 0].min()) if len(view.trees) else 0
    first_bin = next((int(bins["index"][0]) for bins in (view.bins, view.queue_bins) if len(bins)), 0)
    header = {
        "kind": "frame",
        "seq": seq,
        "is_whole": is_whole,
        "now_s": view.now_ns / 1e9,
        "base_s": base_ns / 1e9,
        "base_serial": base_serial,
        "base_tree": base_tree,
        "labels": list(view.chains.labels),
        "tree_models": _tree_models(view),
        "bin_s": view.bin_ns / 1e9,
        "window_s": view.window_ns / 1e9,
        "first_bin": first_bin,
        "thinned": len(view.batches) < view.batch_total,
        "batch_total": view.batch_total,
        "whole_from_s": view.whole_from_ns / 1e9,
        "dropped": view.dropped,
        "marks": [asdict(mark) | {"when_s": mark.when_ns / 1e9} for mark in view.marks],
    }
    if view.totals is not None:
        header["totals"] = _totals(view.totals) | {
            "sentence": view.sentence,
            "p99_span_s": view.p99_span * view.bin_ns / 1e9,
            "facts": asdict(view.facts) | {"headline": view.facts.headline},
            "pools": [asdict(pool) for pool in view.pools],
        }
    bases = (base_ns, base_serial)
    if bases not in view.encoded:
        tables = (_batches(view.batches, base_ns), _requests(view.requests, base_ns, base_serial))
        view.encoded[bases] = (tables[0].tobytes(), tables[1].tobytes())
    return header, [
        _bins(view.bins, first_bin).tobytes(),
        *view.encoded[bases],
        _pools(view.pool_bins, first_bin).tobytes(),
        _chains(view.chains, base_ns, base_serial).tobytes(),
        _trees(view.trees, base_ns, base_tree).tobytes(),
        _queues(view.queue_bins, first_bin).tobytes(),
    ]


def prediction(imagined: Imagined) -> dict[str, Any]:
    """A prediction, in seconds."""
    return {
        "p50_s": [value / 1e9 for value in imagined.p50_ns],
        "p99_s": [value / 1e9 for value in imagined.p99_ns],
        "throughput": list(imagined.throughput),
        "mean_rows": imagined.mean_rows,
        "sizes": {str(rows): share for rows, share in imagined.sizes.items()},
        "is_overloaded": imagined.is_overloaded,
        "words": imagined.words,
    }


def packed(header: dict[str, Any], buffers: list[bytes]) -> bytes:
    """A whole message as one byte string, for a trait that a saved notebook keeps: header's size, header, tables."""
    text = json.dumps(header | {"sizes": [len(buffer) for buffer in buffers]}).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + b"".join(buffers)


def _totals(totals: Totals) -> dict[str, Any]:
    return {
        "covered_s": totals.covered_s,
        "answered_per_s": totals.answered_per_s,
        "offered_per_s": totals.offered_per_s,
        "refused_per_s": totals.refused_per_s,
        "failed_per_s": totals.failed_per_s,
        "latency": _latency(totals.latency),
        "queue": _latency(totals.queue),
        "mean_s": totals.split.total_ns / 1e9,
        "shares": totals.split.shares,
        "sizes": [asdict(bar) for bar in totals.sizes.bars],
        "by_reason": totals.sizes.by_reason,
        "mean_rows": totals.sizes.mean_rows,
        "busy": totals.busy,
        "lost": [{"status": status, "refused": refused, "failed": failed} for status, refused, failed in totals.lost],
        "priorities": [
            {"priority": priority, "count": count, "wait_s": wait_ns / 1e9}
            for priority, count, wait_ns in totals.priorities
        ],
        "steps": [
            {"count": count, "wait_s": wait_ns / 1e9, "rest_s": rest_ns / 1e9}
            for count, wait_ns, rest_ns in totals.steps
        ],
    }


def _latency(latency: Latency) -> dict[str, float | int | None]:
    seconds = {name: getattr(latency, f"{name}_ns") for name in ("p50", "p95", "p99", "max")}
    return {"count": latency.count} | {
        name: None if value is None or math.isnan(value) else value / 1e9 for name, value in seconds.items()
    }


def _bins(bins: Records, first_bin: int) -> NDArray[np.float32]:
    table = np.empty((len(bins), len(BIN_COLUMNS)), np.float32)
    table[:, 0] = bins["index"] - first_bin
    for column, name in enumerate(("answered", "failed", "refused"), start=1):
        table[:, column] = bins[name]
    for column, name in enumerate(BIN_COLUMNS[4:10], start=4):
        table[:, column] = bins[f"{name}_s"]
    table[:, 10] = bins["rows"]
    table[:, 11:] = bins["reasons"]
    return table


def _batches(batches: Records, base_ns: int) -> NDArray[np.float32]:
    table = np.empty((len(batches), len(BATCH_COLUMNS)), np.float32)
    table[:, 0] = batches["instance"]
    for column, name in enumerate(BATCH_COLUMNS[1:6], start=1):
        table[:, column] = _seconds_after(batches[f"{name}_ns"], base_ns)
    for column, name in enumerate(("count", "rows", "detail"), start=6):
        table[:, column] = batches[name]
    table[:, 9] = batches["batch"] % _EXACT
    return table


def _requests(requests: Records, base_ns: int, base_serial: int) -> NDArray[np.float32]:
    table = np.empty((len(requests), len(REQUEST_COLUMNS)), np.float32)
    table[:, 0] = requests["instance"]
    for column, name in enumerate(REQUEST_COLUMNS[1:4], start=1):
        table[:, column] = _seconds_after(requests[f"{name}_ns"], base_ns)
    table[:, 4] = requests["batch"] % _EXACT
    table[:, 5] = requests["id"] - np.uint64(base_serial)
    for column, name in enumerate(REQUEST_COLUMNS[6:], start=6):
        table[:, column] = requests[name]
    return table


def _pools(bins: Records, first_bin: int) -> NDArray[np.float32]:
    table = np.empty((len(bins), len(POOL_COLUMNS)), np.float32)
    table[:, 0] = bins["index"] - first_bin
    for column, name in enumerate(POOL_COLUMNS[1:], start=1):
        table[:, column] = bins[name]
    return table


def _chains(chains: Chains, base_ns: int, base_serial: int) -> NDArray[np.float32]:
    rows = chains.rows
    if not len(rows):
        return np.empty((0, len(CHAIN_COLUMNS)), np.float32)
    table = np.empty((len(rows), len(CHAIN_COLUMNS)), np.float32)
    for column, name in enumerate(CHAIN_COLUMNS):
        if name in ("arrival", "start", "end"):
            table[:, column] = _seconds_after(rows[f"{name}_ns"], base_ns)
        elif name in ("lane", "label", "position", "flags", "slot"):
            table[:, column] = rows[name]
    table[:, 1] = rows["batch"] % _EXACT
    table[:, 5] = rows["serial"] - np.uint64(base_serial)
    table[:, 10] = _seconds_after(rows["slot_ns"], base_ns)
    table[:, 11] = np.where(rows["before_ns"] > 0, _seconds_after(rows["before_ns"], base_ns), np.nan)
    return table


def _trees(rows: NDArray[np.void], base_ns: int, base_tree: int) -> NDArray[np.float32]:
    """Serial numbers are told of the ensemble's requests alone."""
    if not len(rows):
        return np.empty((0, len(TREE_COLUMNS)), np.float32)
    table = np.empty((len(rows), len(TREE_COLUMNS)), np.float32)
    models = np.unique(rows["model"])
    for column, name in enumerate(TREE_COLUMNS):
        if name in ("arrival", "start", "end"):
            table[:, column] = _seconds_after(rows[f"{name}_ns"], base_ns)
        elif name not in ("model", "serial", "batch"):
            table[:, column] = rows[name]
    table[:, 4] = rows["batch"] % _EXACT
    table[:, 11] = np.searchsorted(models, rows["model"])
    table[:, 12] = np.where(rows["parent"] < 0, rows["serial"].astype(np.int64) - base_tree, 0)
    return table


def _tree_models(view: View) -> list[str]:
    """Names by the numbers that the table of trees counts models in."""
    if not len(view.trees):
        return []
    facts = view.facts
    names = {lane.number: lane.model for lane in facts.lanes} | {facts.number: facts.name}
    return [names.get(int(number), "an ensemble") for number in np.unique(view.trees["model"])]


def _queues(bins: NDArray[np.void], first_bin: int) -> NDArray[np.float32]:
    table = np.empty((len(bins), len(QUEUE_COLUMNS)), np.float32)
    table[:, 0] = bins["index"] - first_bin
    table[:, 1], table[:, 2] = bins["level"], bins["length"]
    return table


def _seconds_after(stamps: NDArray[np.uint64], base_ns: int) -> NDArray[np.float64]:
    return (stamps.astype(np.int64) - base_ns) / 1e9


def _base_ns(view: View) -> int:
    """The earliest start: close to all times of the frame, since float32 is finest near zero."""
    return int(view.batches["start_ns"].min()) if len(view.batches) else view.now_ns
