# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Latency against load, and batches before and after: pictures of the candidates that matter most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.sweep import Point, Study, Trial
from workbench.views.colours import BLUE, GREY
from workbench.views.still import Still
from workbench.views.sweep_marks import SERIES, draw_measured, draw_predicted, new_figure
from workbench.views.sweep_theory import draw_theory, predicted_curve
from workbench.views.units import three_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def latency_against_load(study: Study, *, most: int = 3) -> Still:
    """p99 over the offered rate: the winner, the model as it was, the next best; the objective as a line.

    Dashed and pale is simulated; a mark is measured and carries its 95 % interval. Theory is dotted: the capacity of
    full batches, and the exact law where there is one (one instance, no delay).

    Args:
        study: the sweep.
        most: how many candidates.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    figure = new_figure(7.2, 4.4)
    axes = figure.subplots()
    for trial, colour in zip(shown_trials(study, most), SERIES, strict=False):
        name = "before: " if study.before is not None and trial.candidate == study.base else ""
        draw_predicted(axes, [p for p in predicted_curve(study, trial) if _is_in_sight(p, study)], colour)
        draw_theory(axes, study, trial.candidate, colour)
        points = [p for t in study.trials if t.candidate == trial.candidate for p in t.points]
        draw_measured(axes, [p for p in points if _is_in_sight(p, study)], colour, f"{name}{trial.candidate}")
    _objective(axes, study)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: three_digits(value))
    axes.yaxis.set_minor_formatter(lambda _value, _place: "")
    axes.set_xlabel("offered requests per second")
    axes.set_ylabel("p99, ms")
    axes.legend(fontsize=7, frameon=False, loc="upper left")
    figure.suptitle(
        f"{study.model}: p99 against load; marks are measured, dashed lines predicted, dotted ones theory", fontsize=9
    )
    return Still(figure)


def batches_before_and_after(study: Study) -> Still:
    """How many requests had company in their batch: the model as it was, and the winner.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    before, best = study.before, study.best
    rows = [("before", before)] if before is not None and before.candidate != best.candidate else []
    rows.append(("chosen", best))
    figure = new_figure(7.2, 1.7 * len(rows) + 0.6)
    grid = figure.subplots(len(rows), 1, sharex=True, squeeze=False)
    for axes, (name, trial) in zip(grid.flat, rows, strict=True):
        point = trial.points[-1]
        shares = _request_shares(point)
        axes.bar(list(shares), list(shares.values()), color=BLUE if name == "chosen" else GREY, width=0.85)
        words = f"{name}: {trial.candidate}; {point.throughput:,.0f}/s, mean batch {point.mean_batch_size:.1f}"
        axes.set_title(words, fontsize=8, loc="left")
        axes.set_ylabel("% of requests", fontsize=8)
        axes.tick_params(labelsize=8)
    grid.flat[-1].set_xlabel("batch size")
    return Still(figure)


def shown_trials(study: Study, most: int) -> Sequence[Trial]:
    """The winner, the model as it was, then the next best: `most` in all."""
    measured = [trial for trial in study.ranking if trial.points]
    first = measured[:1]
    before = [trial for trial in measured[1:] if trial.candidate == study.base]
    rest = [trial for trial in measured[1:] if trial.candidate != study.base]
    return (first + before + rest)[:most]


def _objective(axes: Axes, study: Study) -> None:
    if not math.isfinite(study.slo_p99_ms):
        return
    axes.axhline(study.slo_p99_ms, color=GREY, lw=0.8, ls=":")
    axes.annotate(f"objective {study.slo_p99_ms:g} ms", (0.99, study.slo_p99_ms), (0, 3), fontsize=7, ha="right",
                  xycoords=("axes fraction", "data"), textcoords="offset points", color=GREY)  # fmt: skip


def _is_in_sight(point: Point, study: Study) -> bool:
    """A queue that grew as long as the run has a latency that says nothing, and would hide all others."""
    p99 = point.p99_ms.value
    limit = 5 * study.slo_p99_ms if math.isfinite(study.slo_p99_ms) else math.inf
    return math.isfinite(p99) and p99 > 0 and p99 <= limit


def _request_shares(point: Point) -> dict[int, float]:
    total = sum(size * count for size, count in point.batches)
    return {size: 100 * size * count / total for size, count in point.batches} if total else {}
