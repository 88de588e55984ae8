# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which candidates are raced once all are predicted, and how the winner is confirmed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from workbench.load import Workload
from workbench.sweep.attempt import Attempt
from workbench.sweep.candidate import Candidate
from workbench.sweep.forecast import Forecast
from workbench.sweep.goodput import Goodput
from workbench.sweep.objective import LowestP99, Objective
from workbench.sweep.strategy import Proposal, SuccessiveHalving
from workbench.sweep.trial import Trial
from workbench.sweep.tunable import Tunable

_MARGIN: Final = 0.97
"""The winner's rate is where its p99 meets the objective; there every other run would miss it."""
_ATTEMPTS: Final = 3
_ALIKE: Final = 0.01
_CONFIRMING_TURN: Final = 100


def shortlist(forecasts: Sequence[Forecast], *, base: Candidate, most: int) -> tuple[Forecast, ...]:
    """The `most` best predicted and, for comparison, the model as it is; ordered so that reloads are few.

    Of those within one in a hundred of each other the plainer comes first: fewer instances, no preferred sizes,
    a shorter delay. A simulation knows no better, and they are easier to live with.
    """
    ranked = sorted(forecasts, key=_preference)
    chosen = ranked[:most]
    chosen += [forecast for forecast in ranked[most:] if forecast.candidate == base]
    return tuple(sorted(chosen, key=lambda forecast: (forecast.candidate.max_batch_size, forecast.candidate.count)))


def _preference(forecast: Forecast) -> tuple[bool, int, int, int, int]:
    """Smaller is better."""
    candidate, gain = forecast.candidate, forecast.score.gain.value
    level = round(math.log(max(abs(gain), 1e-9)) / _ALIKE) * (-1 if gain > 0 else 1)
    plainness = (candidate.count, len(candidate.preferred_batch_size), candidate.max_queue_delay_microseconds)
    return not forecast.score.is_feasible, level, *plainness


def race(chosen: Sequence[Forecast], objective: Objective) -> SuccessiveHalving:
    """Halving among the chosen; the search for a highest rate begins where it was predicted."""
    begin = {f.candidate: f.point.rate * _MARGIN for f in chosen if f.score.is_feasible}
    rates = begin if isinstance(objective, Goodput) else {}
    return SuccessiveHalving([forecast.candidate for forecast in chosen], effort=1.0, rates=rates)


def confirmed(attempt: Attempt, tunable: Tunable, winner: Trial) -> tuple[Trial, Workload] | None:
    """The winner at 97 % of its goodput with arrivals of its own, and at less where it misses the objective there.

    None where nothing is to be confirmed: other objectives confirm by their last round.
    """
    if not isinstance(attempt.objective, Goodput) or winner.score is None or not winner.is_feasible:
        return None
    once = replace(attempt, objective=LowestP99(attempt.objective.slo_p99_ms))
    proposal = Proposal(winner.candidate, winner.effort, _CONFIRMING_TURN, winner.score.gain.value * _MARGIN)
    trial = once(tunable, proposal)
    for turn in range(1, _ATTEMPTS):
        if trial.is_feasible:
            break
        proposal = replace(proposal, turn=_CONFIRMING_TURN + turn, rate=proposal.rate * _MARGIN)
        trial = once(tunable, proposal)
    return trial, once.workload_of(proposal)
