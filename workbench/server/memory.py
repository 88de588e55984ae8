# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the memory pools hold: a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from workbench.server.rendering import format_bytes, html_table, text_table

_COLUMNS: Final = ("pool", "live", "reserved", "peak", "limit", "allocations", "failures", "fallbacks")


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool.

    Attributes:
        name: what it holds: system, pinned or a device's memory.
        live_byte_size: bytes in use.
        reserved_byte_size: bytes taken from the machine; pools do not shrink by themselves.
        peak_byte_size: most bytes ever in use.
        limit_byte_size: bytes that it may take; 0 = no limit.
        allocations, failures: how often memory was asked for, and refused.
        fallbacks: how often other memory was given instead.
    """

    name: str
    live_byte_size: int
    reserved_byte_size: int
    peak_byte_size: int
    limit_byte_size: int
    allocations: int
    failures: int
    fallbacks: int

    def row(self) -> tuple[object, ...]:
        """Its line of the table."""
        sizes = (self.live_byte_size, self.reserved_byte_size, self.peak_byte_size)
        limit = format_bytes(self.limit_byte_size) if self.limit_byte_size else "none"
        return (self.name, *map(format_bytes, sizes), limit, self.allocations, self.failures, self.fallbacks)


@dataclass(frozen=True, slots=True)
class MemoryStatistics:
    """The pools of a server."""

    pools: tuple[Pool, ...]

    def pool(self, name: str) -> Pool:
        """The pool of that name; KeyError where there is none."""
        return {pool.name: pool for pool in self.pools}[name]

    def __str__(self) -> str:
        return text_table(_COLUMNS, [pool.row() for pool in self.pools])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        return html_table(_COLUMNS, [pool.row() for pool in self.pools])


def memory_of(pools: Iterable[Mapping[str, Any]]) -> MemoryStatistics:
    """The snapshot that the core's `pools` describe."""
    names = [field.name for field in fields(Pool)]
    return MemoryStatistics(tuple(Pool(**{name: pool[name] for name in names}) for pool in pools))
