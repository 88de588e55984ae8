# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sweep searches: configurations of the batcher and of the instances, only those that a server would run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from workbench.errors import InvalidArgumentError
from workbench.sweep.candidate import Candidate, QueuePolicy

Objection = Callable[[Candidate], str]
"""Why no server would run a candidate; the empty text where it would."""

_BATCHING: Final = (
    "max_batch_size",
    "preferred_batch_size",
    "max_queue_delay_microseconds",
    "priority_levels",
    "default_queue_policy",
)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A combination that is not tried, and why."""

    candidate: Candidate
    reason: str


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """All combinations of the given values; a field without values stays as the model has it.

    Args:
        max_batch_size: sizes, each at least 1.
        preferred_batch_size: lists of sizes; an empty list leaves the server's rule, which is the largest size.
        max_queue_delay_microseconds: delays.
        count: instances of each group.
        dynamic_batching: on, off, or both; on where the space has other fields of batching.
        priority_levels: numbers of levels, 0 for none.
        default_queue_policy: policies.
    """

    max_batch_size: tuple[int, ...] = ()
    preferred_batch_size: tuple[tuple[int, ...], ...] = ()
    max_queue_delay_microseconds: tuple[int, ...] = ()
    count: tuple[int, ...] = ()
    dynamic_batching: tuple[bool, ...] = ()
    priority_levels: tuple[int, ...] = ()
    default_queue_policy: tuple[QueuePolicy, ...] = ()

    @classmethod
    def of(cls, space: SearchSpace | Mapping[str, Sequence[Any]]) -> SearchSpace:
        """A space from a mapping of the fields' names; `instance_count` says the same as `count`.

        Raises:
            InvalidArgumentError: a field that is not searched, or a value that it can not have.
        """
        if isinstance(space, SearchSpace):
            return space
        values = {("count" if name == "instance_count" else name): given for name, given in space.items()}
        known = [field.name for field in fields(cls)]
        if unknown := [name for name in values if name not in known]:
            raise InvalidArgumentError(f"a sweep does not search {', '.join(unknown)}; it searches {', '.join(known)}")
        return cls(**{name: _read(name, given) for name, given in values.items()})

    def __post_init__(self) -> None:
        for name, values in (("max_batch_size", self.max_batch_size), ("count", self.count)):
            if any(value < 1 for value in values):
                raise InvalidArgumentError(f"{name} must be at least 1; {list(values)} holds less")
        if any(delay < 0 for delay in self.max_queue_delay_microseconds):
            raise InvalidArgumentError("max_queue_delay_microseconds can not be negative")

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that have values."""
        return tuple(field.name for field in fields(self) if getattr(self, field.name))

    def split(
        self, base: Candidate, *, objection: Objection = lambda _: ""
    ) -> tuple[tuple[Candidate, ...], tuple[Exclusion, ...]]:
        """What is tried, ordered so that reloads are few, and what is not.

        Args:
            base: the model as it is: the value of each field that the space leaves out.
            objection: what else speaks against a combination, such as the configuration's own rules.
        """
        tried: dict[Candidate, None] = {}
        left_out: list[Exclusion] = []
        for candidate in self._combinations(base):
            plain = candidate.canonical()
            reason = self._objection(candidate, base) or objection(plain)
            if not reason and plain != candidate and plain in tried:
                reason = "without dynamic batching nobody waits: delay, sizes and queue rules change nothing"
            if reason:
                left_out.append(Exclusion(candidate, reason))
            else:
                tried[plain] = None
        return tuple(tried), tuple(left_out)

    def _combinations(self, base: Candidate) -> list[Candidate]:
        is_batched = (True,) if set(self.names) & set(_BATCHING) else (base.dynamic_batching,)
        axes: dict[str, Sequence[Any]] = {
            "max_batch_size": self.max_batch_size or (base.max_batch_size,),
            "count": self.count or (base.count,),
            "dynamic_batching": self.dynamic_batching or is_batched,
            "preferred_batch_size": self.preferred_batch_size or (base.preferred_batch_size,),
            "priority_levels": self.priority_levels or (base.priority_levels,),
            "default_queue_policy": self.default_queue_policy or (base.default_queue_policy,),
            "max_queue_delay_microseconds": self.max_queue_delay_microseconds or (base.max_queue_delay_microseconds,),
        }
        return [Candidate(**dict(zip(axes, values, strict=True))) for values in itertools.product(*axes.values())]

    def _objection(self, candidate: Candidate, base: Candidate) -> str:
        largest = candidate.max_batch_size
        preferred = candidate.preferred_batch_size
        if base.max_batch_size == 0 and largest > 0:
            return "the model does not batch (max_batch_size is 0)"
        if any(size < 1 for size in preferred):
            return "a preferred size is at least 1"
        if any(size > largest for size in preferred):
            return f"preferred size {max(preferred)} is above max_batch_size {largest}"
        if preferred == (largest,) and () in self.preferred_batch_size:
            return "preferring the largest size alone is what no preferred size means"
        delays = self.max_queue_delay_microseconds
        if largest <= 1 and delays and candidate.max_queue_delay_microseconds != min(delays):
            return "a batch of one waits for nobody: the delay changes nothing"
        return ""


def parse_sizes(text: str) -> tuple[int, ...]:
    """A list of preferred sizes as it is typed: `4,8`; `max` is the empty list.

    Raises:
        ValueError: something else.
    """
    return () if text == "max" else tuple(int(size) for size in text.split(","))


def parse_switch(text: str) -> bool:
    """`on` or `off`.

    Raises:
        ValueError: something else.
    """
    if text not in ("on", "off"):
        raise ValueError(f"on or off, not {text!r}")
    return text == "on"


def space_of_options(options: Any) -> SearchSpace:
    """The space that a command line spells: attributes of `options` with the fields' names; empty ones are left out."""
    given = {field.name: getattr(options, field.name, ()) for field in fields(SearchSpace)}
    return SearchSpace.of({name: values for name, values in given.items() if values})


def _sizes(given: Any) -> tuple[int, ...]:
    values = (given,) if isinstance(given, int) else tuple(given)
    if any(isinstance(value, bool) or int(value) != value for value in values):
        raise InvalidArgumentError(f"a search space holds whole numbers, not {given!r}")
    return tuple(int(value) for value in values)


def _lists(values: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(_sizes(entry) for entry in values)


def _switches(values: Sequence[Any]) -> tuple[bool, ...]:
    return tuple(bool(value) for value in values)


def _policies(values: Sequence[Any]) -> tuple[QueuePolicy, ...]:
    try:
        return tuple(entry if isinstance(entry, QueuePolicy) else QueuePolicy(**entry) for entry in values)
    except TypeError as error:
        raise InvalidArgumentError(f"default_queue_policy: {error}") from error


def _read(name: str, given: Sequence[Any]) -> tuple[Any, ...]:
    reader: Callable[[Any], tuple[Any, ...]] = _READERS.get(name, _sizes)
    return reader(given)


_READERS: Final[Mapping[str, Callable[[Any], tuple[Any, ...]]]] = {
    "preferred_batch_size": _lists,
    "dynamic_batching": _switches,
    "default_queue_policy": _policies,
}
