# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep's checkpoint: one JSON file, written anew after every trial, so that a sweep can go on where it stopped."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from workbench.errors import InvalidArgumentError
from workbench.load import Interval
from workbench.sweep.objective import Score
from workbench.sweep.space import Candidate
from workbench.sweep.trial import Point, Trial

_FORMAT: Final = 1


def fingerprint(*parts: object) -> str:
    """Tells whether two sweeps are the same: model, space, workload, objective, strategy, original configuration."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


class TrialStore:
    """Trials in a file. An interrupted write leaves the file before it.

    Args:
        path: of the file; it need not exist.
        key: the sweep's fingerprint.

    Raises:
        InvalidArgumentError: the file holds another sweep's trials, or something else.
    """

    def __init__(self, path: Path, *, key: str) -> None:
        self._path = path
        self._key = key
        self._trials = self._read()

    @property
    def trials(self) -> Sequence[Trial]:
        """All trials, in the order of measuring."""
        return tuple(self._trials)

    def add(self, trial: Trial) -> None:
        """Appends one and writes the file."""
        self._trials.append(trial)
        content = {"format": _FORMAT, "sweep": self._key, "trials": [_encoded(trial) for trial in self._trials]}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_name(self._path.name + ".draft")
        draft.write_text(json.dumps(content, indent=1))
        draft.replace(self._path)

    def _read(self) -> list[Trial]:
        if not self._path.exists():
            return []
        try:
            content = json.loads(self._path.read_text())
            key, trials = content["sweep"], [_decoded(entry) for entry in content["trials"]]
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidArgumentError(f"{self._path} is no checkpoint of a sweep") from error
        if key != self._key:
            raise InvalidArgumentError(
                f"{self._path} is of another sweep (model, space, workload, objective or configuration differ); "
                "give another checkpoint or remove it"
            )
        return trials


def _encoded(trial: Trial) -> dict[str, Any]:
    entry = {
        name: getattr(trial, name) for name in ("number", "state", "config", "effort", "seconds", "reason", "model")
    }
    entry["candidate"] = asdict(trial.candidate)
    entry["points"] = [
        {**asdict(point), "p50_ms": _bounds(point.p50_ms), "p99_ms": _bounds(point.p99_ms)} for point in trial.points
    ]
    entry["score"] = None if trial.score is None else {**asdict(trial.score), "gain": _bounds(trial.score.gain)}
    return {name: _finite(value) for name, value in entry.items()}


def _decoded(entry: dict[str, Any]) -> Trial:
    candidate = dict(entry["candidate"])
    candidate["preferred_batch_size"] = tuple(candidate["preferred_batch_size"])
    score = entry["score"]
    return Trial(
        **{
            **entry,
            "candidate": Candidate(**candidate),
            "score": None if score is None else Score(**{**score, "gain": _interval(score["gain"])}),
            "points": tuple(map(_point, entry["points"])),
        }
    )


def _point(entry: dict[str, Any]) -> Point:
    mean_batch = entry["mean_batch_size"]
    return Point(
        **{
            **entry,
            "p50_ms": _interval(entry["p50_ms"]),
            "p99_ms": _interval(entry["p99_ms"]),
            "mean_batch_size": math.nan if mean_batch is None else mean_batch,
            "reasons": tuple(entry["reasons"]),
        }
    )


def _bounds(interval: Interval) -> list[float]:
    return [interval.value, interval.low, interval.high]


def _interval(bounds: list[float | None]) -> Interval:
    value, low, high = bounds
    return Interval(
        math.nan if value is None else value, -math.inf if low is None else low, math.inf if high is None else high
    )


def _finite(value: Any) -> Any:
    """JSON has no infinity: what is not finite becomes null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return value
