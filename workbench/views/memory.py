# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the memory pools held over time, and where one had to help out. Pure functions over memory events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.server import Pool
from workbench.views.records import Records, select
from workbench.views.units import byte_size, counted

ALLOCATED: Final = 4
FREED: Final = 5
FALLBACK: Final = 8
_MOMENT_NS: Final = 10_000_000
ALLOCATION_FAILED: Final = 9

POOL_BIN_DTYPE: Final = np.dtype([("index", "<i8"), ("pool", "<i8"), ("live", "<f8"), ("reserved", "<f8")])


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that needs a word at one moment: a "fallback", an "allocation_failed", a model's "state"."""

    when_ns: int
    kind: str
    words: str
    count: int = 1
    pool: int = -1


def pool_bins(memory: Records, pools: Sequence[Pool], *, bin_ns: int, first: int, last: int) -> NDArray[np.void]:
    """The most live bytes and the last reserved bytes of each pool in the bins `first` to `last`.

    A bin without an event of its pool carries on from the bin before; without any event, `pools` tells.

    Returns:
        (pools × bins,) records of `POOL_BIN_DTYPE`, by pool, then by bin.
    """
    parts = [_bins_of_pool(memory, number, pool, bin_ns, first, last) for number, pool in enumerate(pools)]
    return np.concatenate(parts) if parts else np.empty(0, POOL_BIN_DTYPE)


def pool_marks(memory: Records, pools: Sequence[Pool], *, bin_ns: int) -> tuple[Mark, ...]:
    """Fallbacks and failed allocations; those of one kind, pool and bin become one mark with a count."""
    told = _without_helped(select(memory, (memory["kind"] == FALLBACK) | (memory["kind"] == ALLOCATION_FAILED)))
    if len(told) == 0:
        return ()
    bins = told["arrival_ns"].astype(np.int64) // bin_ns
    keys = (bins << 16) | (told["kind"].astype(np.int64) << 8) | told["instance"]
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    return tuple(_mark(told[i], int(count), pools, memory) for i, count in zip(first, counts, strict=True))


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Bytes of a pool after some events: live and reserved at last, and the most that were live."""

    live: int
    reserved: int
    peak: int


def sizes_after(memory: Records, pool_count: int) -> tuple[PoolSize | None, ...]:
    """What events tell of each pool; None where they tell nothing."""
    return tuple(_size_after(_sizes_of(memory, number)) for number in range(pool_count))


def pools_after(pools: Sequence[Pool], sizes: Sequence[PoolSize | None]) -> tuple[Pool, ...]:
    """The pools after events, as far as events tell: live, reserved and peak bytes."""
    return tuple(_pool_after(pool, size) for pool, size in zip(pools, sizes, strict=True))


def _size_after(told: Records) -> PoolSize | None:
    if len(told) == 0:
        return None
    live = told["compute_end_ns"]
    return PoolSize(int(live[-1]), int(told["end_ns"][-1]), int(live.max()))


def _pool_after(pool: Pool, size: PoolSize | None) -> Pool:
    if size is None:
        return pool
    peak = max(pool.peak_byte_size, size.peak)
    return replace(pool, live_byte_size=size.live, reserved_byte_size=size.reserved, peak_byte_size=peak)


def _sizes_of(memory: Records, number: int) -> Records:
    of_pool = (memory["instance"] == number) & (memory["kind"] != FALLBACK) & (memory["kind"] != ALLOCATION_FAILED)
    told = select(memory, of_pool)
    return told.take(np.argsort(told["arrival_ns"], kind="stable"))


def _bins_of_pool(memory: Records, number: int, pool: Pool, bin_ns: int, first: int, last: int) -> NDArray[np.void]:
    told = _sizes_of(memory, number)
    index = np.arange(first, last + 1)
    bins = np.empty(len(index), POOL_BIN_DTYPE)
    bins["index"], bins["pool"] = index, number
    ends = np.searchsorted(told["arrival_ns"], (index + 1) * bin_ns, side="left")
    starts = np.searchsorted(told["arrival_ns"], index * bin_ns, side="left")
    live = _prepended(told["compute_end_ns"], pool.live_byte_size)
    live[0] = max(live[0] - _change(told), 0.0)
    reserved = _prepended(told["end_ns"], pool.reserved_byte_size)
    bins["reserved"] = reserved[ends]
    bins["live"] = live[ends]
    for i in np.flatnonzero(ends > starts):
        bins["live"][i] = live[starts[i] : ends[i] + 1].max()
    return bins


def _whereto(event: np.void, memory: Records, pools: Sequence[Pool]) -> str:
    """The pool that gave memory at that address last before; nothing where its events are left out."""
    gave = (memory["kind"] == ALLOCATED) & (memory["compute_start_ns"] == event["compute_start_ns"])
    gave &= (memory["arrival_ns"] <= event["arrival_ns"]) & (memory["instance"] != event["instance"])
    found = np.flatnonzero(gave & (memory["compute_start_ns"] != 0))
    return f" to {_name(pools, int(memory['instance'][found[-1]]))}" if len(found) else ""


def _name(pools: Sequence[Pool], number: int) -> str:
    return pools[number].name if number < len(pools) else f"pool {number}"


def _change(told: Records) -> float:
    """By how many bytes the first event changed what is live."""
    if len(told) == 0:
        return 0.0
    sign = {ALLOCATED: 1.0, FREED: -1.0}.get(int(told["kind"][0]), 0.0)
    return sign * float(told["start_ns"][0])


def _prepended(values: NDArray[np.uint64], known: int) -> NDArray[np.float64]:
    """Values with what was known before them in front: their first one, or what the pool says now."""
    floats = values.astype(np.float64)
    return np.concatenate([floats[:1] if len(floats) else [float(known)], floats])


def _without_helped(told: Records) -> Records:
    """Without the failures that a fallback of the same pool, in the next moment, made good."""
    helped = select(told, told["kind"] == FALLBACK)
    if len(helped) == 0 or len(helped) == len(told):
        return told
    kept = [event["kind"] == FALLBACK or not _is_helped(event, helped) for event in told]
    return select(told, np.array(kept, bool))


def _is_helped(failure: np.void, helped: Records) -> bool:
    alike = helped[(helped["instance"] == failure["instance"]) & (helped["start_ns"] == failure["start_ns"])]
    later = alike["arrival_ns"].astype(np.int64) - int(failure["arrival_ns"])
    return bool(((later >= 0) & (later < _MOMENT_NS)).any())


def _mark(event: np.void, count: int, pools: Sequence[Pool], memory: Records) -> Mark:
    number = int(event["instance"])
    name = _name(pools, number)
    failed = event["kind"] == ALLOCATION_FAILED
    size = byte_size(int(event["start_ns"]))
    words = (
        f"{name}: no memory for {counted(count, 'allocation')} of {size}"
        if failed
        else f"{name} was full: {size} fell back{_whereto(event, memory, pools)}"
    )
    return Mark(int(event["arrival_ns"]), "allocation_failed" if failed else "fallback", words, count, number)
