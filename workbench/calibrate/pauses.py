# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What an execution takes more after its instance was idle: single requests after pauses of every length."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.calibrate.trace import Times, Trace
from workbench.simulate import isotonic

SHORTEST: Final = 0.05
LONGEST: Final = 8.0
"""Pauses that are tried, in service times: what lies between requests from full load down to a tenth of it."""
_CLASS: Final = 16
"""Executions of which one median is taken."""


def gaps_ns(service_ns: float, count: int, *, seed: int) -> Times:
    """Times between single requests whose pauses are spread evenly over all orders of magnitude."""
    drawn = np.random.default_rng(seed).uniform(np.log(SHORTEST), np.log(LONGEST), count)
    return np.rint(service_ns * (1 + np.exp(drawn))).astype(np.int64)


def mean_gap_ns(service_ns: float) -> float:
    """Of `gaps_ns`."""
    return service_ns * (1 + (LONGEST - SHORTEST) / math.log(LONGEST / SHORTEST))


def after_pauses_ns(trace: Trace, service_ns: float) -> dict[int, float]:
    """Extra nanoseconds by the length of the pause before: medians of classes of like pauses, evened out.

    Args:
        trace: single requests to one instance.
        service_ns: median of executions that follow each other without a pause.

    Returns:
        Empty where there were too few pauses to tell.
    """
    starts, first = np.unique(trace.start_ns, return_index=True)
    pauses, times = trace.pauses_ns(), (trace.done_ns - trace.start_ns)[first]
    chosen = (np.arange(len(starts)) > 0) & (trace.count[first] == 1) & (pauses > 0)
    order = np.argsort(pauses[chosen], kind="stable")
    count = len(order) // _CLASS
    if count == 0:
        return {}
    middles, extras = (_medians(values[chosen][order], count) for values in (pauses, times - service_ns))
    evened = np.maximum(isotonic(extras), 0.0)
    return {int(pause): float(extra) for pause, extra in zip(middles, evened, strict=True)}


def _medians(values: NDArray[np.float64] | Times, count: int) -> NDArray[np.float64]:
    return np.array([np.median(part) for part in np.array_split(values, count)])
