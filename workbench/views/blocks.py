# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The map of memory blocks for a picture: slabs to scale, neighbours of one owner as one. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.server import MemoryStatistics

BLOCK_DTYPE: Final = np.dtype(
    [
        ("pool", "<f8"),
        ("slab", "<f8"),
        ("offset", "<f8"),
        ("byte_size", "<f8"),
        ("model", "<f8"),
        ("instance", "<f8"),
        ("tensor", "<f8"),
        ("is_free", "<f8"),
        ("count", "<f8"),
    ]
)
"""`offset` counts from the slab's start; `instance` is -1 where none asked; `count` blocks were joined."""

MOST_BLOCKS: Final = 3_000
MOST_SLABS: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class BlockMap:
    """What a picture shows of the pools' blocks.

    Attributes:
        blocks: (n,) records of `BLOCK_DTYPE`, by pool, slab and offset.
        slab_sizes: bytes of each slab by (number of the pool, number of the slab in it).
        hidden_slabs: slabs of each pool that are not shown, by its number.
        owned_bytes: bytes in use by the number of their model; 0 where no model asked.
    """

    blocks: NDArray[np.void]
    slab_sizes: dict[tuple[int, int], int]
    hidden_slabs: dict[int, int]
    owned_bytes: dict[int, int]


def block_map(memory: MemoryStatistics, *, limit: int = MOST_BLOCKS) -> BlockMap:
    """The map of a snapshot, with at most about `limit` blocks: beyond, small ones beside each other are joined."""
    names = [pool.name for pool in memory.pools]
    parts = [np.empty(0, BLOCK_DTYPE)]
    sizes: dict[tuple[int, int], int] = {}
    hidden: dict[int, int] = {}
    owned: dict[int, int] = {}
    for number, name in enumerate(names):
        records = memory.records.get(name)
        if records is None or not len(records):
            continue
        for model, held in _held(records).items():
            owned[model] = owned.get(model, 0) + held
        told, pool_sizes = _of_pool(records, number)
        shown = told[told["slab"] < MOST_SLABS]
        hidden[number] = max(len(pool_sizes) - MOST_SLABS, 0)
        sizes |= {(number, slab): size for slab, size in enumerate(pool_sizes[:MOST_SLABS])}
        parts.append(_joined(shown, limit // max(len(memory.records), 1)))
    return BlockMap(np.concatenate(parts), sizes, hidden, owned)


def _of_pool(records: NDArray[Any], number: int) -> tuple[NDArray[np.void], list[int]]:
    ordered = records[np.lexsort((records["address"], records["slab"]))]
    slabs, slab_of = np.unique(ordered["slab"], return_inverse=True)
    starts = np.minimum.reduceat(ordered["address"], np.flatnonzero(np.r_[True, np.diff(slab_of) > 0]))
    told = np.zeros(len(ordered), BLOCK_DTYPE)
    told["pool"], told["slab"], told["count"] = number, slab_of, 1
    told["offset"] = ordered["address"] - starts[slab_of]
    for name in ("byte_size", "model", "tensor", "is_free"):
        told[name] = ordered[name]
    told["instance"] = ordered["instance"].astype(np.int64) - 1
    sizes = np.bincount(slab_of, weights=ordered["byte_size"].astype(np.float64), minlength=len(slabs))
    return told, [int(size) for size in sizes]


def _joined(blocks: NDArray[np.void], limit: int) -> NDArray[np.void]:
    """Neighbours that are alike become one; where that is still too much, small ones join, too."""
    if len(blocks) <= limit:
        return blocks
    alike = _runs(blocks, ("slab", "model", "instance", "tensor", "is_free"))
    if len(alike) <= limit:
        return alike
    cell = alike["byte_size"].sum() / limit * 2
    coarse = alike.copy()
    small = coarse["byte_size"] < cell
    coarse["tensor"][small], coarse["instance"][small] = 0, -1
    return _runs(coarse, ("slab", "model", "is_free"))


def _runs(blocks: NDArray[np.void], keys: tuple[str, ...]) -> NDArray[np.void]:
    changes = np.zeros(len(blocks), bool)
    changes[:1] = True
    for key in keys:
        changes[1:] |= blocks[key][1:] != blocks[key][:-1]
    first = np.flatnonzero(changes)
    runs = blocks[first].copy()
    for name in ("byte_size", "count"):
        runs[name] = np.add.reduceat(blocks[name], first)
    return runs


def _held(records: NDArray[Any]) -> dict[int, int]:
    used = records[records["is_free"] == 0]
    held = np.bincount(used["model"].astype(np.int64), weights=used["byte_size"].astype(np.float64))
    return {int(model): int(held[model]) for model in np.flatnonzero(held)}
