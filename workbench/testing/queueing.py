# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Queues whose laws are known exactly: what measurements are held against. Times are in units of the mean service."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def sojourn_times(utilisation: float, count: int, *, seed: int, services: str = "constant") -> NDArray[np.float64]:
    """Waits and services of `count` requests to one server from Poisson arrivals, beginning with an empty queue.

    By Lindley's recursion (1952), which is the walk of services minus gaps above its lowest point so far. `services`
    are `constant` (M/D/1) or `exponential` (M/M/1).
    """
    random = np.random.default_rng(seed)
    gaps = random.exponential(1 / utilisation, count)
    served = np.ones(count) if services == "constant" else random.exponential(1.0, count)
    walk = np.cumsum(np.concatenate(([0.0], served[:-1] - gaps[1:])))
    times: NDArray[np.float64] = walk - np.minimum.accumulate(walk) + served
    return times


def mean_sojourn(utilisation: float, *, services: str = "constant") -> float:
    """Of M/D/1 (Pollaczek 1930) or M/M/1."""
    if services == "exponential":
        return 1 / (1 - utilisation)
    return (2 - utilisation) / (2 * (1 - utilisation))


def sojourn_quantile(utilisation: float, q: float, *, services: str = "constant") -> float:
    """Of M/D/1 (Erlang 1909) or M/M/1, whose sojourn is exponential."""
    if services == "exponential":
        return -math.log(1 - q) / (1 - utilisation)
    return 1 + _inverse(lambda wait: _wait_below(utilisation, wait), q)


def _wait_below(utilisation: float, wait: float) -> float:
    """Probability that a request of M/D/1 waits no longer; the terms alternate, so it is for waits of some services."""
    terms = (
        (utilisation * (k - wait)) ** k / math.factorial(k) * math.exp(utilisation * (wait - k))
        for k in range(int(wait) + 1)
    )
    return (1 - utilisation) * math.fsum(terms)


def _inverse(law: Callable[[float], float], q: float) -> float:
    low, high = 0.0, 1.0
    while law(high) < q:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if law(middle) < q else (low, middle)
    return high


def p99_after_stall(stall_s: float, *, service_s: float, gap_s: float, duration_s: float) -> float:
    """p99 of a run with constant arrivals in which the server stands still once, for at least a hundredth of it.

    Who comes t into the stall waits the rest of it; the queue that it leaves shrinks by gap - service with each
    request. So waits fall from the whole stall to nothing at the rate 1 - service / gap, and the hundredth part of the
    run that waits longest is the first of them: p99 = stall - duration / 100 * (1 - service / gap), and the service.
    """
    return stall_s - duration_s / 100 * (1 - service_s / gap_s) + service_s
