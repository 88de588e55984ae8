# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The exact law of latency of one instance without a delay: what the simulator is judged by.

Seen at the ends of services the queue length L is a Markov chain: the next batch takes `s = min(max(L, 1), b)` of it
(an empty queue waits for one request), and Poisson arrivals of its service time `tau(s)` follow,
`L' = max(L - b, 0) + Poisson(rate * tau(s))`. (Bailey 1954 embeds such a chain into bulk service queues.) A request
that comes during a service finds the left-over and those who came before it in this service ahead of it, waits for the
rest of the service and for the full batches before its own, and its own batch takes along whoever comes until then.
Poisson arrivals see the chain as it is, so summing over all of them gives mean and quantiles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.errors import InvalidArgumentError
from workbench.simulate.theory import poisson_shares

Array = NDArray[np.float64]

_S: Final = 1e9
_LEAST: Final = 1e-10
"""Probabilities below this are left out."""
_MOMENTS: Final = 200
"""Moments of a service at which requests are taken to come."""


@dataclass(frozen=True, slots=True)
class ExactLatency:
    """The stationary law of latency, and the mean batch size."""

    mean_ns: float
    mean_batch_size: float
    times_ns: Array
    shares: Array

    def quantile_ns(self, q: float) -> float:
        """The time within which the share `q` is answered."""
        return float(np.interp(q, self.shares, self.times_ns))


def exact_latency(service_ns: Array, *, rate: float) -> ExactLatency:
    """Of one instance with batches of up to `len(service_ns)` rows that take these times.

    Args:
        service_ns: time of a batch of 1, 2, ... rows.
        rate: requests per second.

    Raises:
        InvalidArgumentError: no steady state.
    """
    service = np.asarray(service_ns, dtype=np.float64)
    if rate * service[-1] / _S >= len(service):
        raise InvalidArgumentError(f"there is no steady state at {rate:g} requests/s")
    lengths = _stationary(service, rate / _S)
    pieces = list(_latencies(service, rate / _S, lengths))
    times = np.concatenate([times for times, _ in pieces])
    weights = np.concatenate([weights for _, weights in pieces])
    order = np.argsort(times)
    times, weights = times[order], weights[order]
    below = (np.cumsum(weights) - weights / 2) / weights.sum()
    sizes = np.minimum(np.maximum(np.arange(len(lengths)), 1), len(service))
    return ExactLatency(float(times @ weights / weights.sum()), float(lengths @ sizes), times, below)


def _stationary(service: Array, per_ns: float) -> Array:
    """Probabilities of the queue's lengths at the ends of services, by iteration from an empty queue."""
    largest = len(service)
    states = 4 * largest + math.ceil(8 * per_ns * service[-1]) + 64
    while True:
        law = _solved(service, per_ns, states)
        if law[-largest:].sum() < _LEAST or states > 6000:
            return law
        states *= 2


def _solved(service: Array, per_ns: float, states: int) -> Array:
    largest = len(service)
    moves = np.zeros((states, states))
    arrivals = [poisson_shares(per_ns * time, states - 1) for time in service]
    for length in range(states):
        left = max(length - largest, 0)
        moves[length, left:] = arrivals[min(max(length, 1), largest) - 1][: states - left]
        moves[length, -1] += max(0.0, 1 - moves[length].sum())
    # The law is the left eigenvector of 1: balance, with one equation exchanged for the sum of all.
    balance = moves.T - np.eye(states)
    balance[-1] = 1.0
    law: Array = np.asarray(np.linalg.solve(balance, np.eye(states)[-1]), dtype=np.float64)
    law[law < 0] = 0.0
    return law


def _latencies(service: Array, per_ns: float, lengths: Array) -> Iterator[tuple[Array, Array]]:
    """Latencies with their weights, in requests for each service."""
    largest = len(service)
    yield np.array([service[0]]), np.array([lengths[0]])  # those that find an idle instance
    sizes = np.minimum(np.maximum(np.arange(largest + 1), 1), largest)
    served = np.bincount(sizes, weights=lengths[: largest + 1], minlength=largest + 1)
    for size in range(1, largest + 1):
        yield from _during(service, per_ns, size, 0, float(served[size]))
    for left in range(1, len(lengths) - largest):
        yield from _during(service, per_ns, largest, left, float(lengths[left + largest]))


def _during(service: Array, per_ns: float, size: int, left: int, share: float) -> Iterator[tuple[Array, Array]]:
    """Of the requests that come while a batch of `size` is served and `left` were left over."""
    length_ns = float(service[size - 1])
    if share * per_ns * length_ns < _LEAST:
        return
    largest = len(service)
    moments = (np.arange(_MOMENTS) + 0.5) / _MOMENTS * length_ns
    weight = share * per_ns * length_ns / _MOMENTS
    most = math.ceil(per_ns * length_ns + 10 * math.sqrt(per_ns * length_ns) + 12)
    for came in range(most + 1):
        full, place = divmod(left + came, largest)
        before = _poisson_at(per_ns * moments, came) * weight
        rest = length_ns - moments + full * service[-1]
        joined_before = np.zeros_like(rest)
        for joining in range(largest - place - 1):
            share_joining = _poisson_at(per_ns * rest, joining)
            joined_before += share_joining
            yield rest + service[place + joining], before * share_joining
        yield rest + service[-1], before * np.maximum(1 - joined_before, 0)


def _poisson_at(means: Array, count: int) -> Array:
    return np.exp(count * np.log(np.maximum(means, 1e-300)) - means - math.lgamma(count + 1))
