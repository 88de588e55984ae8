# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How many requests wait at each priority level, over time. Pure functions over samples of queue lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SAMPLE_DTYPE: Final = np.dtype([("when_ns", "<i8"), ("level", "<i8"), ("length", "<i8")])
"""So many waited at a priority level at that moment."""

QUEUE_BIN_DTYPE: Final = np.dtype([("index", "<i8"), ("level", "<i8"), ("length", "<i8")])
"""The most that were seen waiting at a level within a bin."""

NO_SAMPLES: Final[NDArray[np.void]] = np.empty(0, SAMPLE_DTYPE)
NO_BINS: Final[NDArray[np.void]] = np.empty(0, QUEUE_BIN_DTYPE)


def sample(when_ns: int, lengths: Mapping[int, int]) -> NDArray[np.void]:
    """One look at the queue."""
    return np.array([(when_ns, level, length) for level, length in sorted(lengths.items())], SAMPLE_DTYPE)


def samples_of(times_ns: NDArray[np.int64], lengths: Mapping[int, NDArray[np.int64]]) -> NDArray[np.void]:
    """Looks at many times: the length of each level at each of them."""
    told = np.empty((len(times_ns), len(lengths)), SAMPLE_DTYPE)
    told["when_ns"] = times_ns[:, None]
    for column, level in enumerate(sorted(lengths)):
        told["level"][:, column], told["length"][:, column] = level, lengths[level]
    return told.reshape(-1)


def queue_bins(samples: NDArray[Any], *, bin_ns: int, first: int, last: int) -> NDArray[np.void]:
    """The longest queue of each level in each of the bins `first` to `last` in which anyone looked.

    Returns:
        records of `QUEUE_BIN_DTYPE`, by level, then by bin.
    """
    if not len(samples):
        return NO_BINS
    index = samples["when_ns"] // bin_ns
    told = samples[(index >= first) & (index <= last)]
    index = told["when_ns"] // bin_ns
    order = np.lexsort((index, told["level"]))
    if not len(order):
        return NO_BINS
    told, index = told[order], index[order]
    begins = np.flatnonzero(np.r_[True, (np.diff(index) != 0) | (np.diff(told["level"]) != 0)])
    bins = np.empty(len(begins), QUEUE_BIN_DTYPE)
    bins["index"], bins["level"] = index[begins], told["level"][begins]
    bins["length"] = np.maximum.reduceat(told["length"], begins)
    return bins


def lengths_now(samples: NDArray[Any]) -> tuple[tuple[int, int], ...]:
    """Level and length at the last look, ascending."""
    if not len(samples):
        return ()
    last = samples[samples["when_ns"] == samples["when_ns"].max()]
    return tuple((int(one["level"]), int(one["length"])) for one in np.sort(last, order="level"))
