# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The tuned `config.pbtxt`, with a comment at every tuned value that says where it came from."""

from __future__ import annotations

from workbench.config import ModelConfig, parse_config, write_config
from workbench.load import Interval
from workbench.sweep import Candidate, Trial, candidate_of

_BATCHING = "dynamic_batching"


def tuned_config_text(trial: Trial) -> str:
    """The configuration that served while the trial was measured, as `config.pbtxt` text."""
    config = parse_config(trial.config)
    return write_config(config, notes=_notes(trial, config), header=_header(trial))


def _header(trial: Trial) -> str:
    lines = [f"Tuned by workbench: {trial.sought}." if trial.sought else "Measured by workbench."]
    if trial.point is not None:
        point = trial.point
        lines.append(f"Measured with these values: {point.throughput:,.0f} answers/s, p99 {_ms(point.p99_ms)}.")
        lines += [f"The measurement is flagged: {reason}." for reason in point.reasons]
    return "\n".join(lines)


def _notes(trial: Trial, config: ModelConfig) -> dict[str, str]:
    """A comment for each searched field that the configuration holds, by path."""
    before, now = trial.before or candidate_of(config), trial.candidate
    notes = {"max_batch_size": _note(before.max_batch_size, now.max_batch_size)}
    if config.HasField("dynamic_batching"):
        if config.dynamic_batching.preferred_batch_size:
            notes[f"{_BATCHING}.preferred_batch_size"] = _note(_sizes(before), _sizes(now))
        notes[f"{_BATCHING}.max_queue_delay_microseconds"] = _note(
            before.max_queue_delay_microseconds, now.max_queue_delay_microseconds
        )
    notes |= {f"instance_group[{i}].count": _note(before.count, now.count) for i in range(len(config.instance_group))}
    return notes


def _note(before: object, now: object) -> str:
    return f"tuned: kept at {now}" if before == now else f"tuned: was {before}"


def _sizes(candidate: Candidate) -> str:
    return " ".join(map(str, candidate.preferred_batch_size)) or "the largest size"


def _ms(interval: Interval) -> str:
    high = f"{interval.high:.3g}" if interval.is_bounded else "unbounded: too few samples"
    return f"{interval.value:.3g} ms (95 % interval {interval.low:.3g} to {high})"
