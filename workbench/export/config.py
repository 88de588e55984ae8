# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The tuned `config.pbtxt`: the file as it was with the fewest changes, and a comment at every tuned value."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.config import ModelConfig, edit_config, parse_config, write_config
from workbench.errors import ConfigError
from workbench.export.edits import PATHS, minimal_changes, serves_alike, with_notes, without_notes
from workbench.export.evidence import FIELDS, evidence, milliseconds, shown
from workbench.sweep import Study, Trial, candidate_of


def tuned_config_text(trial: Trial, *, original: str = "", study: Study | None = None) -> str:
    """The configuration that served while the trial was measured, as `config.pbtxt` text.

    Args:
        trial: what was measured.
        original: the model's file; its comments, order and spelling stay, and only tuned values change. A file that
            says something else than what served gives way to the whole configuration.
        study: the sweep that the trial is of, for the evidence.
    """
    served = parse_config(trial.config)
    text = _edited(original, trial, served) or write_config(served)
    return with_notes(text, dict(_notes(trial, parse_config(text), study)), header="\n".join(_header(trial, study)))


def _edited(original: str, trial: Trial, served: ModelConfig) -> str:
    if not original.strip():
        return ""
    text = without_notes(original)
    try:
        text = edit_config(text, minimal_changes(parse_config(text), trial.candidate))
        return text if serves_alike(parse_config(text), served) else ""
    except ConfigError:
        # What a file leaves to completion, such as its name, may be missing: then the whole is written.
        return ""


def _header(trial: Trial, study: Study | None) -> Iterator[str]:
    yield f"tuned for {trial.sought}." if trial.sought else "measured."
    if trial.point is not None:
        point = trial.point
        yield f"Measured with these values: {point.throughput:,.0f} answers/s, p99 {milliseconds(point.p99_ms)}."
        yield from (f"The measurement is flagged: {reason}." for reason in point.reasons)
    forecast = study.forecast_of(trial.candidate) if study else None
    if forecast is not None:
        yield f"Predicted: {forecast.score.words}."
    if study is not None and study.confirmation is not None and study.confirmation.point is not None:
        last = study.confirmation.point
        yield f"Measured once more, other arrivals: {last.offered_rate:,.0f}/s, p99 {milliseconds(last.p99_ms)}."


def _notes(trial: Trial, config: ModelConfig, study: Study | None) -> Iterator[tuple[str, str]]:
    """A comment for each field that was searched, or, without a study, that the configuration holds."""
    before, now = trial.before or candidate_of(config), trial.candidate
    for field in FIELDS:
        old, value = getattr(before, field), getattr(now, field)
        proof = evidence(study, trial, field) if study else None
        if proof is None and old == value and (study is not None or not _holds(config, field)):
            continue
        words = f"tuned: was {shown(field, old)}" if old != value else f"tuned: kept at {shown(field, value)}"
        note = f"{words}; {proof}" if proof else words
        for path in _paths(config, field):
            yield path, note


def _holds(config: ModelConfig, field: str) -> bool:
    """Whether a configuration says something of a field."""
    if field in ("max_batch_size", "count"):
        return field == "max_batch_size" or bool(config.instance_group)
    if field == "dynamic_batching":
        return False
    return bool(getattr(config.dynamic_batching, field)) and config.HasField("dynamic_batching")


def _paths(config: ModelConfig, field: str) -> list[str]:
    if field == "count":
        return [f"instance_group[{index}].count" for index in range(len(config.instance_group))]
    return [PATHS[field]]
