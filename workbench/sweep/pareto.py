# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Trials that no other beats in every figure at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from workbench.errors import NotFoundError
from workbench.sweep.trial import Trial

_GOODNESS: Final[Mapping[str, Callable[[Trial], float]]] = {
    "gain": lambda trial: trial.rank[-1],
    "throughput": lambda trial: trial.points[-1].throughput,
    "p99_ms": lambda trial: -trial.points[-1].p99_ms.value,
    "memory_bytes": lambda trial: -float(trial.memory_bytes),
    "count": lambda trial: -float(trial.candidate.count),
}
FIGURES: Final = tuple(_GOODNESS)


def pareto(trials: Sequence[Trial], figures: Sequence[str]) -> tuple[Trial, ...]:
    """Those of the measured trials that no other equals in all figures and beats in one.

    Raises:
        NotFoundError: no such figure.
    """
    if unknown := [name for name in figures if name not in _GOODNESS]:
        raise NotFoundError(f"no figure {', '.join(unknown)}; there are {', '.join(FIGURES)}")
    measured = [trial for trial in trials if trial.points]
    goods = [tuple(_GOODNESS[name](trial) for name in figures) for trial in measured]
    beaten = [any(_beats(other, good) for other in goods) for good in goods]
    return tuple(trial for trial, is_beaten in zip(measured, beaten, strict=True) if not is_beaten)


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))
