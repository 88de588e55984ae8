# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Why a configuration won and others lost, in words: from what was measured, and where nothing was from simulations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workbench.export.evidence import FIELDS, evidence, milliseconds, shown
from workbench.sweep import Candidate, Study, Trial

WORDS: Final = {
    "max_batch_size": "largest batch",
    "preferred_batch_size": "preferred sizes",
    "max_queue_delay_microseconds": "delay µs",
    "count": "instances",
    "dynamic_batching": "dynamic batching",
    "priority_levels": "priority levels",
    "default_queue_policy": "queue",
}
_FULL: Final = 0.9
"""A mean batch this close to the largest says that the batches are full."""


def why_it_won(study: Study) -> Iterator[str]:
    """Sentences on the winner: against the model as it was, confirmed or not, value by value."""
    best = study.best
    said = best.score.words if best.score else ""
    yield f"{best.candidate}: {said}."
    before = study.before
    if before is not None and before.candidate != best.candidate:
        yield f"The model as it was, {before.candidate}: {_compared(before, best)}."
    elif before is not None:
        yield "That is the configuration that the model had: nothing better was found."
    if study.confirmation is not None and study.confirmation.point is not None:
        yield _confirmed(study.confirmation, study.slo_p99_ms)
    for field in FIELDS:
        if (proof := evidence(study, best, field)) is not None:
            yield f"{WORDS[field]} {shown(field, proof.value)}: {proof}."


def why_others_lost(study: Study, *, most: int = 5) -> Iterator[str]:
    """A sentence for each of the next best that were measured."""
    best = study.best
    for trial in study.ranking[1 : most + 1]:
        beside = study.beside(best.candidate, trial.candidate) or best
        yield f"{trial.candidate}: {why_it_lost(trial, beside)}."


def why_it_lost(trial: Trial, best: Trial) -> str:
    """What speaks against a trial."""
    if trial.score is None or trial.point is None:
        return f"the server refused it: {trial.reason}"
    cause = _cause(trial, best)
    if not trial.is_feasible:
        p99 = milliseconds(trial.point.p99_ms)
        return f"misses the objective: p99 {p99} at {trial.point.offered_rate:,.0f}/s{cause}"
    if best.score is not None and not trial.score.is_clearly_behind(best.score):
        shorter = ", measured for a shorter time" if trial.effort < best.effort else ""
        return f"{_compared(trial, best)}; the intervals do not tell the two apart{shorter}{cause}"
    return f"{_compared(trial, best)}{cause}"


def _compared(trial: Trial, best: Trial) -> str:
    if trial.score is None or best.score is None:
        return trial.reason
    mine, its = trial.score.gain.value, best.score.gain.value
    if not trial.is_feasible or its == 0:
        return trial.score.words
    return f"{trial.score.words} ({(mine - its) / abs(its):+.1%})"


def _confirmed(confirmation: Trial, slo_p99_ms: float) -> str:
    point = confirmation.points[-1]
    at = f"{point.offered_rate:,.0f}/s with arrivals that it was not chosen by"
    if confirmation.is_feasible:
        return f"Confirmed: p99 {milliseconds(point.p99_ms)} at {at}."
    return f"Not confirmed: p99 {milliseconds(point.p99_ms)} instead of {slo_p99_ms:g} ms at {at}."


def _cause(trial: Trial, best: Trial) -> str:
    """What the difference between two configurations does, as far as the batches show it."""
    causes = [cause for field in FIELDS if (cause := _cause_of(field, trial, best))]
    return f"; {', '.join(causes)}" if causes else ""


def _cause_of(field: str, trial: Trial, best: Trial) -> str:
    ours, its = getattr(trial.candidate, field), getattr(best.candidate, field)
    if ours == its or trial.point is None or best.point is None:
        return ""
    mean, other = trial.point.mean_batch_size, best.point.mean_batch_size
    if field == "max_batch_size" and ours < its and mean >= _FULL * ours:
        return f"its batches are full (mean {mean:.1f} of {ours}), so nothing is left to gain"
    if field == "max_queue_delay_microseconds":
        return _of_delay(trial.candidate, best.candidate, mean, other)
    if field == "count":
        return f"{ours} instead of {its} instances run at a time"
    if field == "dynamic_batching":
        return "nothing is put together" if not ours else "requests are put together"
    return f"{WORDS[field]} {shown(field, ours)} instead of {shown(field, its)}: batches of {mean:.1f}, not {other:.1f}"


def _of_delay(mine: Candidate, best: Candidate, mean: float, other: float) -> str:
    delay, its = mine.max_queue_delay_microseconds, best.max_queue_delay_microseconds
    if delay < its:
        return f"leaves {its - delay} µs sooner: batches of {mean:.1f}, not {other:.1f}"
    return f"waits up to {delay - its} µs longer for batches of {mean:.1f} instead of {other:.1f}"
