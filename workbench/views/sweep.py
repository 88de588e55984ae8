# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a sweep, by matplotlib: the space as a heat map, the trials as a front of throughput and latency.

Every mark is a measurement at one load and carries its interval; what is flagged or misses the objective looks so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import InvalidArgumentError, MissingExtraError
from workbench.sweep import Point, Study, Trial
from workbench.views.colours import BLUE, GREEN, GREY, VERMILION
from workbench.views.still import Still
from workbench.views.units import three_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES: Final = ("max_batch_size", "preferred_batch_size", "max_queue_delay_microseconds", "count")
_WORDS: Final = {
    "max_batch_size": "max batch",
    "preferred_batch_size": "preferred",
    "max_queue_delay_microseconds": "delay µs",
    "count": "instances",
}


def heat_map(study: Study, *, x: str = "max_queue_delay_microseconds", y: str = "max_batch_size") -> Still:
    """p99 over two fields of the configuration, a panel for each combination of the other two.

    A cell holds the p99 and its 95 % interval in milliseconds; one that misses the objective is crossed out, one that
    was flagged bears an asterisk, and one that no server would run is empty.

    Args:
        study: the sweep.
        x: field along the horizontal axis.
        y: field along the vertical axis.

    Raises:
        InvalidArgumentError: no such field, or the same twice.
        MissingExtraError: matplotlib is not installed.
    """
    if x == y or not {x, y} <= set(AXES):
        raise InvalidArgumentError(f"a heat map has two different fields of {', '.join(AXES)} as axes")
    columns = _values(study.finals, x)
    others = [name for name in AXES if name not in (x, y)]
    panels = sorted({tuple(getattr(trial.candidate, name) for name in others) for trial in study.finals})
    across = min(len(panels), 3)
    down = math.ceil(len(panels) / across)
    height = 0.6 * len(_values(study.finals, y)) + 1.0
    figure = _figure(max(3.0, 0.9 * len(columns) + 1.0) * across, height * down)
    grid = figure.subplots(down, across, squeeze=False)
    for axes, panel in zip(grid.flat, panels, strict=False):
        chosen = [t for t in study.finals if tuple(getattr(t.candidate, name) for name in others) == panel]
        _panel(axes, study, chosen, (x, columns), (y, _values(study.finals, y)))
        axes.set_title(", ".join(f"{_WORDS[n]} {_text(v)}" for n, v in zip(others, panel, strict=True)), fontsize=9)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_axis_off()
    figure.suptitle(f"{study.model}: p99 in ms at {study.workload}", fontsize=10)
    return Still(figure)


def front(study: Study) -> Still:
    """Throughput against p99, one point for each candidate, with 95 % intervals; the front is joined.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    figure = _figure(7.2, 4.2)
    axes = figure.subplots()
    measured = [(trial, trial.point) for trial in study.finals if trial.point is not None]
    for trial, point in measured:
        _mark(axes, trial, point)
    if edge := pareto(measured):
        axes.plot([p.throughput for _, p in edge], [p.p99_ms.value for _, p in edge], color=GREEN, lw=1, zorder=1)
    for trial, point in edge:
        axes.annotate(str(trial.candidate), (point.throughput, point.p99_ms.value), (-6, -9), fontsize=7, ha="right",
                      textcoords="offset points")  # fmt: skip
    if math.isfinite(study.slo_p99_ms):
        axes.axhline(study.slo_p99_ms, color=GREY, lw=0.8, ls=":")
        axes.annotate(f"objective {study.slo_p99_ms:g} ms", (0.01, study.slo_p99_ms), (0, 3), fontsize=7,
                      xycoords=("axes fraction", "data"), textcoords="offset points", color=GREY)  # fmt: skip
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(_locator((1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(lambda value, _: three_digits(value))
    axes.yaxis.set_minor_formatter(lambda _value, _place: "")
    axes.tick_params(labelsize=8)
    axes.set_xlim(left=0)
    axes.set_xlabel("answers per second")
    axes.set_ylabel("p99, ms")
    figure.suptitle(f"{study.model}: {study.objective}; {study.workload}", fontsize=9)
    return Still(figure)


def pareto(measured: Sequence[tuple[Trial, Point]]) -> list[tuple[Trial, Point]]:
    """Those that no other beats in p99 without answering less beyond doubt, by rising throughput."""

    def is_beaten(point: Point) -> bool:
        return any(
            other.p99_ms.value < point.p99_ms.value and other.throughput + _half(other) >= point.throughput
            for _, other in measured
        )

    edge = [(trial, point) for trial, point in measured if not is_beaten(point)]
    return sorted(edge, key=lambda pair: pair[1].throughput)


def _half(point: Point) -> float:
    return point.throughput_high - point.throughput


def _figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure as NewFigure
    except ImportError as error:
        raise MissingExtraError("a picture of a sweep", extra="tune") from error
    return NewFigure(figsize=(width, height), layout="constrained")


def _locator(steps: Sequence[float]) -> Any:
    from matplotlib.ticker import LogLocator

    return LogLocator(10.0, subs=steps)


def _mark(axes: Axes, trial: Trial, point: Point) -> None:
    colour = BLUE if trial.is_feasible else VERMILION
    p99 = point.p99_ms
    high = p99.high if p99.is_bounded else p99.value
    axes.errorbar(
        point.throughput,
        p99.value,
        xerr=_half(point),
        yerr=[[max(p99.value - p99.low, 0.0)], [max(high - p99.value, 0.0)]],
        fmt="o" if trial.is_feasible else "x",
        mfc=colour if point.is_steady else "none",
        color=colour,
        ms=5,
        lw=0.8,
        capsize=2,
    )


def _panel(
    axes: Axes,
    study: Study,
    trials: Sequence[Trial],
    x: tuple[str, Sequence[Any]],
    y: tuple[str, Sequence[Any]],
) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import LogNorm

    colours, shade = colormaps["cividis_r"], LogNorm(*_scale(study), clip=True)
    best = study.best.candidate
    for trial in trials:
        column, row = x[1].index(getattr(trial.candidate, x[0])), y[1].index(getattr(trial.candidate, y[0]))
        value = trial.point.p99_ms.value if trial.point else math.nan
        face = colours(shade(value)) if math.isfinite(value) else "white"
        _cell(axes, (column, row), face, is_best=trial.candidate == best)
        is_dark = math.isfinite(value) and shade(value) > 0.55
        axes.text(column, row, _cell_words(trial), ha="center", va="center", fontsize=7,
                  color="white" if is_dark else "black")  # fmt: skip
    axes.set(xlim=(-0.5, len(x[1]) - 0.5), ylim=(-0.5, len(y[1]) - 0.5))
    axes.set_xticks(range(len(x[1])), [_text(value) for value in x[1]], fontsize=8)
    axes.set_yticks(range(len(y[1])), [_text(value) for value in y[1]], fontsize=8)
    axes.set_xlabel(_WORDS[x[0]], fontsize=8)
    axes.set_ylabel(_WORDS[y[0]], fontsize=8)
    axes.tick_params(length=0)
    axes.set_facecolor("#EEEEEE")
    axes.spines[:].set_visible(False)


def _cell(axes: Axes, place: tuple[int, int], face: Any, *, is_best: bool) -> None:
    from matplotlib.patches import Rectangle

    edge, width = (GREEN, 3.0) if is_best else ("white", 1.0)
    corner = (place[0] - 0.5, place[1] - 0.5)
    axes.add_patch(Rectangle(corner, 1, 1, fc=face, ec=edge, lw=width, zorder=2 if is_best else 1))


def _cell_words(trial: Trial) -> str:
    if trial.point is None:
        return "refused"
    p99 = trial.point.p99_ms
    high = three_digits(p99.high) if p99.is_bounded else "?"
    flag = "" if trial.point.is_steady else "*"
    miss = "" if trial.is_feasible else "✗ "
    return f"{miss}{three_digits(p99.value)}{flag}\n{three_digits(p99.low)}–{high}"


def _scale(study: Study) -> tuple[float, float]:
    values = [trial.point.p99_ms.value for trial in study.finals if trial.point is not None]
    values = [value for value in values if math.isfinite(value) and value > 0] or [1.0]
    # What misses the objective by far would leave no colours to tell the others apart.
    highest = min(max(values), 2 * study.slo_p99_ms) if min(values) < study.slo_p99_ms else max(values)
    return min(values), max(highest, min(values) * 1.01)


def _values(trials: Sequence[Trial], name: str) -> list[Any]:
    return sorted({getattr(trial.candidate, name) for trial in trials})


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "max"
    return str(value)
