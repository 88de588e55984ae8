# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How much the optimum depends on each field, and the whole space as it was predicted, with what was measured on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import InvalidArgumentError
from workbench.load import Interval
from workbench.sweep import Candidate, Study
from workbench.views.colours import BLUE, GREEN
from workbench.views.still import Still
from workbench.views.sweep_marks import PREDICTED, WORDS, new_figure, value_text
from workbench.views.units import three_digits

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The winner with another value of one field.

    Args:
        value: that value.
        gain: of the objective, with its interval; of a prediction without width.
        is_measured: or predicted.
    """

    value: Any
    gain: Interval
    is_measured: bool


def neighbours(study: Study, field: str) -> tuple[Neighbour, ...]:
    """The winner's line through the space along one field: every value that was predicted or measured."""
    best = study.best.candidate
    found = []
    for scores, is_measured in ((study.predicted_scores, False), (study.measured_scores, True)):
        on_line = [c for c in scores if replace(c, **{field: getattr(best, field)}) == best]
        found += [Neighbour(getattr(c, field), scores[c].gain, is_measured) for c in on_line]
    return tuple(sorted(found, key=lambda one: (one.value, one.is_measured)))


def sensitivity(study: Study) -> Still:
    """A panel for each field that was searched: the objective along it, all else as the winner has it.

    Raises:
        InvalidArgumentError: no field has two values.
        MissingExtraError: matplotlib is not installed.
    """
    lines = _lines(study)
    if not lines:
        raise InvalidArgumentError("no field was tried with two values around the best configuration")
    figure = new_figure(2.6 * len(lines) + 0.6, 3.0)
    grid = figure.subplots(1, len(lines), squeeze=False, sharey=True)
    for axes, (field, line) in zip(grid.flat, lines.items(), strict=True):
        _line(axes, line, getattr(study.best.candidate, field))
        axes.set_xlabel(WORDS[field], fontsize=8)
    grid.flat[0].set_ylabel(study.objective, fontsize=7)
    figure.suptitle("the best configuration with one value changed; filled is measured, pale predicted", fontsize=9)
    return Still(figure)


def has_neighbours(study: Study) -> bool:
    """Whether anything was tried that differs from the best configuration in one field."""
    return bool(_lines(study))


def _lines(study: Study) -> dict[str, tuple[Neighbour, ...]]:
    lines = {field: neighbours(study, field) for field in searched(study)}
    return {field: line for field, line in lines.items() if len({one.value for one in line}) > 1}


def searched(study: Study) -> tuple[str, ...]:
    """The fields in which the candidates of a study differ."""
    candidates = [forecast.candidate for forecast in study.forecasts] + [trial.candidate for trial in study.trials]
    return tuple(name for name in WORDS if len({getattr(candidate, name) for candidate in candidates}) > 1)


def predicted_map(study: Study, *, x: str = "max_queue_delay_microseconds", y: str = "max_batch_size") -> Still:
    """The objective over two fields as it was predicted, best over all others; measured cells bear both figures.

    Raises:
        InvalidArgumentError: nothing was predicted, or the fields are the same.
        MissingExtraError: matplotlib is not installed.
    """
    if x == y or not {x, y} <= set(WORDS):
        raise InvalidArgumentError(f"a map has two different fields of {', '.join(WORDS)} as axes")
    if not study.forecasts:
        raise InvalidArgumentError("nothing was predicted in this sweep: heat_map shows what was measured")
    columns, rows = (sorted({getattr(f.candidate, name) for f in study.forecasts}) for name in (x, y))
    figure = new_figure(0.95 * len(columns) + 1.4, 0.55 * len(rows) + 1.3)
    axes = figure.subplots()
    cells = _cells(study, (x, columns), (y, rows))
    gains = np.array([[cell[0] for cell in row] for row in cells])
    axes.imshow(gains, cmap="cividis", origin="lower", aspect="auto")
    middle = float(np.nanmin(gains) + np.nanmax(gains)) / 2
    for (number, place), gain in np.ndenumerate(gains):
        _, measured, is_best = cells[number][place]
        axes.text(place, number, _cell_words(float(gain), measured), ha="center", va="center", fontsize=6.5,
                  color="white" if gain < middle else "black", weight="bold" if is_best else "normal")  # fmt: skip
    axes.set_xticks(range(len(columns)), [value_text(value) for value in columns], fontsize=8)
    axes.set_yticks(range(len(rows)), [value_text(value) for value in rows], fontsize=8)
    axes.set_xlabel(WORDS[x], fontsize=8)
    axes.set_ylabel(WORDS[y], fontsize=8)
    figure.suptitle(f"{study.model}: {study.objective}, predicted (best of the other fields)", fontsize=9)
    return Still(figure)


def _cells(
    study: Study, x: tuple[str, Sequence[Any]], y: tuple[str, Sequence[Any]]
) -> list[list[tuple[float, float | None, bool]]]:
    """Predicted, measured (None where it was not) and whether the winner is there, row by row."""
    best = study.best.candidate

    def at(candidate: Candidate, column: Any, row: Any) -> bool:
        return bool(getattr(candidate, x[0]) == column and getattr(candidate, y[0]) == row)

    def cell(column: Any, row: Any) -> tuple[float, float | None, bool]:
        here = [f.score.gain.value for f in study.forecasts if at(f.candidate, column, row)]
        seen = [t.score.gain.value for t in study.finals if t.score is not None and at(t.candidate, column, row)]
        return max(here, default=math.nan), max(seen, default=None), at(best, column, row)

    return [[cell(column, row) for column in x[1]] for row in y[1]]


def _whiskers(gain: Interval) -> list[list[float]]:
    """Down and up; a side without a bound has none."""
    sides = (gain.value - gain.low, gain.high - gain.value)
    return [[side if math.isfinite(side) and side > 0 else 0.0] for side in sides]


def _shown_positive(gain: Interval) -> Interval:
    """Where less is better, such as a p99, the objective counts it as negative; a picture shows the figure itself."""
    return Interval(-gain.value, -gain.high, -gain.low) if gain.value < 0 else gain


def _cell_words(gain: float, measured: float | None) -> str:
    if math.isnan(gain):
        return ""
    return (
        three_digits(abs(gain))
        if measured is None
        else f"{three_digits(abs(gain))}\n{three_digits(abs(measured))} meas."
    )


def _line(axes: Axes, line: Sequence[Neighbour], best: Any) -> None:
    values = sorted({one.value for one in line})
    for one in line:
        gain = _shown_positive(one.gain)
        axes.errorbar(
            values.index(one.value),
            gain.value,
            yerr=_whiskers(gain) if one.is_measured else None,
            fmt="o" if one.is_measured else "s",
            color=GREEN if one.value == best else BLUE,
            alpha=1.0 if one.is_measured else PREDICTED,
            ms=5,
            capsize=2,
            lw=0.8,
        )
    axes.set_xticks(range(len(values)), [value_text(value) for value in values], fontsize=7, rotation=40)
    axes.tick_params(labelsize=7)
    axes.margins(x=0.15)
