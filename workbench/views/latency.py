# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How long requests took, and where the time went. Pure functions over the requests of an event log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.views.records import Records

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# With fewer samples the 97.5 % upper bound of p99 by order statistics is infinite: such a p99 says nothing.
MIN_SAMPLES_P99: Final = 368
MIN_SAMPLES_P95: Final = 72

_DURATION_BITS: Final = 50
_LONGEST_NS: Final = (1 << _DURATION_BITS) - 1

SPLIT_STEPS: Final = (
    ("queue", "arrival_ns", "start_ns"),
    ("input", "start_ns", "compute_start_ns"),
    ("compute", "compute_start_ns", "compute_end_ns"),
    ("output", "compute_end_ns", "end_ns"),
)


@dataclass(frozen=True, slots=True)
class Latency:
    """A distribution of durations in nanoseconds; `p95_ns` and `p99_ns` are None where too few samples have one."""

    count: int = 0
    p50_ns: float | None = None
    p95_ns: float | None = None
    p99_ns: float | None = None
    max_ns: float | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """Mean nanoseconds that a request spent in each step of its life."""

    queue_ns: float = 0.0
    input_ns: float = 0.0
    compute_ns: float = 0.0
    output_ns: float = 0.0

    @property
    def total_ns(self) -> float:
        """Mean latency."""
        return self.queue_ns + self.input_ns + self.compute_ns + self.output_ns

    @property
    def shares(self) -> tuple[float, float, float, float]:
        """Queue, input, compute, output as parts of one; zeros when there was no request."""
        total = self.total_ns or 1.0
        return (self.queue_ns / total, self.input_ns / total, self.compute_ns / total, self.output_ns / total)


def between_ns(records: Records, start: str, end: str) -> Floats:
    """Nanoseconds from one stamp to another; a stamp that was not given, or runs backwards, counts as no time."""
    begun = records[start].astype(np.int64)
    ended = records[end].astype(np.int64)
    known = (begun > 0) & (ended > begun)
    return np.where(known, ended - begun, 0).astype(np.float64)


def step_ns(records: Records, step: str) -> Floats:
    """Nanoseconds of one step of `SPLIT_STEPS`. Where a backend reports no compute stamps, all execution is compute."""
    start, end = next((start, end) for name, start, end in SPLIT_STEPS if name == step)
    duration = between_ns(records, start, end)
    unknown = (records["compute_start_ns"] == 0) | (records["compute_end_ns"] == 0)
    if step == "queue" or not unknown.any():
        return duration
    whole = between_ns(records, "start_ns", "end_ns") if step == "compute" else 0.0
    return np.where(unknown, whole, duration)


def latency_ns(requests: Records) -> Floats:
    """Nanoseconds from the arrival of each request to its last response."""
    return between_ns(requests, "arrival_ns", "end_ns")


def queue_ns(requests: Records) -> Floats:
    """Nanoseconds that each request waited before its execution began."""
    return step_ns(requests, "queue")


def distribution(durations_ns: NDArray[np.floating[Any]]) -> Latency:
    """Median, p99 (when enough samples can have one) and maximum, by nearest rank."""
    count = len(durations_ns)
    if count == 0:
        return Latency()
    ordered = np.sort(durations_ns)  # vectorised in numpy: faster than a partition
    p95 = float(ordered[_rank(count, 0.95)]) if count >= MIN_SAMPLES_P95 else None
    p99 = float(ordered[_rank(count, 0.99)]) if count >= MIN_SAMPLES_P99 else None
    p50 = float(ordered[_rank(count, 0.5)])
    return Latency(count=count, p50_ns=p50, p95_ns=p95, p99_ns=p99, max_ns=float(ordered[-1]))


def split(requests: Records) -> Split:
    """Mean time in queue, input, compute and output."""
    if len(requests) == 0:
        return Split()
    return Split(**{f"{name}_ns": float(step_ns(requests, name).mean()) for name, _, _ in SPLIT_STEPS})


def percentile_per_bin(
    durations_ns: Floats, bins: Ints, bin_count: int, *, quantile: float, min_samples: int = 1
) -> Floats:
    """The nearest-rank percentile of each bin.

    Args:
        durations_ns: (n,) durations, whole numbers.
        bins: (n,) number of the bin of each duration, from 0 to `bin_count` - 1.
        bin_count: how many bins there are.
        quantile: 0.99 for p99.
        min_samples: bins with fewer durations get NaN.

    Returns:
        (bin_count,) nanoseconds.
    """
    return percentiles_per_bin(durations_ns, bins, bin_count, wanted=((quantile, min_samples),))[0]


def percentiles_per_bin(
    durations_ns: Floats, bins: Ints, bin_count: int, *, wanted: Sequence[tuple[float, int]]
) -> list[Floats]:
    """Several percentiles of each bin, sorted once; `wanted` has quantiles and their fewest samples."""
    counts = np.bincount(bins, minlength=bin_count)
    # One number for both, whole nanoseconds behind the bin: sorted ten times faster than by two keys.
    keys = (bins << _DURATION_BITS) | np.minimum(durations_ns, _LONGEST_NS).astype(np.int64)
    ordered = (np.sort(keys) & _LONGEST_NS).astype(np.float64)
    first = np.cumsum(counts) - counts
    return [_picked(ordered, first, counts, quantile, min_samples) for quantile, min_samples in wanted]


def _picked(ordered: Floats, first: Ints, counts: Ints, quantile: float, min_samples: int) -> Floats:
    ranks = np.maximum(np.ceil(quantile * counts).astype(np.int64) - 1, 0)
    result = np.full(len(counts), np.nan)
    enough = counts >= max(min_samples, 1)
    result[enough] = ordered[(first + ranks)[enough]]
    return result


def _rank(count: int, quantile: float) -> int:
    return int(np.ceil(quantile * count)) - 1
