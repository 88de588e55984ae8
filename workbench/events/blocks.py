# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Who holds which block of a memory pool, as a recording keeps it: the numpy twin of the core's `PoolBlock`."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Blocks = NDArray[np.void]
"""A one-dimensional array of BLOCK_DTYPE."""

BLOCK_DTYPE: Final = np.dtype(
    [
        ("address", "<u8"),
        ("byte_size", "<u8"),
        ("slab", "<u8"),
        ("model", "<u2"),
        ("instance", "<u2"),
        ("tensor", "<u2"),
        ("is_free", "<u2"),
    ]
)
"""`slab` is the address of what was reserved at once; `instance` is 1 + its index, and 0 stands for none of each."""

MOST_BLOCKS: Final = 20_000
"""Of a pool with more, a recording keeps the largest."""


def packed(pools: Mapping[str, Blocks]) -> dict[str, str]:
    """Blocks as text: each pool's records, compressed by zlib, in base64."""
    return {
        name: base64.b64encode(zlib.compress(_bounded(blocks).astype(BLOCK_DTYPE).tobytes(), 1)).decode()
        for name, blocks in pools.items()
    }


def unpacked(pools: Mapping[str, Any]) -> dict[str, Blocks]:
    """What `packed` made."""
    return {
        str(name): np.frombuffer(zlib.decompress(base64.b64decode(text)), BLOCK_DTYPE) for name, text in pools.items()
    }


def _bounded(blocks: Blocks) -> Blocks:
    if len(blocks) <= MOST_BLOCKS:
        return blocks
    largest = np.argpartition(blocks["byte_size"], len(blocks) - MOST_BLOCKS)[-MOST_BLOCKS:]
    return blocks.take(np.sort(largest))
