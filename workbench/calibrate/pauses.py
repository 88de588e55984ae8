# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What an execution takes more after its instance was idle: single requests after pauses of every length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.calibrate.calm import SLOWER
from workbench.calibrate.trace import Times, Trace
from workbench.simulate import isotonic

SHORTEST: Final = 0.05
LONGEST: Final = 8.0
"""Pauses that are tried, in service times: what lies between requests from full load down to a tenth of it."""
_CLASS: Final = 16
"""Executions of which one median is taken, at least."""
_CLASSES: Final = 24
_ROUNDS_TO_CHOOSE_FROM: Final = 4


@dataclass(frozen=True, slots=True)
class Round:
    """Single requests to one instance, and what executions without a pause took beside them.

    A machine has phases: a neighbour on its cores slows them by a third for tenths of a second. What was measured at
    another time is no measure of what a pause costs.
    """

    trace: Trace
    service_ns: float


def gaps_ns(service_ns: float, count: int, *, seed: int) -> Times:
    """Times between single requests whose pauses are spread evenly over all orders of magnitude."""
    drawn = np.random.default_rng(seed).uniform(np.log(SHORTEST), np.log(LONGEST), count)
    return np.rint(service_ns * (1 + np.exp(drawn))).astype(np.int64)


def mean_gap_ns(service_ns: float) -> float:
    """Of `gaps_ns`."""
    return service_ns * (1 + (LONGEST - SHORTEST) / math.log(LONGEST / SHORTEST))


def after_pauses_ns(rounds: Sequence[Round]) -> dict[int, float]:
    """Extra nanoseconds by the length of the pause before: medians of classes of like pauses, evened out.

    Rounds whose executions without a pause were slower than elsewhere are left out, and of four and more that are
    left the dearer half: a phase that began or ended within one looks like a cost, or hides it. Empty where there were
    too few pauses to tell.
    """
    usual_ns = min((one.service_ns for one in rounds), default=0.0)
    calm = [one for one in rounds if one.service_ns <= SLOWER * usual_ns]
    told = [one for one in map(_extras, calm) if len(one[0])]
    if len(told) >= _ROUNDS_TO_CHOOSE_FROM:
        told = sorted(told, key=lambda one: float(np.median(one[1])))[: (len(told) + 1) // 2]
    if not told:
        return {}
    pauses, extras = (np.concatenate(parts) for parts in zip(*told, strict=True))
    order = np.argsort(pauses, kind="stable")
    count = min(len(order) // _CLASS, _CLASSES)
    if count == 0:
        return {}
    middles, medians = (_medians(values[order], count) for values in (pauses, extras))
    evened = np.maximum(isotonic(medians), 0.0)
    return {int(pause): float(extra) for pause, extra in zip(middles, evened, strict=True)}


def _extras(one: Round) -> tuple[Times, NDArray[np.float64]]:
    """Pauses before executions of a single request, and by how much these took longer than without one."""
    trace = one.trace
    starts, first = np.unique(trace.start_ns, return_index=True)
    pauses, times = trace.pauses_ns(), (trace.done_ns - trace.start_ns)[first]
    chosen = (np.arange(len(starts)) > 0) & (trace.count[first] == 1) & (pauses > 0)
    return pauses[chosen], times[chosen] - one.service_ns


def _medians(values: NDArray[np.float64] | Times, count: int) -> NDArray[np.float64]:
    return np.array([np.median(part) for part in np.array_split(values, count)])
