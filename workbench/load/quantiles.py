# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Quantiles with intervals, for samples that depend on each other as latencies under load do."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BATCHES = 25
# Widens for estimating the variance from 25 batches: Student's t with 24 degrees of freedom over the normal's 1.96.
_STUDENT_FACTOR = (2.064 / 1.960) ** 2


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and the bounds between which the true one lies with 95 % confidence.

    `high` is infinite where there are too few samples for an upper bound; as text that is a question mark.
    """

    value: float
    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        """Whether there were samples enough for both bounds."""
        return math.isfinite(self.high)

    def scaled(self, factor: float) -> Interval:
        """The same in another unit."""
        return Interval(self.value * factor, self.low * factor, self.high * factor)

    def __str__(self) -> str:
        high = f"{self.high:.3g}" if self.is_bounded else "?"
        return f"{self.value:.3g} ({self.low:.3g}–{high})"

    def overlaps(self, other: Interval) -> bool:
        """Whether the two may be the same value."""
        return self.low <= other.high and other.low <= self.high


def order_statistic_ranks(samples: float, q: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Ranks (from 1) of the sorted samples that bound the quantile; 0 or `samples + 1` where there is no bound.

    The number of samples below the true quantile is binomial(samples, q), whatever the distribution
    (David and Nagaraja, Order Statistics, 3rd ed., 7.1). So an upper bound for p99 at 97.5 % needs 368 samples.
    """
    n = int(samples)
    spread = math.sqrt(n * q * (1 - q))
    low = max(0, math.floor(n * q - 9 * spread - 10))
    high = min(n, math.ceil(n * q + 9 * spread + 10))
    k = np.arange(low, high)
    # Binomial probabilities by their ratio, normalised: what lies outside nine deviations is nothing.
    logs = np.concatenate(([0.0], np.cumsum(np.log((n - k) / (k + 1) * q / (1 - q)))))
    weights = np.exp(logs - logs.max())
    below = np.cumsum(weights) / weights.sum()  # P(count <= low + i)
    tail = (1 - confidence) / 2
    lower = low + int(np.searchsorted(below, tail, side="right"))
    upper = low + int(np.searchsorted(below, 1 - tail, side="left")) + 1
    return float(lower), float(upper)


def effective_share(exceeds: NDArray[np.bool_]) -> float:
    """Share of the samples that counts as independent, for the quantile above which `exceeds` is true.

    Under load neighbours wait together. The variance of 25 batch means of the indicator over what it would be for
    independent samples tells by how much (Law and Kelton 1984, batch means; Chen and Kelton 2006 for quantiles).
    """
    length = len(exceeds) // _BATCHES
    if length < 2:
        return 1.0
    means = exceeds[: length * _BATCHES].reshape(_BATCHES, length).mean(axis=1)
    share = float(means.mean())
    if share in (0.0, 1.0):
        return 1.0
    inflation = float(means.var(ddof=1)) * length / (share * (1 - share)) * _STUDENT_FACTOR
    return 1 / max(inflation, 1.0)


def quantile(samples: NDArray[np.float64], q: float, *, confidence: float = 0.95) -> Interval:
    """The q-quantile of `samples` (in the order of their arrival) and its interval; NaN for no samples."""
    n = len(samples)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan)
    ordered = np.sort(samples)
    value = float(ordered[min(n - 1, math.ceil(n * q) - 1)])
    effective = max(1.0, n * effective_share(samples > value))
    low, high = order_statistic_ranks(effective, q, confidence=confidence)
    return Interval(value, _at_rank(ordered, low / int(effective)), _at_rank(ordered, high / int(effective)))


def _at_rank(ordered: NDArray[np.float64], share: float) -> float:
    if share > 1:
        return math.inf
    rank = math.ceil(share * len(ordered) - 1e-9)
    return float(ordered[max(0, rank - 1)])


def mean_interval(samples: NDArray[np.float64]) -> Interval:
    """The mean of dependent samples with its interval by 25 batch means; NaN for no samples."""
    if len(samples) == 0:
        return Interval(math.nan, math.nan, math.nan)
    value = float(samples.mean())
    length = len(samples) // _BATCHES
    if length < 1:
        return Interval(value, -math.inf, math.inf)
    means = samples[: length * _BATCHES].reshape(_BATCHES, length).mean(axis=1)
    half = 2.064 * float(means.std(ddof=1)) / math.sqrt(_BATCHES)
    return Interval(value, value - half, value + half)
