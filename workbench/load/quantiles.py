# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Quantiles with intervals, for samples that depend on each other as latencies under load do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_STUDENT: Final = {5: 2.776, 8: 2.365, 16: 2.131, 32: 2.040}
"""Student's t at 97.5 % by number of batches. Few batches see long waves, many estimate the variance well."""
_NORMAL: Final = 1.960
_ENOUGH: Final = 150
"""Samples beyond a level from which on their clusters can be judged."""


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

    Under load neighbours wait together. The variance of batch means of the indicator over what it would be for
    independent samples tells by how much (Law and Kelton 1984, batch means; Chen and Kelton 2006 for quantiles).
    Batches shorter than a busy period hide it, so the most cautious of several lengths counts.
    """
    return 1 / max(1.0, *(_inflation(exceeds, batches) for batches in (8, 16, 32)))


def _inflation(exceeds: NDArray[np.bool_], batches: int) -> float:
    length = len(exceeds) // batches
    share = float(exceeds.mean())
    if length < 2 or share in (0.0, 1.0):
        return 1.0
    means = exceeds[: length * batches].reshape(batches, length).mean(axis=1)
    return float(means.var(ddof=1)) * length / (share * (1 - share)) * (_STUDENT[batches] / _NORMAL) ** 2


def quantile(samples: NDArray[np.float64], q: float, *, confidence: float = 0.95) -> Interval:
    """The q-quantile of `samples` (in the order of their arrival) and its interval; NaN for no samples.

    Where few samples lie beyond the quantile, a lower level tells how they cluster.
    """
    n = len(samples)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan)
    ordered = np.sort(samples)
    value = float(ordered[min(n - 1, math.ceil(n * q) - 1)])
    levels = {value, float(ordered[min(math.ceil(n * q) - 1, max(n // 2, n - _ENOUGH))])}
    effective = max(1.0, n * min(effective_share(samples > level) for level in levels))
    low, high = order_statistic_ranks(effective, q, confidence=confidence)
    return Interval(value, _at_rank(ordered, low / int(effective)), _at_rank(ordered, high / int(effective)))


def _at_rank(ordered: NDArray[np.float64], share: float) -> float:
    if share > 1:
        return math.inf
    rank = math.ceil(share * len(ordered) - 1e-9)
    return float(ordered[max(0, rank - 1)])


def mean_interval(samples: NDArray[np.float64]) -> Interval:
    """The mean of dependent samples with its interval, the widest of several by batch means; NaN for no samples."""
    if len(samples) == 0:
        return Interval(math.nan, math.nan, math.nan)
    value = float(samples.mean())
    halves = [_half(samples, batches) for batches in _STUDENT if len(samples) >= batches]
    half = max(halves, default=math.inf)
    return Interval(value, value - half, value + half)


def _half(samples: NDArray[np.float64], batches: int) -> float:
    length = len(samples) // batches
    means = samples[: length * batches].reshape(batches, length).mean(axis=1)
    return _STUDENT[batches] * float(means.std(ddof=1)) / math.sqrt(batches)
