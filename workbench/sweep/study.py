# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sweep found."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.display import Table, plain_json
from workbench.errors import MissingExtraError, NotFoundError
from workbench.load import ShownAsText, Workload
from workbench.simulate import Calibration
from workbench.sweep.candidate import Candidate
from workbench.sweep.forecast import Forecast
from workbench.sweep.pareto import FIGURES, pareto
from workbench.sweep.point import Point
from workbench.sweep.pooling import by_candidate, pooled, ranked
from workbench.sweep.score import Score
from workbench.sweep.space import Exclusion
from workbench.sweep.trial import Trial

if TYPE_CHECKING:
    import pandas as pd

_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Study(ShownAsText):
    """All trials of a sweep, in the order of measuring.

    Args:
        model: its name.
        objective: what was sought, in words.
        workload: what was sent.
        slo_p99_ms: the latency objective; infinite for none.
        base: the configuration before, which serves again.
        trials: what was measured. A candidate that was measured again, longer, is there once more.
        excluded: combinations that were not tried, with reasons.
        forecasts: what was simulated, for every combination; empty where nothing was.
        confirmation: the winner, measured once more with arrivals that it was not chosen by; None without.
        seconds: how long all of it took.
        predicted_confirmation: a simulation of the confirmation, on the same arrivals.
        confirming_workload: what it was confirmed with.
        calibration: what the simulations ran on.
    """

    model: str
    objective: str
    workload: Workload
    slo_p99_ms: float
    base: Candidate
    trials: tuple[Trial, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    forecasts: tuple[Forecast, ...] = ()
    confirmation: Trial | None = None
    seconds: float = 0.0
    predicted_confirmation: Point | None = None
    confirming_workload: Workload | None = None
    calibration: Calibration | None = field(default=None, repr=False, compare=False)

    @property
    def best(self) -> Trial:
        """The first of the ranking.

        Raises:
            NotFoundError: nothing was measured.
        """
        ranking = self.ranking
        if not ranking or ranking[0].score is None:
            raise NotFoundError(f"the sweep of {self.model!r} measured nothing")
        return ranking[0]

    @property
    def finals(self) -> tuple[Trial, ...]:
        """Each candidate's trials as one, see `pooled`: what it is known by."""
        return tuple(map(pooled, by_candidate(self.trials).values()))

    @property
    def ranking(self) -> tuple[Trial, ...]:
        """The finals, best first: who met the objective, then who was measured longer, then who scored higher.

        Who was measured longer was better in the rounds before. A stall makes a score worse than it is, never better,
        so that a disturbed trial needs no other place.
        """
        return ranked(self.trials)

    @property
    def measured_scores(self) -> dict[Candidate, Score]:
        """Of the finals that were not refused."""
        return {trial.candidate: trial.score for trial in self.finals if trial.score is not None}

    @property
    def predicted_scores(self) -> dict[Candidate, Score]:
        """Of the forecasts."""
        return {forecast.candidate: forecast.score for forecast in self.forecasts}

    def beside(self, one: Candidate, rival: Candidate) -> Trial | None:
        """A candidate as it was measured beside a rival: in the turns that both ran, with the same arrivals in each.

        Args:
            one: whose trials are told, as one.
            rival: whose turns count.

        Returns:
            None where they ran in none together.
        """
        turns = {trial.turn for trial in self.trials if trial.candidate == rival and trial.score is not None}
        trials = [trial for trial in self.trials if trial.candidate == one and trial.turn in turns]
        return pooled(trials) if trials else None

    @property
    def before(self) -> Trial | None:
        """The configuration that the model had, where it was measured."""
        return next((trial for trial in self.finals if trial.candidate == self.base), None)

    @property
    def predicted_ranking(self) -> tuple[Forecast, ...]:
        """The forecasts, best first."""
        return tuple(sorted(self.forecasts, key=lambda forecast: forecast.score.rank, reverse=True))

    def forecast_of(self, candidate: Candidate) -> Forecast | None:
        """What was predicted of a candidate; None where nothing was."""
        return next((forecast for forecast in self.forecasts if forecast.candidate == candidate), None)

    def pareto(self, *figures: str) -> tuple[Trial, ...]:
        """The measured candidates that no other beats in every figure at once.

        Args:
            figures: of gain, throughput, p99_ms, memory_bytes and count; all of them where none is named.

        Raises:
            NotFoundError: no such figure.
        """
        return pareto(self.finals, figures or FIGURES)

    def facts(self) -> dict[str, Any]:
        """For JSON: what was sought, what was found, every trial; what is not finite is null."""
        confirmed = self.confirmation.facts() if self.confirmation else None
        found = {"best": self.ranking[0].facts() if self.ranking else None, "confirmation": confirmed}
        rows = {"trials": [trial.facts() for trial in self.trials], "left_out": len(self.excluded)}
        plain: dict[str, Any] = plain_json(
            {"model": self.model, "objective": self.objective, "workload": str(self.workload), **found, **rows}
        )
        return plain

    def to_frame(self) -> pd.DataFrame:
        """One row for each trial.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError("a data frame", extra="tune") from error
        return pd.DataFrame([trial.facts() for trial in self.trials])

    def to_parquet(self, path: str | Path) -> Path:
        """Writes one row for each trial, with the predicted figures beside the measured ones.

        Raises:
            MissingExtraError: pandas or pyarrow is not installed.
        """
        frame = self.to_frame()
        gains = {forecast.candidate: forecast.score.gain.value for forecast in self.forecasts}
        frame["predicted_gain"] = [gains.get(trial.candidate, math.nan) for trial in self.trials]
        frame["preferred_batch_size"] = frame["preferred_batch_size"].map(list)
        try:
            frame.to_parquet(path)
        except ImportError as error:
            raise MissingExtraError("a Parquet file", extra="tune") from error
        return Path(path)

    def __str__(self) -> str:
        head = f"{self.model}: {self.objective}; {len(self.trials)} trials, {len(self.excluded)} combinations left out"
        return "\n".join((head, *map(str, self.ranking[:_SHOWN])))

    def table(self) -> Table:
        """The best trials, one a row, best first."""
        caption = f"{self.model}: {self.objective}, {self.workload}"
        longest = max((trial.effort for trial in self.finals), default=0.0)
        rows = tuple(_row(trial, longest) for trial in self.ranking[:_SHOWN])
        return Table(_COLUMNS, rows, caption)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.table().rows)
        left_out = "".join(f"<li>{escape(str(e.candidate))}: {escape(e.reason)}</li>" for e in self.excluded)
        details = f"<details><summary>{len(self.excluded)} left out</summary><ul>{left_out}</ul></details>"
        return (
            f"<table><caption><b>{escape(self.model)}</b>: {escape(self.objective)}, {escape(str(self.workload))}"
            f"</caption><tr>{''.join(f'<th>{name}</th>' for name in _COLUMNS)}</tr>{rows}</table>"
            f"{details if self.excluded else ''}"
        )


_COLUMNS: Final = ("#", "max batch", "preferred", "delay µs", "instances", "answers/s", "p99 ms", "mean batch", "")


def _row(trial: Trial, longest: float) -> tuple[str, ...]:
    candidate, point = trial.candidate, trial.point
    measured = ("", "", "")
    if point is not None:
        measured = (f"{point.throughput:,.0f}", str(point.p99_ms), f"{point.mean_batch_size:.1f}")
    preferred = " ".join(map(str, candidate.preferred_batch_size)) or "max"
    cells = (
        trial.number,
        candidate.max_batch_size,
        preferred,
        candidate.max_queue_delay_microseconds,
        candidate.count,
        *measured,
        _remark(trial, longest),
    )
    return tuple(map(str, cells))


def _remark(trial: Trial, longest: float) -> str:
    if trial.score is None:
        return trial.reason
    remarks = [] if trial.is_feasible else ["misses the objective"]
    if trial.effort < longest:
        remarks.append("out in a shorter round")
    if trial.point is not None and not trial.point.is_steady:
        remarks.append("flagged: " + "; ".join(trial.point.reasons))
    return "; ".join(remarks)
