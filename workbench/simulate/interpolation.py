# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Service times and speeds for every size, from those that were measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Line:
    """`row_ns * rows + fixed_ns`; `error` is the largest relative distance from what it was fitted to."""

    row_ns: float
    fixed_ns: float
    error: float

    def at(self, rows: float) -> float:
        """Service time of a batch."""
        return self.row_ns * rows + self.fixed_ns


def fitted_line(service_ns: Mapping[int, float]) -> Line:
    """Least squares of relative errors: a batch of 1 counts as much as one of 64."""
    sizes, times = _columns(service_ns)
    if len(sizes) == 1:
        return Line(float(times[0] / sizes[0]), 0.0, 0.0)
    design = np.stack([sizes, np.ones_like(sizes)], axis=1) / times[:, None]
    (row_ns, fixed_ns), *_ = np.linalg.lstsq(design, np.ones_like(times), rcond=None)
    error = np.abs((row_ns * sizes + fixed_ns) / times - 1).max()
    return Line(float(row_ns), float(fixed_ns), float(error))


def service_table(service_ns: Mapping[int, float], largest: int) -> NDArray[np.float64]:
    """Times of batches of 1 to `largest`.

    Straight between measured sizes, after what chance put out of order was evened out: a larger batch takes no less
    time. Below the smallest size its time holds; above the largest the slope of the last pair goes on.
    """
    sizes, times = _columns(service_ns)
    times = isotonic(times)
    wanted = np.arange(1, max(largest, 1) + 1, dtype=np.float64)
    table = np.interp(wanted, sizes, times)
    if len(sizes) > 1:
        slope = (times[-1] - times[-2]) / (sizes[-1] - sizes[-2])
        table += np.maximum(wanted - sizes[-1], 0) * slope
    return table


def speed_table(contention: Mapping[int, float], largest: int) -> NDArray[np.float64]:
    """Speeds of one instance while 1 to `largest` are active.

    Straight between measured counts, 1 alone. More than the largest share what that many get through together. None
    measured: they do not disturb each other.
    """
    if not contention:
        return np.ones(max(largest, 1))
    counts, speeds = _columns({1: 1.0, **contention})
    wanted = np.arange(1, max(largest, 1) + 1, dtype=np.float64)
    table: NDArray[np.float64] = np.interp(wanted, counts, speeds) * np.minimum(1.0, counts[-1] / wanted)
    return table


def isotonic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The closest row that never falls: neighbours out of order become their mean (pool adjacent violators).

    Args:
        values: in order.
    """
    pools: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, count = float(value), 1
        while pools and pools[-1][0] > mean:
            before, pooled = pools.pop()
            mean = (mean * count + before * pooled) / (count + pooled)
            count += pooled
        pools.append((mean, count))
    return np.repeat([mean for mean, _ in pools], [count for _, count in pools])


def _columns(values: Mapping[int, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ordered = sorted(values.items())
    return np.array([float(key) for key, _ in ordered]), np.array([float(value) for _, value in ordered])
