# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One configuration of a search: the fields that decide how requests wait, batch and run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from workbench.errors import InvalidArgumentError


@dataclass(frozen=True, slots=True)
class QueuePolicy:
    """What a queue does with requests that are too many or wait too long; fields are named as in the configuration."""

    timeout_action: Literal["REJECT", "DELAY"] = "REJECT"
    default_timeout_microseconds: int = 0
    allow_timeout_override: bool = False
    max_queue_size: int = 0

    def __post_init__(self) -> None:
        if self.timeout_action not in ("REJECT", "DELAY"):
            raise InvalidArgumentError(f"timeout_action is REJECT or DELAY, not {self.timeout_action!r}")

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing is ever refused or put off."""
        return not (self.default_timeout_microseconds or self.allow_timeout_override or self.max_queue_size)

    def __str__(self) -> str:
        parts = []
        if self.max_queue_size:
            parts.append(f"at most {self.max_queue_size} waiting")
        if self.default_timeout_microseconds:
            parts.append(f"{self.timeout_action.lower()} after {self.default_timeout_microseconds} µs")
        if self.allow_timeout_override:
            parts.append("timeouts of requests")
        return ", ".join(parts) or "unlimited"


UNLIMITED: Final = QueuePolicy()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One configuration. Fields are named as in the configuration; `count` is that of each instance group.

    Args:
        max_batch_size: the largest batch.
        preferred_batch_size: sizes that leave at once; empty for the server's rule, which is the largest size.
        max_queue_delay_microseconds: how long a request may wait for others.
        count: instances of each group.
        dynamic_batching: whether requests are put together at all.
        priority_levels: 0 for none.
        default_queue_policy: what a full or late queue does.
    """

    max_batch_size: int
    preferred_batch_size: tuple[int, ...]
    max_queue_delay_microseconds: int
    count: int
    dynamic_batching: bool = True
    priority_levels: int = 0
    default_queue_policy: QueuePolicy = UNLIMITED

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Candidate:
        """Of plain values, as JSON keeps them."""
        values = dict(fields)
        values["preferred_batch_size"] = tuple(values["preferred_batch_size"])
        if isinstance(policy := values.get("default_queue_policy"), Mapping):
            values["default_queue_policy"] = QueuePolicy(**policy)
        return cls(**values)

    def facts(self) -> dict[str, Any]:
        """Flat: columns of a table."""
        return {**asdict(self), "default_queue_policy": str(self.default_queue_policy)}

    def canonical(self) -> Candidate:
        """The same without what changes nothing: where nothing is batched, nobody waits for a batch."""
        if self.dynamic_batching:
            return self
        return replace(
            self,
            preferred_batch_size=(),
            max_queue_delay_microseconds=0,
            priority_levels=0,
            default_queue_policy=UNLIMITED,
        )

    def differs_only_in_batching(self, other: Candidate) -> bool:
        """Whether a running model can follow from one to the other without a reload."""
        reloaded = ("max_batch_size", "count", "dynamic_batching")
        return all(getattr(self, name) == getattr(other, name) for name in reloaded)

    def __str__(self) -> str:
        instances = "1 instance" if self.count == 1 else f"{self.count} instances"
        if not self.dynamic_batching:
            return f"max batch {self.max_batch_size}, no dynamic batching, {instances}"
        preferred = " ".join(map(str, self.preferred_batch_size)) or "max"
        levels = f", {self.priority_levels} priority levels" if self.priority_levels else ""
        policy = "" if self.default_queue_policy.is_unlimited else f", queue: {self.default_queue_policy}"
        delay = f"delay {self.max_queue_delay_microseconds} µs"
        return f"max batch {self.max_batch_size}, preferred {preferred}, {delay}, {instances}{levels}{policy}"
