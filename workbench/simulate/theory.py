# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What queueing theory says of a batching server in closed form: to draw beside measurements, and to doubt them by.

Everywhere: Poisson arrivals with `rate` requests per second, one row each; times in nanoseconds; `line` is the straight
line `row_ns * rows + fixed_ns` through the service times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.errors import InvalidArgumentError
from workbench.simulate.calibration import Calibration
from workbench.simulate.interpolation import Line, service_table

_S = 1e9


def capacity(calibration: Calibration, max_batch_size: int, *, instances: int = 1) -> float:
    """Most requests per second that can be answered: every instance executes full batches all the time.

    `N r(N) b / (tau(b) + turnaround)`, at the batch size up to `max_batch_size` that is best; tau in the mean.
    """
    sizes = np.arange(1, max(max_batch_size, 1) + 1)
    service_ns = service_table(calibration.service_ns, int(sizes[-1])) * calibration.mean_factor
    occupied_ns = service_ns + calibration.turnaround_ns
    return float(instances * calibration.speed(instances) * (sizes / occupied_ns).max() * _S)


def utilisation(calibration: Calibration, max_batch_size: int, *, rate: float, instances: int = 1) -> float:
    """Share of the capacity that is asked for; from 1 on the queue grows for ever."""
    return rate / capacity(calibration, max_batch_size, instances=instances)


def mean_latency_bound_ns(line: Line, *, rate: float) -> float:
    """Upper bound of the mean latency of one instance that takes all that waits, without a largest batch size.

    Inoue, "Queueing analysis of GPU-based inference servers with dynamic batching: a closed-form characterization",
    Performance Evaluation 147 (2021), theorem 2: the smaller of two bounds. Simulations lie at most some 8 % below.

    Raises:
        InvalidArgumentError: no steady state: more rows come than go through.
    """
    per_ns, alpha, tau = rate / _S, line.row_ns, line.fixed_ns
    rho = per_ns * alpha
    if not 0 <= rho < 1:
        raise InvalidArgumentError(f"there is no steady state at {rate:g} requests/s: {rho:.0%} of what goes through")
    first = (alpha + tau) / (2 * (1 - rho)) * (1 + 2 * per_ns * tau + (1 - per_ns * tau) / (1 + rho))
    second = 1.5 * tau / (1 - rho) + alpha / 2 * (rho + 2) / (1 - rho**2)
    return min(first, second)


def single_requests_mean_ns(service_ns: float, *, rate: float) -> float:
    """Mean latency of one instance without batching (M/D/1), exactly: `tau (2 - rho) / (2 (1 - rho))`.

    Pollaczek 1930 and Khinchine 1932, for a service time that does not vary.

    Raises:
        InvalidArgumentError: no steady state.
    """
    rho = rate * service_ns / _S
    if not 0 <= rho < 1:
        raise InvalidArgumentError(f"there is no steady state at {rate:g} requests/s: utilisation would be {rho:.0%}")
    return service_ns * (2 - rho) / (2 * (1 - rho))


@dataclass(frozen=True, slots=True)
class ClosedLoop:
    """Steady state with a fixed number of requests in flight."""

    throughput: float
    latency_ns: float


def closed_loop(calibration: Calibration, max_batch_size: int, *, instances: int = 1) -> ClosedLoop:
    """With `2 b N` requests in flight: one batch of b executes on each instance while the next one gathers.

    Throughput `N r(N) b / tau(b)`, and a request waits for one batch and is in the next: `2 tau(b) / r(N)`.
    By Little's law the two belong together.
    """
    size = max(max_batch_size, 1)
    service_ns = calibration.service_time_ns(size) * calibration.mean_factor
    occupied_ns = (service_ns + calibration.turnaround_ns) / calibration.speed(instances)
    return ClosedLoop(instances * size / occupied_ns * _S, 2 * occupied_ns)


def mean_batch_with_delay(max_batch_size: int, *, rate: float, delay_ns: float) -> float:
    """Mean batch size while an instance is always idle when a request comes, and the batch waits for `delay_ns`.

    The first request opens the batch, `Poisson(rate * delay)` others join it until it is full:
    `1 + E[min(b - 1, Poisson(rate delay))]`.
    """
    room = max(max_batch_size, 1) - 1
    mean = rate * delay_ns / _S
    shares = poisson_shares(mean, room)
    return 1 + float(shares @ np.arange(room + 1)) + room * max(0.0, 1 - float(shares.sum()))


def poisson_shares(mean: float, largest: int) -> NDArray[np.float64]:
    """Probabilities of 0 to `largest` events."""
    counts = np.arange(largest + 1, dtype=np.float64)
    if mean <= 0:
        return np.asarray(counts == 0, dtype=np.float64)
    log_factorials = np.concatenate(([0.0], np.cumsum(np.log(np.maximum(counts[1:], 1)))))
    shares: NDArray[np.float64] = np.exp(counts * math.log(mean) - mean - log_factorials)
    return shares
