# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Trials and forecasts as plain values that JSON keeps, and back; JSON has no infinity, so that one is null."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from workbench.display import plain_json
from workbench.load import Interval
from workbench.sweep.candidate import Candidate
from workbench.sweep.forecast import Forecast
from workbench.sweep.point import Point
from workbench.sweep.score import Score
from workbench.sweep.trial import Trial

_PLAIN: Final = ("number", "state", "config", "effort", "seconds", "reason", "model", "turn", "memory_bytes")


def encoded_trial(trial: Trial) -> dict[str, Any]:
    """Plain values of a trial, without the records of its runs."""
    return {**{name: getattr(trial, name) for name in _PLAIN}, **_judged(trial)}


def decoded_trial(entry: Mapping[str, Any]) -> Trial:
    """The trial again; raises KeyError, TypeError or ValueError where it is none."""
    return Trial(**{**entry, **_rejudged(entry)})


def encoded_forecast(forecast: Forecast) -> dict[str, Any]:
    """Plain values of a forecast."""
    return _judged(forecast)


def decoded_forecast(entry: Mapping[str, Any]) -> Forecast:
    """The forecast again."""
    return Forecast(**_rejudged(entry))


def _judged(judged: Trial | Forecast) -> dict[str, Any]:
    score = judged.score
    return {
        "candidate": asdict(judged.candidate),
        "points": [_encoded_point(point) for point in judged.points],
        "score": None if score is None else {**asdict(score), "gain": _bounds(score.gain)},
    }


def _rejudged(entry: Mapping[str, Any]) -> dict[str, Any]:
    score = entry["score"]
    return {
        "candidate": Candidate.of(entry["candidate"]),
        "points": tuple(_decoded_point(point) for point in entry["points"]),
        "score": None if score is None else Score(**{**score, "gain": _interval(score["gain"])}),
    }


def _encoded_point(point: Point) -> dict[str, Any]:
    plain = plain_json(asdict(point))
    return {**plain, "p50_ms": _bounds(point.p50_ms), "p99_ms": _bounds(point.p99_ms)}


def _decoded_point(entry: Mapping[str, Any]) -> Point:
    intervals = {name: _interval(entry[name]) for name in ("p50_ms", "p99_ms")}
    mean = entry["mean_batch_size"]
    lists = {"reasons": tuple(entry["reasons"]), "batches": tuple((size, count) for size, count in entry["batches"])}
    return Point(**{**entry, **intervals, **lists, "mean_batch_size": math.nan if mean is None else mean})


def _bounds(interval: Interval) -> list[float | None]:
    return [plain_json(bound) for bound in (interval.value, interval.low, interval.high)]


def _interval(bounds: list[float | None]) -> Interval:
    value, low, high = bounds
    return Interval(
        math.nan if value is None else value, -math.inf if low is None else low, math.inf if high is None else high
    )
