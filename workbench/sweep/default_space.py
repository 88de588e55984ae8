# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A space for who names none: what a model's calibration says may pay, and nothing else."""

from __future__ import annotations

import math
from typing import Final

from workbench.simulate import Calibration
from workbench.sweep.candidate import Candidate
from workbench.sweep.space import SearchSpace

_PAYS: Final = 1.03
"""A larger batch, or another instance, must get this much more through."""
_DELAYS: Final = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)
"""In service times of a batch of one: what is waited for must be worth the wait."""
_MOST_INSTANCES: Final = 4


def default_space(base: Candidate, calibration: Calibration, *, slo_p99_ms: float = math.inf) -> SearchSpace:
    """Sizes while larger batches get more through within the objective, delays in proportion to the service time.

    Args:
        base: the model as it is; its largest batch is the largest tried, since its files may allow no more.
        calibration: how long its executions take.
        slo_p99_ms: a batch or a delay that takes longer by itself is left out.
    """
    sizes = _sizes(base.max_batch_size, calibration, slo_p99_ms)
    alone_us = calibration.service_time_ns(1) / 1e3
    delays = {_two_digits(alone_us * share) for share in _DELAYS if alone_us * share < slo_p99_ms * 1e3 / 2}
    preferred = {(size,) for size in (sizes[-1] // 4, sizes[-1] // 2) if size > 1}
    return SearchSpace(
        max_batch_size=sizes,
        preferred_batch_size=((), *sorted(preferred)),
        max_queue_delay_microseconds=tuple(sorted(delays | {base.max_queue_delay_microseconds})),
        count=_counts(base.count, calibration),
    )


def _sizes(largest: int, calibration: Calibration, slo_p99_ms: float) -> tuple[int, ...]:
    """Powers of two and the model's own size, until a batch of twice the size gets no more through."""
    if largest <= 1:
        return (max(largest, 1),)
    powers = [2**power for power in range(int(math.log2(largest)) + 1)]
    found = [1]
    for size in sorted({*powers[1:], largest}):
        is_late = calibration.service_time_ns(size) / 1e6 > slo_p99_ms
        if is_late or _throughput(calibration, size) < _PAYS * _throughput(calibration, found[-1]):
            break
        found.append(size)
    return tuple(sorted({*found, largest}))


def _throughput(calibration: Calibration, size: int) -> float:
    return size / calibration.service_time_ns(size)


def _counts(base: int, calibration: Calibration) -> tuple[int, ...]:
    """Instances while one more gets more through; where that was not measured, as many as there are and one more."""
    if not calibration.contention:
        return tuple(sorted({1, base, base + 1}))
    found = [1]
    while len(found) < _MOST_INSTANCES:
        more = found[-1] + 1
        if more * calibration.speed(more) < _PAYS * found[-1] * calibration.speed(found[-1]):
            break
        found.append(more)
    return tuple(sorted({*found, base}))


def _two_digits(microseconds: float) -> int:
    """Nobody wants a delay of 1037 µs."""
    digits = max(int(math.log10(max(microseconds, 1.0))) - 1, 0)
    step: int = 10**digits
    return round(microseconds / step) * step
