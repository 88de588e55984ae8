# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Field paths: how a place inside a configuration is named.

`dynamic_batching.max_queue_delay_microseconds`, `instance_group[0].count`, `input[1].dims[0]`,
`parameters["mode"].string_value`, `dynamic_batching.priority_queue_policy[2].max_queue_size`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from workbench.errors import InvalidArgumentError

_STEP: Final = re.compile(r"""(?P<name>[a-z]\w*)(?:\[(?:(?P<index>\d+)|(?P<key>"(?:[^"\\]|\\.)*"))\])?(?:\.|$)""")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: a field, and the index or map key of one of its elements; None means the field itself."""

    name: str
    key: int | str | None = None

    def __str__(self) -> str:
        if self.key is None:
            return self.name
        return f"{self.name}[{json.dumps(self.key, ensure_ascii=False)}]"


def parse_path(path: str) -> tuple[Step, ...]:
    """The steps of `path`; raises InvalidArgumentError when it is not a field path."""
    steps: list[Step] = []
    position = 0
    while match := _STEP.match(path, position):
        steps.append(_step(match))
        position = match.end()
    if position != len(path) or not steps or path.endswith("."):
        raise InvalidArgumentError(f"{path!r} is not a field path such as instance_group[0].count")
    return tuple(steps)


def _step(match: re.Match[str]) -> Step:
    if match["index"] is not None:
        return Step(match["name"], int(match["index"]))
    if match["key"] is not None:
        return Step(match["name"], json.loads(match["key"]))
    return Step(match["name"])


def format_path(steps: tuple[Step, ...]) -> str:
    """The path whose steps these are."""
    return ".".join(map(str, steps))
