# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Room for records that are kept for a while and then let go.

A reader keeps the records of many readings, each for as long as its window lasts. Where these lie in the C library's
heap between short-lived arrays, they leave holes too small for the next large array, and a process that holds the same
grows. So many records lie in pages of their own, which go back to the system with them.
"""

from __future__ import annotations

import mmap
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.events.event import EVENT_DTYPE

LARGE_BYTES: Final = 32 << 10
"""From here on the rest of the last page does not matter, nor does the time that the system takes."""

_FLAGS: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


def room_for(count: int, dtype: np.dtype[Any] = EVENT_DTYPE) -> NDArray[Any]:
    """Writable room for so many records, whatever is in it."""
    byte_size = count * dtype.itemsize
    if byte_size < LARGE_BYTES:
        return np.empty(count, dtype)
    return np.frombuffer(mmap.mmap(-1, byte_size, flags=_FLAGS), dtype)


def taken(records: NDArray[Any], mask: NDArray[np.bool_]) -> NDArray[Any]:
    """The records where the mask holds, copied. Whole records move; a mask as index would copy field by field."""
    return taken_at(records, np.flatnonzero(mask))


def taken_at(records: NDArray[Any], places: NDArray[np.int64]) -> NDArray[Any]:
    """The records at these places, copied; places that there are."""
    found = room_for(len(places), records.dtype)
    records.take(places, out=found, mode="clip")  # in any other mode numpy fills a buffer first
    return found
