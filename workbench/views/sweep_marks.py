# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How the pictures of a sweep draw a point: measured ones are filled, with their interval; predicted ones are pale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import MissingExtraError
from workbench.sweep import Point
from workbench.views.colours import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORDS: Final = {
    "max_batch_size": "max batch",
    "preferred_batch_size": "preferred",
    "max_queue_delay_microseconds": "delay µs",
    "count": "instances",
    "dynamic_batching": "dynamic batching",
    "priority_levels": "priority levels",
    "default_queue_policy": "queue",
}
"""The fields of a candidate, as axes call them."""

SERIES: Final = (BLUE, GREEN, ORANGE, PURPLE, VERMILION, GREY)
PREDICTED: Final = 0.45
"""Opacity of what was simulated."""


def new_figure(width: float, height: float) -> Figure:
    """A figure that belongs to no window.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure as NewFigure
    except ImportError as error:
        raise MissingExtraError("a picture of a sweep", extra="tune") from error
    return NewFigure(figsize=(width, height), layout="constrained")


def value_text(value: Any) -> str:
    """A candidate's value, short."""
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "max"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def draw_predicted(axes: Axes, points: Sequence[Point], colour: str) -> None:
    """A pale dashed line through simulated points, by rising rate."""
    points = sorted(points, key=lambda point: point.offered_rate)
    rates, p99s = [p.offered_rate for p in points], [p.p99_ms.value for p in points]
    axes.plot(rates, p99s, color=colour, alpha=PREDICTED, ls="--", lw=1.4, zorder=1)


def draw_measured(axes: Axes, points: Sequence[Point], colour: str, label: str) -> None:
    """Filled marks with their intervals; what is flagged is hollow, what fell behind a cross."""
    for number, point in enumerate(sorted(points, key=lambda point: point.offered_rate)):
        p99 = point.p99_ms
        high = p99.high if p99.is_bounded else p99.value
        axes.errorbar(
            point.offered_rate,
            p99.value,
            yerr=[[max(p99.value - p99.low, 0.0)], [max(high - p99.value, 0.0)]],
            fmt="x" if point.falls_behind else "o",
            mfc=colour if point.is_steady else "none",
            color=colour,
            ms=5,
            lw=0.8,
            capsize=2,
            zorder=3,
            label=label if number == 0 else None,
        )
