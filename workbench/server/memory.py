# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the memory pools hold: a snapshot, with a map of every block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from workbench.repository import Engine
from workbench.server.memory_map import html_map
from workbench.server.rendering import format_bytes, html_table, text_table

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS: Final = (
    "pool", "memory", "live", "reserved", "peak", "limit", "allocations", "hit rate", "fragmentation", "failures",
    "fallbacks",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool.

    Attributes:
        name: what it holds: host memory in a pool ("host pool") or straight from the machine ("host"), page-locked
            memory ("pinned pool"), a GPU's ("GPU 0 pool").
        live_byte_size: bytes in use.
        reserved_byte_size: bytes taken from the machine; pools do not shrink by themselves.
        peak_byte_size: most bytes ever in use.
        limit_byte_size: bytes that it may take; 0 = no limit.
        allocations, failures: how often memory was given, and refused.
        fallbacks: how often other memory was given instead.
        memory_type, memory_type_id: where it lies: "CPU", "CPU_PINNED" or "GPU", and which of them.
        hits: allocations for which nothing had to be reserved.
        fragmentation: how far the free bytes are from being one block: 0 = all together, near 1 = scattered.
    """

    name: str
    live_byte_size: int
    reserved_byte_size: int
    peak_byte_size: int
    limit_byte_size: int
    allocations: int
    failures: int
    fallbacks: int
    memory_type: str = "CPU"
    memory_type_id: int = 0
    hits: int = 0
    fragmentation: float = 0.0

    @property
    def hit_rate(self) -> float:
        """Share of allocations for which nothing had to be reserved; 1 where there was none."""
        return self.hits / self.allocations if self.allocations else 1.0

    def row(self) -> tuple[object, ...]:
        """Its line of the table."""
        sizes = (self.live_byte_size, self.reserved_byte_size, self.peak_byte_size)
        limit = format_bytes(self.limit_byte_size) if self.limit_byte_size else "none"
        place = f"{self.memory_type} {self.memory_type_id}" if self.memory_type == "GPU" else self.memory_type
        shares = (f"{self.hit_rate:.1%}", f"{self.fragmentation:.0%}")
        return (
            self.name, place, *map(format_bytes, sizes), limit, self.allocations, *shares, self.failures, self.fallbacks
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """A piece of a pool, free or in use.

    Attributes:
        pool: name of the pool.
        address, byte_size: where it lies; blocks are a little larger than what was asked for.
        slab: address of what the pool reserved at once and the block is a piece of.
        is_free: nobody has it.
        model, version: whose it is; "" and 0 where no model asked for it.
        instance: index of the model's instance; -1 where none asked for it.
        tensor: name of the output that it holds; "" for any other use.
    """

    pool: str
    address: int
    byte_size: int
    slab: int
    is_free: bool
    model: str
    version: int
    instance: int
    tensor: str


@dataclass(frozen=True, slots=True)
class MemoryStatistics:
    """The pools of a server and their blocks.

    Attributes:
        pools: by their number in events.
        records: blocks by the name of their pool, as numpy arrays with the fields `address`, `byte_size`, `slab`,
            `model`, `instance`, `tensor`, `is_free`; models and tensors are numbers, 0 for none.
        models, tensors: names (and versions) by those numbers.
    """

    pools: tuple[Pool, ...]
    records: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict, repr=False)
    models: tuple[tuple[str, int], ...] = field(default=(("", 0),), repr=False)
    tensors: tuple[str, ...] = field(default=("",), repr=False)

    def pool(self, name: str) -> Pool:
        """The pool of that name; KeyError where there is none."""
        return {pool.name: pool for pool in self.pools}[name]

    @property
    def blocks(self) -> tuple[MemoryBlock, ...]:
        """Every block of every pool, by address; memory straight from the machine has no map."""
        return tuple(block for name in self.records for block in self._blocks(name))

    def live_byte_sizes(self) -> dict[str, int]:
        """Bytes of the blocks in use by model; those of none under ""."""
        sizes: dict[str, int] = {}
        for block in self.blocks:
            if not block.is_free:
                sizes[block.model] = sizes.get(block.model, 0) + block.byte_size
        return sizes

    def to_frame(self) -> pd.DataFrame:
        """The blocks as a pandas DataFrame, a row each."""
        import pandas as pd  # an extra

        names = [one.name for one in fields(MemoryBlock)]
        return pd.DataFrame([[getattr(block, name) for name in names] for block in self.blocks], columns=names)

    def __str__(self) -> str:
        return text_table(_COLUMNS, [pool.row() for pool in self.pools])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython calls it so
        printer.text(repr(self) if cycle else str(self))

    def _repr_html_(self) -> str:
        maps = "".join(html_map(name, list(self._blocks(name))) for name in self.records)
        return html_table(_COLUMNS, [pool.row() for pool in self.pools]) + maps

    def _blocks(self, name: str) -> Iterator[MemoryBlock]:
        for address, byte_size, slab, model, instance, tensor, is_free in self.records[name].tolist():
            owner, version = _at(self.models, model, ("", 0))
            yield MemoryBlock(
                pool=name,
                address=address,
                byte_size=byte_size,
                slab=slab,
                is_free=bool(is_free),
                model=owner,
                version=version,
                instance=instance - 1,
                tensor=_at(self.tensors, tensor, ""),
            )


def memory_of(engine: Engine) -> MemoryStatistics:
    """The snapshot of an engine's pools."""
    rows = engine.pools()
    records = {row["name"]: blocks for row in rows if len(blocks := engine.pool_blocks(row["name"]))}
    names = [one.name for one in fields(Pool) if one.name != "fragmentation"]
    pools = (
        Pool(
            **{name: row[name] for name in names if name in row},
            fragmentation=_fragmentation(records.get(row["name"])),
        )
        for row in rows
    )
    return MemoryStatistics(tuple(pools), records, tuple(engine.model_names()), tuple(engine.tensor_names()))


def _fragmentation(blocks: np.ndarray[Any, Any] | None) -> float:
    if blocks is None:
        return 0.0
    free = blocks["byte_size"][blocks["is_free"] != 0]
    return 1.0 - float(free.max()) / float(free.sum()) if free.size else 0.0


def _at(values: Sequence[Any], index: int, fallback: Any) -> Any:
    return values[index] if index < len(values) else fallback
