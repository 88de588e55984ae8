# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The study as it grows: every step is told to whoever watches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from workbench.load import Report, Workload
from workbench.sweep.forecast import Forecast
from workbench.sweep.point import Point
from workbench.sweep.study import Study
from workbench.sweep.trial import Trial

Watch = Callable[[Study], None]
"""Told of the study after every trial, and once after the simulations."""


def unwatched(_study: Study) -> None:
    """Tells nobody."""


class Journal:
    """Keeps the study, reports progress in workloads.

    Args:
        study: without trials.
        words: what is sought, for every trial.
        report: told of progress.
        watch: told of the study.
        begin_s: when the sweep began, by the monotonic clock.
    """

    def __init__(self, study: Study, *, words: str, report: Report, watch: Watch, begin_s: float) -> None:
        self._study = study
        self._words = words
        self._report = report
        self._watch = watch
        self._begin_s = begin_s

    @property
    def study(self) -> Study:
        """Until now."""
        return replace(self._study, seconds=monotonic() - self._begin_s)

    def predicting(self, done: int, total: int) -> None:
        """Some candidates were simulated; that is quick beside the measuring, so that it is no progress of its own."""
        self._report(0.0, 1.0, f"{done:,} of {total:,} combinations simulated")

    def predicted(self, forecasts: Sequence[Forecast]) -> None:
        """All were."""
        self._study = replace(self._study, forecasts=tuple(forecasts))
        self._watch(self.study)

    def measured(self, trial: Trial, *, ahead: float) -> None:
        """One more trial; `ahead` is the effort still to come."""
        trial = replace(trial, before=self._study.base, sought=self._words)
        self._study = replace(self._study, trials=(*self._study.trials, trial))
        done = sum(known.effort for known in self._study.trials)
        self._report(done, done + ahead, f"{len(self._study.trials)} trials, {trial.candidate}")
        self._watch(self.study)

    def confirmed(self, trial: Trial, predicted: Point, workload: Workload) -> None:
        """The winner was measured once more, as it was predicted."""
        trial = replace(trial, before=self._study.base, sought=self._words)
        self._study = replace(
            self._study, confirmation=trial, predicted_confirmation=predicted, confirming_workload=workload
        )
        self._watch(self.study)
