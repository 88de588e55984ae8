# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of the dashboard's picture on paper, each drawn into a place of matplotlib's grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from workbench.views import colours
from workbench.views.paper_linked import step_bars
from workbench.views.units import byte_size, duration, percent, three_digits
from workbench.views.view import Totals, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec

INK: Final = "#111111"
FAINT: Final = "#6b6b6b"
LINE: Final = "#dddddd"


def head(figure: Figure, place: SubplotSpec, view: View) -> None:
    """Name, configuration and the sentence."""
    axes = _blank(figure, place)
    name = axes.text(-0.1, 0.75, view.facts.name, fontsize=13, fontweight="bold", color=INK, transform=axes.transAxes)
    axes.annotate(view.facts.headline, (1, 0), xycoords=name, xytext=(8, 0), textcoords="offset points", color=FAINT)
    axes.text(-0.1, 0.05, view.sentence, fontsize=10, color=INK, transform=axes.transAxes)


def tiles(figure: Figure, place: SubplotSpec, view: View) -> None:
    """Rate, latency, where the time goes, batch sizes."""
    totals = view.totals if view.totals is not None else Totals(covered_s=0.0)
    spots = place.subgridspec(1, 4, wspace=0.3, width_ratios=[1, 1.25, 1, 1.2])
    _trend(figure, spots[0], view, "requests answered", f"{three_digits(totals.answered_per_s)} /s", ("answered",))
    p99 = totals.latency.p99_ns
    words = _seconds(totals.latency.p50_ns) + (f" / {_seconds(p99)}" if p99 is not None else "   p99: n < 368")
    _trend(figure, spots[1], view, "latency  p50 / p99", words, ("latency_p50_s", "latency_p99_s"))
    _split(figure, spots[2], totals, view.facts.steps)
    _sizes(figure, spots[3], totals)


def strips(figure: Figure, places: Sequence[SubplotSpec], view: View) -> None:
    """Queue delay, reasons and memory on one time axis."""
    axes = _strip(figure, places[0], view, "queue delay")
    _queue(axes, view)
    _why(_strip(figure, places[1], view, "why batches left"), view)
    for number, place in zip(view.used_pools, places[2:], strict=True):
        axes = _strip(figure, place, view, view.pools[number].name)
        _pool(axes, view, number)
    _time_labels(axes)


def _blank(figure: Figure, place: SubplotSpec) -> Axes:
    axes = figure.add_subplot(place)
    axes.set_axis_off()
    return axes


def bare(axes: Axes) -> None:
    """Without a frame, ticks and labels, but for the line below."""
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(LINE)
    axes.tick_params(length=0, labelbottom=False, colors=FAINT)


def _seconds(value_ns: float | None) -> str:
    return duration(None if value_ns is None else value_ns / 1e9)


def _trend(figure: Figure, place: SubplotSpec, view: View, title: str, number: str, names: tuple[str, ...]) -> None:
    spots = place.subgridspec(2, 1, height_ratios=[1, 1], hspace=0)
    text = _blank(figure, spots[0])
    text.text(0, 0.8, title, color=FAINT, transform=text.transAxes)
    text.text(0, 0.1, number, fontsize=15, fontweight="bold", color=INK, transform=text.transAxes)
    axes = figure.add_subplot(spots[1])
    bare(axes)
    axes.set_yticks([])
    times = view.bins["index"]
    axes.fill_between(times, view.bins[names[0]], color=INK, alpha=0.12, linewidth=0)
    for name in names:
        axes.plot(times, view.bins[name], color=INK, linewidth=1)
    axes.set_ylim(bottom=0)
    axes.margins(x=0)


def _split(figure: Figure, place: SubplotSpec, totals: Totals, steps: Sequence[str]) -> None:
    axes = figure.add_subplot(place)
    bare(axes)
    axes.spines["bottom"].set_visible(False)
    if steps and totals.steps:
        step_bars(axes, totals, steps)
        return
    names, shares = ("queue", "input", "compute", "output"), totals.split.shares
    shades = (colours.GREY, "#777777", "#222222", "#777777")
    axes.barh(names, shares, color=shades, height=0.62)
    for row, share in enumerate(shares):
        weight = "bold" if share == max(shares) else "normal"
        axes.text(1.28, row, percent(share), va="center", ha="right", color=INK, fontweight=weight)
    axes.set(xlim=(0, 1.28), ylim=(3.6, -1.4), xticks=[])
    axes.text(0, -1.05, f"where {_seconds(totals.split.total_ns)} go", color=FAINT, va="center")


def _sizes(figure: Figure, place: SubplotSpec, totals: Totals) -> None:
    spots = place.subgridspec(2, 2, wspace=0.05, hspace=0.05, width_ratios=[1, 1.1], height_ratios=[1, 4])
    title = _blank(figure, spots[0, :])
    title.text(0, 0.5, "batch size and why it left", color=FAINT, transform=title.transAxes)
    axes = figure.add_subplot(spots[1, 0])
    bare(axes)
    axes.tick_params(labelbottom=True)
    labels = [f"{bar.last}" for bar in totals.sizes.bars]
    places, base = np.arange(len(labels)), np.zeros(len(labels))
    for code, style in enumerate(colours.REASONS):
        counts = np.array([bar.by_reason[code] for bar in totals.sizes.bars], float)
        if not counts.any():
            continue
        axes.bar(places, counts, bottom=base, color=style.colour, hatch=hatch_of(style), edgecolor="white", linewidth=0)
        base += counts
    axes.set_yticks([])
    told = _readable(len(labels))
    axes.set_xticks(told, [labels[place] for place in told])
    words = _blank(figure, spots[1, 1])
    present = sorted(((n, code) for code, n in enumerate(totals.sizes.by_reason) if n), reverse=True)
    for row, (count, code) in enumerate(present[:4]):
        style = colours.REASONS[code]
        y = 0.75 - 0.22 * row
        words.plot(
            0.03, y, _MARKERS[style.shape], color=style.colour, markersize=5, transform=words.transAxes, clip_on=False
        )
        share = percent(count / totals.sizes.count)
        words.text(0.09, y, f"{style.words}  {share}", color=INK, va="center", transform=words.transAxes)


def _readable(count: int) -> list[int]:
    """Places of the labels that have room beside each other: the first, the last, and some between."""
    return sorted({round(place) for place in np.linspace(0, count - 1, min(count, _MOST_LABELS))}) if count else []


_MOST_LABELS: Final = 5
_MARKERS: Final = {"square": "s", "diamond": "D", "clock": "o", "circle": "o", "cross": "X", "triangle": ">"}


def hatch_of(style: colours.ReasonStyle) -> str | None:
    """Matplotlib's name of the hatching of a reason, None for a plain one."""
    return "////" if style.hatched else None


def _strip(figure: Figure, place: SubplotSpec, view: View, title: str) -> Axes:
    axes = figure.add_subplot(place)
    bare(axes)
    axes.set_xlim(-view.window_ns / 1e9, 0)
    axes.text(-0.015, 0.5, title, ha="right", va="center", color=FAINT, transform=axes.transAxes)
    axes.set_yticks([])
    return axes


def _times(view: View, index: Any) -> Any:
    """Seconds relative to now of the left ends of bins."""
    return (index * view.bin_ns - view.now_ns) / 1e9


def _queue(axes: Axes, view: View) -> None:
    times = _times(view, view.bins["index"])
    middle = times + view.bin_ns / 2e9
    axes.fill_between(middle, view.bins["queue_p50_s"], color=colours.GREY, alpha=colours.WAITING_OPACITY, linewidth=0)
    axes.step(times, view.bins["queue_p99_s"], where="post", color=INK, linewidth=1.3)
    labels = [(_last(view.bins["queue_p99_s"]), "p99", INK), (_last(view.bins["queue_p50_s"]), "p50", FAINT)]
    if view.facts.dynamic:
        delay_s = view.facts.max_queue_delay_microseconds / 1e6
        axes.axhline(delay_s, color=colours.ORANGE, linestyle=(0, (4, 3)), linewidth=1.2)
        labels.append((delay_s, "delay", colours.ORANGE))
    axes.set_ylim(bottom=0)
    _end_labels(axes, [(value, f"{word} {duration(value)}", colour) for value, word, colour in labels])
    axes.yaxis.set_major_locator(_few_ticks())
    axes.yaxis.set_major_formatter(lambda value, _: duration(value) if value else "0")
    axes.texts[0].set(position=(0, 1.0), ha="left", va="top", fontweight="bold")


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=3)


def _last(values: Any) -> float:
    known = values[~np.isnan(values)]
    return float(known[-1]) if len(known) else float("nan")


def _end_labels(axes: Axes, labels: list[tuple[float, str, str]]) -> None:
    """Names at the right ends of lines, moved apart."""
    top = axes.get_ylim()[1]
    lowest = -0.2
    for value, words, colour in sorted(label for label in labels if not np.isnan(label[0])):
        y = max(value / top, lowest + 0.17)
        axes.text(1.008, y, words, color=colour, va="center", fontsize=8, transform=axes.transAxes)
        lowest = y


def _why(axes: Axes, view: View) -> None:
    totals = np.maximum(view.bins["reasons"].sum(axis=1), 1)
    times, base = _times(view, view.bins["index"]), np.zeros(len(view.bins))
    for code, style in enumerate(colours.REASONS):
        shares = view.bins["reasons"][:, code] / totals
        if shares.any():
            edges = np.append(times, times[-1] + view.bin_ns / 1e9)
            axes.stairs(base + shares, edges, baseline=base, fill=True, color=style.colour, hatch=hatch_of(style))
        base += shares
    axes.set_ylim(0, 1)


def _pool(axes: Axes, view: View, number: int) -> None:
    pool = view.pools[number]
    bins = view.pool_bins[view.pool_bins["pool"] == number]
    times = _times(view, bins["index"]) + view.bin_ns / 2e9
    axes.fill_between(times, bins["live"], color=INK, alpha=0.3, linewidth=0)
    axes.plot(times, bins["reserved"], color=FAINT, linewidth=0.8)
    if pool.limit_byte_size:
        axes.axhline(pool.limit_byte_size, color=FAINT, linestyle=(0, (4, 3)), linewidth=0.8)
    top = max(pool.limit_byte_size, pool.reserved_byte_size, float(bins["live"].max(initial=1.0)))
    axes.set_ylim(0, top * 1.1)
    limit = f" of {byte_size(pool.limit_byte_size)}" if pool.limit_byte_size else ""
    size = f"{byte_size(pool.live_byte_size)}{limit}"
    axes.text(1.008, 0.5, size, color=INK, va="center", fontsize=7.5, transform=axes.transAxes)
    told = [mark for mark in view.marks if mark.pool == number]
    when = [(mark.when_ns - view.now_ns) / 1e9 for mark in told]
    axes.plot(when, [top] * len(when), "v", color=colours.VERMILION, markersize=6, clip_on=False, zorder=5)
    if told:
        words = f"  fell back {sum(mark.count for mark in told)} ×"
        label = axes.text(max(when), top, words, color=colours.VERMILION, fontweight="bold", va="center", fontsize=8)
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})


def _time_labels(axes: Axes) -> None:
    axes.tick_params(labelbottom=True)
    axes.xaxis.set_major_formatter(lambda value, _: f"−{duration(-value)}" if value < 0 else "now")
