# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sweep searches: configurations of the batcher and of the instances, only those that a server would run."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from workbench.errors import InvalidArgumentError


@dataclass(frozen=True, slots=True)
class Candidate:
    """One configuration. Fields are named as in the configuration; `count` is that of each instance group."""

    max_batch_size: int
    preferred_batch_size: tuple[int, ...]
    max_queue_delay_microseconds: int
    count: int

    def __str__(self) -> str:
        preferred = " ".join(map(str, self.preferred_batch_size)) or "max"
        instances = "1 instance" if self.count == 1 else f"{self.count} instances"
        return (
            f"max batch {self.max_batch_size}, preferred {preferred}, "
            f"delay {self.max_queue_delay_microseconds} µs, {instances}"
        )

    def differs_only_in_batching(self, other: Candidate) -> bool:
        """Whether a running model can follow from one to the other without a reload."""
        return (self.max_batch_size, self.count) == (other.max_batch_size, other.count)


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
    """

    max_batch_size: tuple[int, ...] = ()
    preferred_batch_size: tuple[tuple[int, ...], ...] = ()
    max_queue_delay_microseconds: tuple[int, ...] = ()
    count: tuple[int, ...] = ()

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
        preferred = tuple(_sizes(entry) for entry in values.pop("preferred_batch_size", ()))
        return cls(preferred_batch_size=preferred, **{name: _sizes(given) for name, given in values.items()})

    def __post_init__(self) -> None:
        for name, values in (("max_batch_size", self.max_batch_size), ("count", self.count)):
            if any(value < 1 for value in values):
                raise InvalidArgumentError(f"{name} must be at least 1; {list(values)} holds less")
        if any(delay < 0 for delay in self.max_queue_delay_microseconds):
            raise InvalidArgumentError("max_queue_delay_microseconds can not be negative")

    def split(self, base: Candidate) -> tuple[tuple[Candidate, ...], tuple[Exclusion, ...]]:
        """What is tried, ordered so that reloads are few, and what is not.

        Args:
            base: the model as it is: the value of each field that the space leaves out.
        """
        tried: list[Candidate] = []
        left_out: list[Exclusion] = []
        for candidate in self._combinations(base):
            reason = self._objection(candidate, base)
            if reason:
                left_out.append(Exclusion(candidate, reason))
            elif candidate not in tried:
                tried.append(candidate)
        return tuple(tried), tuple(left_out)

    def _combinations(self, base: Candidate) -> list[Candidate]:
        axes = (
            self.max_batch_size or (base.max_batch_size,),
            self.count or (base.count,),
            self.preferred_batch_size or (base.preferred_batch_size,),
            self.max_queue_delay_microseconds or (base.max_queue_delay_microseconds,),
        )
        return [Candidate(size, preferred, delay, count) for size, count, preferred, delay in itertools.product(*axes)]

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


def space_of_options(options: Any) -> SearchSpace:
    """The space that a command line spells: attributes of `options` with the fields' names; empty ones are left out."""
    given = {field.name: getattr(options, field.name) for field in fields(SearchSpace)}
    return SearchSpace.of({name: values for name, values in given.items() if values})


def _sizes(given: Any) -> tuple[int, ...]:
    values = (given,) if isinstance(given, int) else tuple(given)
    if any(isinstance(value, bool) or int(value) != value for value in values):
        raise InvalidArgumentError(f"a search space holds whole numbers, not {given!r}")
    return tuple(int(value) for value in values)
