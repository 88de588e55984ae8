# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Lanes of batches on paper: a row for each instance, close up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.views import colours
from workbench.views.batching import reasons_of
from workbench.views.closeup import closeup_slice
from workbench.views.paper import FAINT, INK, bare, hatch_of
from workbench.views.paper_linked import links, roots
from workbench.views.units import duration, percent
from workbench.views.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec


def lanes(figure: Figure, places: Sequence[SubplotSpec], view: View) -> None:
    """A lane for each instance, close up: batches with their reasons, and who waited."""
    start_ns, end_ns = closeup_slice(view)
    if view.facts.steps:
        roots(figure.add_subplot(places[0]), view, start_ns, end_ns)
        places = places[1:]
    for lane, place in enumerate(places):
        axes = figure.add_subplot(place)
        _lane(axes, view, lane, start_ns, end_ns)
        last = lane == len(places) - 1
        axes.tick_params(labelbottom=last, length=3 if last else 0, colors=FAINT)
        axes.xaxis.set_major_formatter(lambda value, _: duration(value) if value else "0")


def _lane(axes: Axes, view: View, lane: int, start_ns: int, end_ns: int) -> None:
    bare(axes)
    span_s = max((end_ns - start_ns) / 1e9, 1e-9)
    axes.set(xlim=(0, span_s), ylim=(0, 2), yticks=[])
    axes.text(-0.015, 0.25, view.facts.instances[lane], ha="right", va="center", color=FAINT, transform=axes.transAxes)
    if view.totals is not None and lane < len(view.totals.busy):
        busy = f"busy {percent(view.totals.busy[lane])}"
        axes.text(1.008, 0.25, busy, va="center", color=FAINT, fontsize=8, transform=axes.transAxes)
    told = view.batches
    batches = told[(told["instance"] == lane) & (told["start_ns"] < end_ns) & (told["end_ns"] > start_ns)]
    requests = view.requests.take(np.flatnonzero(view.requests["instance"] == lane))
    most = view.facts.lanes[lane].max_batch_size if view.facts.lanes else view.facts.max_batch_size
    _blocks(axes, batches, most, start_ns, span_s)
    _fan(axes, requests[np.isin(requests["batch"], batches["batch"])], start_ns)
    links(axes, view, lane, start_ns, end_ns)


def _blocks(axes: Axes, batches: Any, max_batch_size: int, start_ns: int, span_s: float) -> None:
    lefts = (batches["start_ns"].astype(np.int64) - start_ns) / 1e9
    widths = (batches["end_ns"] - batches["start_ns"]) / 1e9 * 0.97
    fills = np.minimum(batches["rows"] / max(max_batch_size, 1), 1.0)
    reasons = reasons_of(batches)
    for code in np.unique(reasons):
        style, those = colours.REASONS[code], reasons == code
        _rectangles(axes, lefts[those], widths[those], np.ones(those.sum()), facecolor=style.colour, alpha=0.2)
        look = {"hatch": hatch_of(style), "edgecolor": "white"} if style.hatched else {}
        _rectangles(axes, lefts[those], widths[those], fills[those], facecolor=style.colour, **look)
    readable = (widths > 0.012 * span_s) & (lefts >= 0)
    for left, width, rows in zip(lefts[readable], widths[readable], batches["rows"][readable], strict=True):
        axes.text(left + width / 2, 0.45, str(rows), ha="center", va="center", fontsize=7, color=INK, clip_on=True)


def _rectangles(axes: Axes, lefts: Any, widths: Any, heights: Any, **look: Any) -> None:
    from matplotlib.collections import PolyCollection

    zeros = np.zeros_like(lefts)
    corners = np.stack(
        [[lefts, zeros], [lefts, heights], [lefts + widths, heights], [lefts + widths, zeros]]
    ).transpose(2, 0, 1)
    axes.add_collection(PolyCollection(list(corners), linewidths=0, **look), autolim=False)


def _fan(axes: Axes, requests: Any, start_ns: int) -> None:
    begun = (requests["start_ns"].astype(np.int64) - start_ns) / 1e9
    came = (requests["arrival_ns"].astype(np.int64) - start_ns) / 1e9
    axes.plot(np.stack([came, begun]), [[2.0], [1.0]], color=colours.GREY, alpha=0.5, linewidth=0.6)
