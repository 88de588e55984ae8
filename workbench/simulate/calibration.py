# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How long a model's executions take: what a simulation needs to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.display import ShownAsText
from workbench.errors import InvalidArgumentError
from workbench.simulate.interpolation import Line, fitted_line, service_table, speed_table


@dataclass(frozen=True, slots=True)
class Calibration(ShownAsText):
    """Service times of a model, measured by `calibrate` or given by hand.

    Args:
        service_ns: median time of one execution, by batch size; sizes between are interpolated.
        overhead_ns: what a request takes besides queue and service: its way in, and its answer's way out.
        contention: speed of one instance while k are active, by k; 1 alone. Counts between are interpolated, more
            instances than the largest share what that many get through. Empty: they do not disturb each other.
        turnaround_ns: between an instance's answer and its next batch, where one waits.
        wake_ns: until an idle instance takes what is ready for it.
        timer_late_ns: how much later than the queue delay says a batch is looked for.
        after_pause_ns: what an execution takes more after its instance was idle, by how long it was: caches are cold
            then, and cores slept. Pauses between are interpolated. Empty: nothing.
        spread: equally likely factors of the service time; empty where it does not vary.
        model: whose it is.
        machine: where it was measured, see `fingerprint`.
        samples_ns: what was measured, by batch size; for pictures.
    """

    service_ns: Mapping[int, float]
    overhead_ns: float = 0
    contention: Mapping[int, float] = field(default_factory=dict)
    turnaround_ns: float = 0
    wake_ns: float = 0
    timer_late_ns: float = 0
    spread: tuple[float, ...] = ()
    model: str = ""
    machine: Mapping[str, str] = field(default_factory=dict)
    samples_ns: Mapping[int, tuple[int, ...]] = field(default_factory=dict, repr=False)
    after_pause_ns: Mapping[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_positive("service_ns", self.service_ns)
        _check_positive("contention", self.contention, may_be_empty=True)
        for name in ("overhead_ns", "turnaround_ns", "wake_ns", "timer_late_ns"):
            if not getattr(self, name) >= 0:
                raise InvalidArgumentError(f"{name} can not be negative")
        if any(not factor > 0 for factor in self.spread):
            raise InvalidArgumentError("factors of the service time are positive")
        if any(pause < 0 or not extra >= 0 for pause, extra in self.after_pause_ns.items()):
            raise InvalidArgumentError("after_pause_ns: neither a pause nor what it costs can be negative")
        for name in ("service_ns", "contention", "machine", "samples_ns", "after_pause_ns"):
            object.__setattr__(self, name, MappingProxyType(dict(sorted(getattr(self, name).items()))))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.to_mapping(),)

    @property
    def line(self) -> Line:
        """The straight line through the service times: for pictures and bounds, not for simulations."""
        return fitted_line(self.service_ns)

    @property
    def largest(self) -> int:
        """The largest batch size that was measured; beyond it the last slope goes on."""
        return max(self.service_ns)

    def service_time_ns(self, rows: int) -> float:
        """Nanoseconds that a batch of so many rows takes, alone on the machine."""
        return float(service_table(self.service_ns, rows)[-1])

    @property
    def mean_factor(self) -> float:
        """Mean of the service time's factors: medians alone would promise too much."""
        return float(np.mean(self.spread)) if self.spread else 1.0

    def speed(self, active: int) -> float:
        """Of one instance while so many are active, as a share of what it is alone: 1 to 0."""
        return float(speed_table(self.contention, active)[-1])

    def to_mapping(self) -> dict[str, Any]:
        """Plain values, as they are stored."""
        return {
            "service_ns": dict(self.service_ns),
            "overhead_ns": self.overhead_ns,
            "contention": dict(self.contention),
            "turnaround_ns": self.turnaround_ns,
            "wake_ns": self.wake_ns,
            "timer_late_ns": self.timer_late_ns,
            "spread": list(self.spread),
            "model": self.model,
            "machine": dict(self.machine),
            "samples_ns": {size: list(times) for size, times in self.samples_ns.items()},
            "after_pause_ns": dict(self.after_pause_ns),
        }

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Calibration:
        """The reverse of `to_mapping`; keys may have become text, as JSON makes them.

        Raises:
            InvalidArgumentError: something is missing, or no number.
        """
        try:
            given = dict(values)
            for name in ("service_ns", "contention", "samples_ns", "after_pause_ns"):
                given[name] = {int(key): value for key, value in given.get(name, {}).items()}
            given["samples_ns"] = {size: tuple(times) for size, times in given["samples_ns"].items()}
            given["spread"] = tuple(given.get("spread", ()))
            return cls(**given)
        except (AttributeError, TypeError, ValueError) as error:
            raise InvalidArgumentError(f"no calibration: {error}") from error

    @property
    def _ends(self) -> tuple[int, ...]:
        return tuple(sorted({min(self.service_ns), self.largest}))

    def __str__(self) -> str:
        name = self.model or "calibration"
        ends = ", ".join(f"batch {size}: {self.service_ns[size] / 1e6:.3g} ms" for size in self._ends)
        slowest = min(self.contention.items(), key=lambda item: -item[0], default=None)
        shared = f"; {slowest[0]} at once run at {slowest[1]:.0%}" if slowest else ""
        return f"{name}: {ends}; overhead {self.overhead_ns / 1e3:.3g} µs{shared}"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{size}</td><td>{time / 1e6:.4g}</td></tr>" for size, time in self.service_ns.items())
        return f"<p>{self}</p><table><tr><th>batch size</th><th>service time, ms</th></tr>{rows}</table>"


def _restored(values: dict[str, Any]) -> Calibration:
    return Calibration.from_mapping(values)


def _check_positive(name: str, values: Mapping[int, float], *, may_be_empty: bool = False) -> None:
    if not values and not may_be_empty:
        raise InvalidArgumentError(f"{name} is empty; a calibration needs at least the time of a batch of 1")
    if any(size < 1 for size in values):
        raise InvalidArgumentError(f"{name}: sizes begin at 1")
    if not all(np.isfinite(value) and value > 0 for value in values.values()):
        raise InvalidArgumentError(f"{name}: every value is a positive number")
