# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Linked spans on paper: lines along sequences, and an ensemble's requests above the lanes of their steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from workbench.events import SequenceFlag, rows_of
from workbench.views import colours
from workbench.views.units import duration
from workbench.views.view import Totals, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK: Final = "#111111"
FAINT: Final = "#6b6b6b"
MOST_LINKS: Final = 400
_MOST_ROWS: Final = 8


def links(axes: Axes, view: View, lane: int, start_ns: int, end_ns: int) -> None:
    """A line from request to request of each sequence, a triangle where it starts, a square where it ends."""
    rows = view.chains.rows
    rows = rows[(rows["lane"] == lane) & (rows["start_ns"] < end_ns) & (rows["end_ns"] > start_ns)]
    if not len(rows) or len(rows) > MOST_LINKS:
        return
    rows = rows[np.lexsort((rows["start_ns"], rows["label"]))]
    slots = max(view.facts.max_batch_size, int(view.chains.rows["slot"].max()) + 1, 1)
    level = 1 - (rows["slot"] + 0.5) / slots
    begins, ends = ((rows[name] - start_ns) / 1e9 for name in ("start_ns", "end_ns"))
    follows = (np.diff(rows["label"]) == 0) & (np.diff(rows["position"].astype(np.int64)) == 1)
    for at in np.flatnonzero(follows):
        axes.plot([ends[at], begins[at + 1]], [level[at], level[at + 1]], color=colours.PURPLE, linewidth=0.8)
    kinds = np.where(rows["flags"] & SequenceFlag.START, 0, np.where(rows["flags"] & SequenceFlag.END, 1, 2))
    for kind, marker in enumerate((">", "s", "o")):
        those = (kinds == kind) & (begins >= 0)
        look: dict[str, Any] = {"color": INK, "markersize": 3.2, "markeredgecolor": "white", "markeredgewidth": 0.5}
        axes.plot(begins[those], level[those], marker, linestyle="", **look)


def roots(axes: Axes, view: View, start_ns: int, end_ns: int) -> None:
    """The requests of an ensemble as bars, in rows so that none lies on another."""
    tops = view.trees[view.trees["parent"] < 0]
    tops = tops[(tops["arrival_ns"] < end_ns) & (tops["end_ns"] > start_ns)]
    for side in ("top", "left", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, labelbottom=False)
    axes.text(-0.015, 0.5, "requests", ha="right", va="center", color=INK, transform=axes.transAxes)
    rows = np.minimum(rows_of(tops), _MOST_ROWS - 1) if len(tops) else np.zeros(0, np.int64)
    lefts, widths = (tops["arrival_ns"] - start_ns) / 1e9, (tops["end_ns"] - tops["arrival_ns"]) / 1e9
    shades = [colours.VERMILION if status else "#777777" for status in tops["status"]]
    axes.barh(rows, widths, left=lefts, height=0.7, color=shades)
    axes.set(
        xlim=(0, max((end_ns - start_ns) / 1e9, 1e-9)), ylim=(-0.6, max(int(rows.max(initial=0)), 2) + 0.6), yticks=[]
    )


def step_bars(axes: Axes, totals: Totals, steps: Sequence[str]) -> None:
    """Of an ensemble: how long each step waits (grey) and runs (dark); of many the longest four."""
    taken = [wait_ns + rest_ns for _, wait_ns, rest_ns in totals.steps]
    shown = sorted(sorted(range(len(taken)), key=lambda step: -taken[step])[:4])
    most = max(*taken, 1.0)
    for row, step in enumerate(shown):
        _, wait_ns, rest_ns = totals.steps[step]
        axes.barh(row, wait_ns / most, color=colours.GREY, height=0.62)
        axes.barh(row, rest_ns / most, left=wait_ns / most, color="#222222", height=0.62)
        weight = "bold" if taken[step] == max(taken) else "normal"
        axes.text(1.4, row, duration(taken[step] / 1e9), va="center", ha="right", color=INK, fontweight=weight)
        axes.text(-0.04, row, f"{step} {steps[step]}", va="center", ha="right", color=FAINT, fontsize=8)
    axes.set(xlim=(0, 1.4), ylim=(3.6, -1.4), xticks=[], yticks=[])
    axes.text(0, -1.05, f"where {duration(totals.split.total_ns / 1e9)} go", color=FAINT, va="center")
