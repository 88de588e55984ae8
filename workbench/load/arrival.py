# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""When the requests of a run are sent: seeded schedules, drawn as a whole before the run."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench import _native
from workbench.errors import InvalidArgumentError, error_for

ArrivalKind: TypeAlias = Literal["constant", "poisson", "gamma", "markov"]

ARRIVAL_KINDS: Final = ("constant", "poisson", "gamma", "markov")


def draw_arrivals(kind: str, *, rate: float, count: int, seed: int = 1, shape: float = 0.5) -> NDArray[np.int64]:
    """`count` ascending times in nanoseconds since the start of the run; the same arguments give the same times.

    Args:
        kind: `constant` (equal gaps), `poisson` (exponential gaps), `gamma` (gamma gaps, whose squared coefficient
            of variation is 1 / shape: below 1 burstier than Poisson, above 1 calmer), or `markov` (Poisson whose rate
            switches between two states of 0.1 s mean dwell time; shape is the ratio of their rates).
        rate: requests per second, in the mean.
        count: how many.
        seed: of the generator.
        shape: see `kind`.

    Raises:
        InvalidArgumentError: no such kind, or a rate or shape that is not positive.
    """
    try:
        return _native.draw_arrivals(kind, rate=rate, count=count, seed=seed, shape=shape)
    except _native.StatusError as error:
        raise error_for(error.code, str(error)) from error


def replayed(times_s: ArrayLike) -> NDArray[np.int64]:
    """The given times (seconds since the start of the run, ascending) as a schedule.

    Raises:
        InvalidArgumentError: the times are no ascending row of finite, non-negative numbers.
    """
    times = np.asarray(times_s, dtype=np.float64)
    if times.ndim != 1 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0) or np.any(times < 0):
        raise InvalidArgumentError("a replay needs ascending times, in seconds since its start, none of them negative")
    return np.rint(times * 1e9).astype(np.int64)
