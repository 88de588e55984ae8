# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A study as plain rows for the browser: axes with their values, measured trials, the best of the predicted."""

from __future__ import annotations

import math
from typing import Any, Final

from workbench.sweep import Candidate, Forecast, Study, Trial
from workbench.views.sweep_marks import WORDS, value_text
from workbench.views.sweep_sensitivity import searched

MOST_PREDICTED: Final = 200
"""Lines beyond that would be one grey band."""


def axes_of(study: Study) -> list[dict[str, Any]]:
    """The searched fields: name, words, and the texts of their values in ascending order."""
    candidates = [forecast.candidate for forecast in study.forecasts] + [trial.candidate for trial in study.trials]
    axes = []
    for name in searched(study):
        values = sorted({getattr(candidate, name) for candidate in candidates}, key=_order)
        axes.append({"name": name, "words": WORDS[name], "values": [value_text(value) for value in values]})
    return axes


def rows_of(study: Study) -> list[dict[str, Any]]:
    """One row for each measured candidate, best first, then the best of those that were only predicted."""
    axes = axes_of(study)
    measured = [_measured(trial, axes, rank) for rank, trial in enumerate(study.ranking)]
    known = {trial.candidate for trial in study.trials}
    unseen = [forecast for forecast in study.predicted_ranking if forecast.candidate not in known]
    return measured + [_predicted(forecast, axes) for forecast in unseen[:MOST_PREDICTED]]


def _measured(trial: Trial, axes: list[dict[str, Any]], rank: int) -> dict[str, Any]:
    row = _places(trial.candidate, axes) | {"kind": "measured", "number": trial.number, "effort": trial.effort}
    if trial.score is None or trial.point is None:
        return row | {"kind": "refused", "remark": trial.reason}
    gain, point = trial.score.gain, trial.point
    row |= {"gain": _finite(gain.value), "low": _finite(gain.low), "high": _finite(gain.high)}
    row |= {"throughput": point.throughput, "p99": _finite(point.p99_ms.value), "batch": _finite(point.mean_batch_size)}
    return row | {"feasible": trial.is_feasible, "steady": point.is_steady, "remark": _remark(trial), "best": rank == 0}


def _predicted(forecast: Forecast, axes: list[dict[str, Any]]) -> dict[str, Any]:
    point = forecast.point
    row = _places(forecast.candidate, axes) | {"kind": "predicted", "gain": _finite(forecast.score.gain.value)}
    row |= {"throughput": point.throughput, "p99": _finite(point.p99_ms.value), "batch": _finite(point.mean_batch_size)}
    return row | {"feasible": forecast.score.is_feasible, "steady": True, "remark": "", "best": False}


def _places(candidate: Candidate, axes: list[dict[str, Any]]) -> dict[str, Any]:
    """Which value of each axis the candidate has."""
    places = [axis["values"].index(value_text(getattr(candidate, axis["name"]))) for axis in axes]
    return {"id": str(candidate), "places": places}


def _order(value: Any) -> Any:
    """Of values of one field: numbers by size, lists by their sizes, policies by their words."""
    return value if isinstance(value, (int, tuple)) else str(value)


def _remark(trial: Trial) -> str:
    if not trial.is_feasible:
        return "misses the objective"
    return "" if trial.point is None or trial.point.is_steady else "; ".join(trial.point.reasons)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
