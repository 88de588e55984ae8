# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Two targets compared: runs in ABBA order on the same traces, ratios with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final, TypeAlias

import numpy as np

from workbench.display import Report, ShownAsText, silent
from workbench.errors import InvalidArgumentError
from workbench.load.generator import measure
from workbench.load.measurement import Measurement
from workbench.load.quantiles import Interval
from workbench.load.target import Target
from workbench.load.workload import Workload

Side: TypeAlias = Target | Callable[[], Target]
"""What is compared: a target, or what makes one ready before each of its runs, such as a change of configuration."""

_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t at 97.5 % for 1 to 10 degrees of freedom; above that the normal's 1.96 is near enough."""
_FIGURES: Final[Mapping[str, Callable[[Measurement], float]]] = {
    "mean": lambda measured: measured.latency.mean.value,
    "p50": lambda measured: measured.latency.p50.value,
    "p90": lambda measured: measured.latency.p90.value,
    "p99": lambda measured: measured.latency.p99.value,
    "throughput": lambda measured: measured.throughput,
}


@dataclass(frozen=True, slots=True)
class Comparison(ShownAsText):
    """How two targets did on the same traces.

    Attributes:
        first, second: their names.
        ratios: second over first, by figure (mean, p50, p90, p99 and throughput), with 95 % intervals over the blocks.
        measurements: all runs, in their order: first, second, second, first, and so on.
    """

    first: str
    second: str
    ratios: Mapping[str, Interval]
    measurements: tuple[Measurement, ...] = field(repr=False)

    def differs(self, figure: str = "p99") -> bool:
        """Whether the figure (a key of `ratios`) differs by more than the doubt: its 95 % interval leaves 1 out."""
        ratio = self.ratios[figure]
        return not ratio.low <= 1 <= ratio.high

    @property
    def flagged(self) -> int:
        """How many of the runs were flagged."""
        return sum(not measured.is_steady for measured in self.measurements)

    def __str__(self) -> str:
        ratios = ", ".join(f"{name} × {ratio}" for name, ratio in self.ratios.items())
        doubt = f" [{self.flagged} of {len(self.measurements)} runs flagged]" if self.flagged else ""
        return f"{self.second} against {self.first}: {ratios}{doubt}"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{name}</td><td>{ratio}</td><td>{verdict}</td></tr>"
            for name, ratio in self.ratios.items()
            for verdict in ("differs" if self.differs(name) else "within the doubt",)
        )
        title = f"{escape(self.second)} over {escape(self.first)}"
        return (
            f"<table><caption>{title}, {self.flagged} of {len(self.measurements)} runs flagged</caption>{rows}</table>"
        )


def compare(
    first: Side,
    second: Side,
    workload: Workload,
    *,
    blocks: int = 4,
    warmup_s: float | None = None,
    report: Report = silent,
) -> Comparison:
    """Drives both by turns and gives the ratios of what was measured.

    Each block is first, second, second, first, all on one trace, so that what drifts slowly meets both alike; each
    block has a trace of its own. The interval is Student's over the blocks' log ratios.

    Args:
        first: a target, or a callable that makes it ready and returns it.
        second: what is compared with it.
        workload: of each single run; the blocks' seeds follow on its own.
        blocks: how many; two at least.
        warmup_s: left out of each run; None to find it.
        report: told of the progress.

    Raises:
        InvalidArgumentError: fewer than two blocks.
    """
    if blocks < 2:
        raise InvalidArgumentError("a comparison needs two blocks at least: one says nothing of the doubt")
    pairs: list[tuple[Measurement, Measurement]] = []
    measurements: list[Measurement] = []
    for block in range(blocks):
        trace = workload if workload.times_s else replace(workload, seed=workload.seed + block)
        runs = []
        for number, side in enumerate((first, second, second, first)):
            report(4 * block + number, 4 * blocks, f"block {block + 1} of {blocks}")
            runs.append(measure(_ready(side), trace, warmup_s=warmup_s))
        pairs += [(runs[0], runs[1]), (runs[3], runs[2])]
        measurements += runs
    ratios = {name: _ratio([_log_ratio(figure, *pair) for pair in pairs]) for name, figure in _FIGURES.items()}
    return Comparison(measurements[0].model, measurements[1].model, ratios, tuple(measurements))


def _ready(side: Side) -> Target:
    return side if isinstance(side, Target) else side()


def _log_ratio(figure: Callable[[Measurement], float], first: Measurement, second: Measurement) -> float:
    before, after = figure(first), figure(second)
    return math.log(after / before) if before > 0 and after > 0 else math.nan


def _ratio(logs: list[float]) -> Interval:
    """From the log ratios of neighbouring runs; those of one block share a trace, and are one sample."""
    of_blocks = np.array(logs).reshape(-1, 2).mean(axis=1)
    freedom = len(of_blocks) - 1
    student = _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else 1.96
    middle, half = float(of_blocks.mean()), student * float(of_blocks.std(ddof=1)) / math.sqrt(len(of_blocks))
    return Interval(math.exp(middle), math.exp(middle - half), math.exp(middle + half))


def with_control_variate(measured: Interval, *, predicted: float, predicted_on_trace: float) -> Interval:
    """A measured quantile, corrected for the luck of its trace.

    What a simulator says of the same arrivals differs from what it says in the long run by that luck alone, and the
    measured value shares it: measured × predicted / predicted on the trace.

    Args:
        measured: of a run.
        predicted: the same figure of a very long simulation.
        predicted_on_trace: of a simulation of the run's own arrivals, with the same warm-up left out.

    Raises:
        InvalidArgumentError: a prediction that is not positive.
    """
    if not (predicted > 0 and predicted_on_trace > 0):
        raise InvalidArgumentError(f"predictions are positive, not {predicted} and {predicted_on_trace}")
    return measured.scaled(predicted / predicted_on_trace)
