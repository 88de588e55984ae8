# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What several measurements of one candidate say together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from workbench.load import Interval
from workbench.sweep.candidate import Candidate
from workbench.sweep.score import Score
from workbench.sweep.trial import Trial

_Z: Final = 1.96
"""Of a 95 % interval."""


def by_candidate(trials: Iterable[Trial]) -> dict[Candidate, list[Trial]]:
    """The trials of each candidate, in the order in which they came."""
    found: dict[Candidate, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.candidate, []).append(trial)
    return found


def pooled(trials: Sequence[Trial]) -> Trial:
    """One candidate's trials as one: the mean of their gains by effort, for as long as all of them together.

    What a machine does besides differs more from one minute to the next than a run's own interval tells, so that a
    lucky last run must not decide. Runs that a stall disturbed count where there are no others. All but the score
    and the effort is of the longest run, the last of those.

    Args:
        trials: of one candidate, in the order of measuring; at least one.
    """
    scored = [trial for trial in trials if trial.score is not None]
    counted = [trial for trial in scored if trial.point is None or not trial.point.is_disturbed] or scored
    if len(counted) < 2:
        return counted[0] if counted else trials[-1]
    shown = max(reversed(counted), key=lambda trial: trial.effort)
    return replace(shown, score=_score(counted), effort=sum(trial.effort for trial in counted))


def ranked(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """All candidates, each with its trials as one, best first; who got further in a race is before all who did not."""
    of = by_candidate(trials)
    efforts = {candidate: sum(trial.effort for trial in own) for candidate, own in of.items()}
    finals = map(pooled, of.values())
    return tuple(sorted(finals, key=lambda t: (t.is_feasible, efforts[t.candidate], t.rank), reverse=True))


def _score(trials: Sequence[Trial]) -> Score:
    scores = [trial.score for trial in trials if trial.score is not None]
    weights = np.array([trial.effort for trial in trials])
    is_feasible = bool(weights @ [score.is_feasible for score in scores] * 2 >= weights.sum())
    gain = _mean([score.gain for score in scores], weights / weights.sum())
    size = abs(gain.value)
    figure = f"{size:,.0f}" if size >= 100 else f"{size:.3g}"
    unit = scores[-1].unit
    return Score(gain, is_feasible, f"{figure}{unit}, mean of {len(scores)} runs", unit)


def _mean(gains: Sequence[Interval], shares: np.ndarray) -> Interval:
    """The weighted mean; its interval is no narrower than the scatter of the runs asks for."""
    values = np.array([gain.value for gain in gains])
    if not np.isfinite(values).all():
        return Interval(-math.inf, -math.inf, -math.inf)
    mean = float(shares @ values)
    scatter = _Z * math.sqrt(float(shares**2 @ (values - mean) ** 2) * len(gains) / (len(gains) - 1))
    below, above = (np.array([getattr(gain, side) for gain in gains]) - values for side in ("low", "high"))
    low, high = (max(scatter, float(np.linalg.norm(shares * side))) for side in (below, above))
    return Interval(mean, mean - low, mean + high)
