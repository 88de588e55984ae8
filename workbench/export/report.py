# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A short report of what a sweep found, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from workbench.export.reasons import why_it_won, why_others_lost
from workbench.sweep import Study, Trial

_SHOWN = 12


def report(found: Study | Trial) -> str:
    """What was sought, what was found, how it was measured."""
    return _study_report(found) if isinstance(found, Study) else _trial_report(found)


def _trial_report(trial: Trial) -> str:
    return "\n".join((f"# {trial.model}", "", *_answer(trial), "", *_table((trial,)), "", _HOW, ""))


def _study_report(study: Study) -> str:
    parts = [f"# {study.model}", "", *_answer(study.best), "", "## Why", ""]
    parts += [*(f"- {line}" for line in why_it_won(study)), ""]
    parts += ["## Why not the others", "", *(f"- {line}" for line in why_others_lost(study)), ""]
    parts += ["## Candidates, best first", "", *_table(study.ranking[:_SHOWN]), "", _HOW, ""]
    if study.excluded:
        parts += ["## Left out", ""]
        by_reason = sorted(study.excluded, key=lambda exclusion: exclusion.reason)
        parts += [f"- {len(list(group))} × {reason}" for reason, group in groupby(by_reason, key=lambda e: e.reason)]
        parts.append("")
    return "\n".join(parts)


def _answer(trial: Trial) -> Iterable[str]:
    yield f"Sought: {trial.sought or 'nothing; a single measurement'}."
    yield ""
    yield f"Chosen: **{trial.candidate}**; before: {trial.before or 'not known'}."
    if trial.score is not None and not trial.score.is_feasible:
        yield ""
        yield "**No candidate met the objective; this one came nearest.**"


def _table(trials: Sequence[Trial]) -> Iterable[str]:
    yield "| candidate | answers/s | p50 ms | p99 ms | mean batch | verdict |"
    yield "|---|---|---|---|---|---|"
    for trial in trials:
        yield f"| {trial.candidate} | {' | '.join(_figures(trial))} |"


def _figures(trial: Trial) -> tuple[str, ...]:
    if trial.point is None:
        return ("", "", "", "", f"refused: {trial.reason}")
    point = trial.point
    verdict = "steady" if point.is_steady else "flagged: " + "; ".join(point.reasons)
    figures = (f"{point.throughput:,.0f}", str(point.p50_ms), str(point.p99_ms))
    return (*figures, f"{point.mean_batch_size:.1f}", verdict)


_HOW = """Latency runs from the intended send time of a seeded schedule. The warm-up is cut by MSER-5; brackets are 95 %
intervals by order statistics, corrected for dependence; a flagged figure failed a check that its line names."""
