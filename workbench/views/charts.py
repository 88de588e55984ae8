# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Small pictures in a result's HTML: drawn by hand as SVG, at home on every theme, needing nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from workbench.views.colours import BLUE, GREY
from workbench.views.units import duration, percent

if TYPE_CHECKING:
    from workbench.simulate import Calibration

_FONT: Final = "font: 12px var(--jp-ui-font-family, system-ui, sans-serif)"
_INK: Final = "var(--jp-ui-font-color1, #333)"
FAINT: Final = "var(--jp-ui-font-color2, #777)"
_SMALL: Final = f'font-size="10.5" style="fill: {FAINT}"'
_MOST_BARS: Final = 32
_TOP, _BASE, _WIDTH = 20, 78, 240


def figure(*charts: str) -> str:
    """Charts side by side."""
    return f'<div style="display: flex; flex-wrap: wrap; gap: 28px; {_FONT}; margin: 4px 0 8px">{"".join(charts)}</div>'


def split_chart(mean_ns: Mapping[str, float]) -> str:
    """A bar for each step of a request's life, the longest one in bold; empty without any time."""
    total = sum(mean_ns.values())
    if total <= 0:
        return ""
    rows = []
    for number, (name, value) in enumerate(mean_ns.items()):
        y = _TOP + 18 * number
        weight = f'font-weight="{600 if value == max(mean_ns.values()) else 400}"'
        shade = GREY if name == "queue" else _INK
        words = f"{duration(value / 1e9)} · {percent(value / total)}"
        bar = f'<rect x="64" y="{y}" width="{130 * value / total:.1f}" height="11" style="fill: {shade}"/>'
        rows.append(_text(0, y + 10, name, weight) + bar + _text(200, y + 10, words, weight))
    return _svg(300, _TOP + 18 * len(mean_ns), f"where {duration(total / 1e9)} go", *rows)


def size_chart(batches: Mapping[int, int]) -> str:
    """How many executions had which size; empty without any."""
    total = sum(batches.values())
    if total <= 0:
        return ""
    largest = max(batches)
    width = -(-largest // _MOST_BARS)
    counts = [0] * -(-largest // width)
    for size, count in batches.items():
        counts[(max(size, 1) - 1) // width] += count
    step = _WIDTH / len(counts)
    bars = []
    for number, count in enumerate(counts):
        height = (_BASE - _TOP) * count / max(counts)
        place = f'x="{number * step:.1f}" y="{_BASE - height:.1f}" width="{max(step - 2, 1):.1f}" height="{height:.1f}"'
        words = f"up to {(number + 1) * width} rows: {count} ({percent(count / total)})"
        bars.append(f'<rect {place} fill="{BLUE}"><title>{words}</title></rect>')
    mean = sum(size * count for size, count in batches.items()) / total
    return _svg(_WIDTH + 5, 94, f"batch size, mean {mean:.3g}", *bars, *_axis("1", str(largest)))


def latency_chart(latencies_ms: NDArray[np.float64], marks: Sequence[tuple[str, float]]) -> str:
    """The share of requests that were answered within a time, with marks such as ("p99", 4.1); empty without any."""
    if len(latencies_ms) == 0:
        return ""
    shares = np.linspace(0, 1, 101)
    times = np.quantile(latencies_ms, shares)
    top = max(float(times[-1]), 1e-9)
    xs, ys = _WIDTH * times / top, _BASE - (_BASE - _TOP) * shares
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    line = f'<polyline points="{points}" fill="none" stroke-width="1.5" style="stroke: {_INK}"/>'
    told = []
    for number, (name, value_ms) in enumerate(marks):
        x = min(_WIDTH * value_ms / top, float(_WIDTH))
        stroke = f'y1="{_TOP}" y2="{_BASE}" stroke-dasharray="3 3" style="stroke: {FAINT}"'
        told.append(f'<line x1="{x:.1f}" x2="{x:.1f}" {stroke}/>')
        told.append(_text(x + 3, 30 + 13 * number, f"{name} {duration(value_ms / 1e3)}", _SMALL))
    return _svg(_WIDTH + 80, 94, "answered within", line, *told, *_axis("0", duration(top / 1e3)))


def service_chart(calibration: Calibration) -> str:
    """Service time by batch size: measured executions as grey dots, medians in colour, the fitted line dashed."""
    line, largest = calibration.line, calibration.largest
    shown = {size: np.quantile(times, np.linspace(0.05, 0.95, 9)) for size, times in calibration.samples_ns.items()}
    top = max([float(times[-1]) for times in shown.values()] + [line.at(largest), *calibration.service_ns.values()])
    height, base = 150, 170

    def place(size: float, time_ns: float) -> tuple[float, float]:
        return _WIDTH * size / largest, base - height * time_ns / top

    dots = [_dot(*place(size, time), 1.5, GREY) for size, times in shown.items() for time in times.tolist()]
    medians = [_dot(*place(size, time), 2.5, BLUE) for size, time in calibration.service_ns.items()]
    (x1, y1), (x2, y2) = place(0, line.fixed_ns), place(largest, line.at(largest))
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    fit = f'<line {ends} stroke-dasharray="3 3" style="stroke: {FAINT}"/>'
    words = f"{duration(line.fixed_ns / 1e9)} + {duration(line.row_ns / 1e9)} a row, within {percent(line.error)}"
    label = _text(_WIDTH, base + 14, f"batch of {largest}", f'text-anchor="end" {_SMALL}')
    return _svg(_WIDTH + 60, base + 16, f"service time: {words}", fit, *dots, *medians, label)


def _dot(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>'


def _axis(first: str, last: str) -> tuple[str, str]:
    return _text(0, 92, first, _SMALL), _text(_WIDTH, 92, last, f'text-anchor="end" {_SMALL}')


def _text(x: float, y: float, words: str, look: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(words)}</text>'


def _svg(width: int, height: int, title: str, *parts: str) -> str:
    content = _text(0, 11, title, _SMALL) + "".join(parts)
    return f'<svg width="{width}" height="{height}" style="overflow: visible; fill: {_INK}">{content}</svg>'
