# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A look at memory as a message for the browser."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import numpy as np

from workbench.server import Pool
from workbench.views.blocks import BLOCK_DTYPE
from workbench.views.memory_follower import MemoryLook
from workbench.views.pool_tally import PoolRate


def memory_message(look: MemoryLook, *, seq: int) -> tuple[dict[str, Any], list[bytes]]:
    """A look as a message: a header, and the tables of bins and blocks as float64."""
    first = int(look.bins["index"][0]) if len(look.bins) else 0
    bins = np_table(look.bins, ("index", "pool", "live", "reserved"))
    bins[:, 0] -= first
    header = {
        "kind": "memory",
        "seq": seq,
        "now_s": look.now_ns / 1e9,
        "window_s": look.window_ns / 1e9,
        "bin_s": look.bin_ns / 1e9,
        "first_bin": first,
        "pools": [_plain(pool) | _plain(rate) for pool, rate in zip(look.pools, look.rates, strict=True)],
        "models": [f"{name} v{version}" if name else "" for name, version in look.models],
        "tensors": list(look.tensors),
        "slabs": [[pool, slab, size] for (pool, slab), size in look.blocks.slab_sizes.items()],
        "hidden_slabs": [[pool, count] for pool, count in look.blocks.hidden_slabs.items()],
        "owned": sorted(look.blocks.owned_bytes.items(), key=lambda item: -item[1]),
        "marks": [asdict(mark) | {"when_s": mark.when_ns / 1e9} for mark in look.marks],
        "block_columns": list(BLOCK_DTYPE.names or ()),
        "sentence": look.sentence,
        "dropped": look.dropped,
        "blocks_ago_s": look.blocks_ago_s,
    }
    return header, [bins.tobytes(), look.blocks.blocks.tobytes()]


def _plain(record: Pool | PoolRate) -> dict[str, Any]:
    """Its fields, none of which has fields of its own."""
    return {one.name: getattr(record, one.name) for one in fields(record)}


def np_table(records: Any, names: tuple[str, ...]) -> Any:
    """Columns of records as rows of float64."""
    return np.stack([records[name].astype(np.float64) for name in names], axis=1)
