# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep's checkpoint: one JSON file, written anew after every trial, so that a sweep can go on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from workbench.errors import InvalidArgumentError
from workbench.sweep.encoding import decoded_forecast, decoded_trial, encoded_forecast, encoded_trial
from workbench.sweep.forecast import Forecast
from workbench.sweep.trial import Trial

_FORMAT: Final = 2


def fingerprint(*parts: object) -> str:
    """Tells whether two sweeps are the same: model, space, workload, objective, strategy, original configuration."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


class TrialStore:
    """Trials and forecasts in a file. An interrupted write leaves the file before it.

    Args:
        path: of the file; it need not exist.
        key: the sweep's fingerprint.

    Raises:
        InvalidArgumentError: the file holds another sweep's trials, or something else.
    """

    def __init__(self, path: Path, *, key: str) -> None:
        self._path = path
        self._key = key
        self._trials: list[Trial] = []
        self._forecasts: tuple[Forecast, ...] = ()
        if path.exists():
            self._read()

    @property
    def trials(self) -> Sequence[Trial]:
        """All trials, in the order of measuring."""
        return tuple(self._trials)

    @property
    def forecasts(self) -> Sequence[Forecast]:
        """What was predicted before anything was measured; empty where nothing was."""
        return self._forecasts

    def add(self, trial: Trial) -> None:
        """Appends one and writes the file."""
        self._trials.append(trial)
        self._write()

    def keep(self, forecasts: Sequence[Forecast]) -> None:
        """Notes what was predicted, so that a resumed sweep races the same candidates."""
        self._forecasts = tuple(forecasts)
        self._write()

    def _write(self) -> None:
        content = {
            "format": _FORMAT,
            "sweep": self._key,
            "forecasts": [encoded_forecast(forecast) for forecast in self._forecasts],
            "trials": [encoded_trial(trial) for trial in self._trials],
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_name(self._path.name + ".draft")
        draft.write_text(json.dumps(content, indent=1))
        draft.replace(self._path)

    def _read(self) -> None:
        try:
            content = json.loads(self._path.read_text())
            key = content["sweep"]
            self._trials = [decoded_trial(entry) for entry in content["trials"]]
            self._forecasts = tuple(decoded_forecast(entry) for entry in content["forecasts"])
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidArgumentError(f"{self._path} is no checkpoint of a sweep") from error
        if key != self._key:
            raise InvalidArgumentError(
                f"{self._path} is of another sweep (model, space, workload, objective or configuration differ); "
                "give another checkpoint or remove it"
            )
