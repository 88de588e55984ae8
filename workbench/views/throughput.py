# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests over time: one record per bin of the time axis. Pure functions over requests, refusals and batches."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.views.batching import reasons_of
from workbench.views.colours import REASONS
from workbench.views.latency import (
    MIN_SAMPLES_P95,
    MIN_SAMPLES_P99,
    Ints,
    latency_ns,
    percentile_per_bin,
    percentiles_per_bin,
    queue_ns,
)
from workbench.views.records import Records, select

BIN_DTYPE: Final = np.dtype(
    [
        ("index", "<i8"),
        ("answered", "<f8"),
        ("failed", "<f8"),
        ("refused", "<f8"),
        ("latency_p50_s", "<f8"),
        ("latency_p95_s", "<f8"),
        ("latency_p99_s", "<f8"),
        ("queue_p50_s", "<f8"),
        ("queue_p95_s", "<f8"),
        ("queue_p99_s", "<f8"),
        ("rows", "<f8"),
        ("reasons", "<f8", (len(REASONS),)),
    ]
)

BINS_AT_ONCE: Final = 10
"""Bins whose percentiles are worked out at a time: what all bins of a minute take for a moment, the heap keeps."""

_P99_SPANS: Final = (1, 2, 5, 10, 20, 50)


def p99_span(answered_per_bin: float, *, previous: int = 0) -> int:
    """How many bins one p99 spans so that it has enough samples; 0 when even the widest window has too few.

    The previous span stays while it fits, so that the line does not change its steps all the time.
    """
    wanted = 1.25 * MIN_SAMPLES_P99
    if previous and wanted <= previous * answered_per_bin <= 6 * wanted:
        return previous
    return next((span for span in _P99_SPANS if span * answered_per_bin >= wanted), 0)


def request_bins(
    requests: Records,
    refusals: Records,
    batches: Records,
    *,
    bin_ns: int,
    first: int,
    last: int,
    span: int,
) -> NDArray[np.void]:
    """What ended in each bin from `first` to `last`; percentiles in seconds, NaN where too few requests have one.

    `span` bins share one p99; their windows begin at multiples of it, so `first` should be such a multiple. A window
    that is not over yet has no p99.
    """
    step = span * -(-BINS_AT_ONCE // span) if span else BINS_AT_ONCE
    begins = [first, *range(first - first % step + step, last + 1, step)]
    ends = [begin - 1 for begin in begins[1:]] + [last]
    parts = [
        _bins_of(requests, refusals, batches, bin_ns, begin, end, span) for begin, end in zip(begins, ends, strict=True)
    ]
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def _bins_of(
    requests: Records, refusals: Records, batches: Records, bin_ns: int, first: int, last: int, span: int
) -> NDArray[np.void]:
    """A few bins; their percentiles take room for a moment."""
    count = last - first + 1
    bins = np.zeros(count, BIN_DTYPE)
    bins["index"] = np.arange(first, last + 1)
    requests, at = _inside(requests, "end_ns", bin_ns, first, count)
    good = requests["status"] == 0
    bins["answered"] = np.bincount(at[good], minlength=count)
    bins["failed"] = np.bincount(at[~good], minlength=count)
    bins["refused"] = np.bincount(_inside(refusals, "end_ns", bin_ns, first, count)[1], minlength=count)
    _add_percentiles(bins, select(requests, good), at[good], first, span)
    _add_reasons(bins, *_inside(batches, "end_ns", bin_ns, first, count))
    return bins


def _inside(records: Records, stamp: str, bin_ns: int, first: int, count: int) -> tuple[Records, Ints]:
    at = (records[stamp].astype(np.int64) // bin_ns) - first
    inside = (at >= 0) & (at < count)
    return select(records, inside), at[inside]


def _add_percentiles(bins: NDArray[np.void], requests: Records, at: Ints, first: int, span: int) -> None:
    count = len(bins)
    for name, durations in (("latency", latency_ns(requests)), ("queue", queue_ns(requests))):
        p50, p95 = percentiles_per_bin(durations, at, count, wanted=((0.5, 1), (0.95, MIN_SAMPLES_P95)))
        bins[f"{name}_p50_s"], bins[f"{name}_p95_s"] = p50 / 1e9, p95 / 1e9
        bins[f"{name}_p99_s"] = np.nan
        if span:
            windows = (at + first) // span - first // span
            window_count = (first + count) // span - first // span
            over = windows < window_count
            p99 = percentile_per_bin(
                durations[over], windows[over], window_count, quantile=0.99, min_samples=MIN_SAMPLES_P99
            )
            of_bin = np.arange(first, first + count) // span - first // span
            known = of_bin < window_count
            bins[f"{name}_p99_s"][known] = p99[of_bin[known]] / 1e9


def _add_reasons(bins: NDArray[np.void], batches: Records, at: Ints) -> None:
    count, kinds = len(bins), len(REASONS)
    bins["rows"] = np.bincount(at, weights=batches["rows"], minlength=count)
    bins["reasons"] = np.bincount(at * kinds + reasons_of(batches), minlength=count * kinds).reshape(count, kinds)
