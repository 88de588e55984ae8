# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server has little of and shares: the response cache's bytes, and the resources of its rate limiter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from workbench.errors import InvalidArgumentError, NotFoundError

RateLimit: TypeAlias = Literal["off", "execution_count"]
"""Whether instances wait for resources before they execute."""
Resources: TypeAlias = Mapping[str | tuple[str, int], int]
"""How many there are of a resource, by its name, or by its name and a device."""

_EVERY_DEVICE: Final = -1


@dataclass(frozen=True, slots=True)
class CacheLibrary:
    """A response cache in a shared object, behind the TRITONCACHE interface.

    Attributes:
        path: its file.
        config: what it is initialized with.

    Raises:
        NotFoundError: there is no such file.
    """

    path: Path
    config: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.path.is_file():
            message = f"no response cache at {self.path}"
            raise NotFoundError(message)


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """What the response cache did since the server started, and what it holds.

    Attributes:
        lookups: requests that were looked up.
        hits: those that were answered out of the cache.
        insertions: responses that were kept.
        evictions: responses that made room for others.
        entries: responses that it holds.
        byte_size: bytes that they take.
        limit_byte_size: bytes that they may take.
    """

    lookups: int
    hits: int
    insertions: int
    evictions: int
    entries: int
    byte_size: int
    limit_byte_size: int

    @property
    def hit_rate(self) -> float:
        """Hits for each lookup, 0 where there was none."""
        return self.hits / self.lookups if self.lookups else 0.0


def cache_statistics_of(counts: Mapping[str, Any] | None) -> CacheStatistics:
    """The snapshot that the core's `counts` describe.

    Raises:
        InvalidArgumentError: the server has no response cache.
    """
    if counts is None:
        message = "the server has no response cache: start it with response_cache_byte_size=..."
        raise InvalidArgumentError(message)
    return CacheStatistics(**counts)


def rate_limits_of(mode: RateLimit, resources: Resources) -> tuple[tuple[str, int, int], ...] | None:
    """Name, count and device of each resource, as the core is told; None where rates are not limited.

    Raises:
        InvalidArgumentError: no such mode, or a count below 0.
    """
    if mode not in get_args(RateLimit):
        message = f"rate_limit is one of {', '.join(get_args(RateLimit))}; got {mode!r}"
        raise InvalidArgumentError(message)
    rows = [((key, _EVERY_DEVICE) if isinstance(key, str) else key, count) for key, count in resources.items()]
    for (name, _), count in rows:
        if count < 0:
            message = f"rate_limit_resources: there are {count} of {name!r}; there can not be less than 0"
            raise InvalidArgumentError(message)
    return None if mode == "off" else tuple((name, count, device) for (name, device), count in rows)
