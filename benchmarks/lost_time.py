# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How much of a run the machine took for itself, by the event log: what no calibration of a calm machine knows."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from workbench.calibrate import SLOWER, WINDOW, slowness

HELD_NS = 500_000
"""An execution that takes half its time and this longer was held: the bound of calibrations."""


def lost_share(batches: NDArray[Any], pauses: Mapping[int, float], *, delay_ns: int = 0) -> float:
    """Of the time between the first execution's start and the last one's end, by three marks; latencies are none.

    Executions of a size while the machine was in a slower phase, by what they took too long; single ones that were
    held by half their time and 0.5 ms; starts 0.5 ms later than instance and queue delay allowed.

    Args:
        batches: executions, as `server.events().batches` has them.
        pauses: what an execution takes more after a pause, as calibrations tell it: it is the machine's usual.
        delay_ns: that the oldest request may be kept waiting for others.
    """
    ordered = np.sort(batches, order="start_ns")
    starts, ends = ordered["start_ns"].astype(np.int64), ordered["end_ns"].astype(np.int64)
    free = starts.copy()
    for instance in np.unique(ordered["instance"]):
        of_it = np.flatnonzero(ordered["instance"] == instance)
        free[of_it[1:]] = ends[of_it[:-1]]
    waits = starts - np.maximum(free, ordered["arrival_ns"].astype(np.int64))
    times = (ends - starts).astype(np.float64)
    if pauses:
        times -= np.interp(starts - free, list(pauses), list(pauses.values()))
    late_ns = float(waits[waits > delay_ns + HELD_NS].sum())
    too_long_ns = sum(_too_long_ns(times[ordered["count"] == size]) for size in np.unique(ordered["count"]))
    return (late_ns + too_long_ns) / float(ends.max() - starts[0])


def slow_share(samples_ns: Mapping[int, Sequence[int]]) -> float:
    """Of the time that a calibration's executions took, what was longer than a tenth above the median of their size."""
    sizes = [np.array(times, np.float64) for times in samples_ns.values()]
    slow = sum(float(np.clip(times - SLOWER * np.median(times), 0, None).sum()) for times in sizes)
    return slow / sum(float(times.sum()) for times in sizes)


def executions(server: Any, since: int, requests: int) -> NDArray[Any]:
    """Of a run of so many requests, from that number of the event log on, once the log has them all."""
    while len((news := server.events(since=since)).requests) < requests:
        time.sleep(0.01)
    return news.batches


def _too_long_ns(times: NDArray[np.float64]) -> float:
    usual = float(np.median(times))
    held = times > usual + max(usual / 2, HELD_NS)
    factors = slowness(times, window=2 * WINDOW)
    slow = (factors > SLOWER) & ~held
    return float((times[held] - usual).sum() + (times * (1 - 1 / factors))[slow].sum())
