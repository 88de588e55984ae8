# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The fewest changes that make a configuration's text serve as a candidate, and comments put into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from workbench.config import ModelConfig, Outline, diff_configs
from workbench.sweep import Candidate, candidate_of, tuned_config

MARK: Final = "# workbench: "
"""Begins every comment of ours, so that the next export can take it away again."""

_BATCHING: Final = "dynamic_batching"
_OURS: Final = re.compile(rf"^[ \t]*{re.escape(MARK)}.*\n", re.MULTILINE)

PATHS: Final[Mapping[str, str]] = {
    "max_batch_size": "max_batch_size",
    "dynamic_batching": _BATCHING,
    "preferred_batch_size": f"{_BATCHING}.preferred_batch_size",
    "max_queue_delay_microseconds": f"{_BATCHING}.max_queue_delay_microseconds",
    "priority_levels": f"{_BATCHING}.priority_levels",
    "default_queue_policy": f"{_BATCHING}.default_queue_policy",
    "count": "instance_group[0].count",
}
"""Where a candidate's fields stand in a configuration."""


def minimal_changes(original: ModelConfig, candidate: Candidate) -> dict[str, Any]:
    """New values by path, for `edit_config`; None removes."""
    before, now = candidate_of(original), candidate
    changes: dict[str, Any] = {}
    if now.max_batch_size != before.max_batch_size:
        changes["max_batch_size"] = now.max_batch_size
    changes |= _batching_changes(original, before, now)
    for index in range(max(len(original.instance_group), 1)):
        count = original.instance_group[index].count if original.instance_group else 1
        if (count or 1) != now.count:
            changes[f"instance_group[{index}].count"] = now.count
    return changes


def _batching_changes(original: ModelConfig, before: Candidate, now: Candidate) -> dict[str, Any]:
    if not now.dynamic_batching:
        return {_BATCHING: None} if before.dynamic_batching else {}
    changes: dict[str, Any] = {}
    if now.preferred_batch_size != before.preferred_batch_size:
        changes[PATHS["preferred_batch_size"]] = list(now.preferred_batch_size) or None
    if now.max_queue_delay_microseconds != before.max_queue_delay_microseconds:
        changes[PATHS["max_queue_delay_microseconds"]] = now.max_queue_delay_microseconds
    if now.priority_levels != before.priority_levels:
        changes[PATHS["priority_levels"]] = now.priority_levels
        default = tuned_config(original, now).dynamic_batching.default_priority_level
        changes[f"{_BATCHING}.default_priority_level"] = default or None
    if now.default_queue_policy != before.default_queue_policy:
        policy = now.default_queue_policy
        values = {name: value for name, value in asdict(policy).items() if value and value != "REJECT"}
        changes[PATHS["default_queue_policy"]] = None if policy.is_unlimited else values
    if not before.dynamic_batching and not any(value is not None for value in changes.values()):
        return {_BATCHING: {}}
    return {path: value for path, value in changes.items() if before.dynamic_batching or value is not None}


def serves_alike(text: ModelConfig, served: ModelConfig) -> bool:
    """Whether all that a text says is so in a configuration that served; what completion added does not count."""
    return not [change for change in diff_configs(text, served) if change.before not in (None, "", 0, False, [])]


def without_notes(text: str) -> str:
    """The text without the comments of an earlier export."""
    return _OURS.sub("", text)


def with_notes(text: str, notes: Mapping[str, str], *, header: str = "") -> str:
    """The text with a comment above the line of each path, or of what is around it, and some at the top."""
    outline = Outline(text)
    lines = text.split("\n")
    above: dict[int, list[str]] = {}
    for path, note in notes.items():
        place = outline.locate(path)
        line = place.line - 1 if place else 0
        begins = lines[line].lstrip().startswith(path.rpartition(".")[2].split("[")[0])
        name = "" if begins else f"{path.rpartition('.')[2]}: "
        indent = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
        above.setdefault(line, []).append(f"{indent}{MARK}{name}{note}")
    for line in sorted(above, reverse=True):
        lines[line:line] = above[line]
    head = [f"{MARK}{line}" for line in header.splitlines()]
    return "\n".join([*head, *lines])
