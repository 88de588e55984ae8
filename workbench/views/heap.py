# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Free memory of the C library's heap, given back to the system."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final


def _trim() -> Callable[[int], int] | None:
    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found


_TRIM: Final = _trim()


def give_back() -> None:
    """Gives back what is free, where the C library can: glibc keeps up to 64 MiB of it for each thread.

    For after something rare that frees many small arrays, such as a window that is let go: other threads that allocate
    may wait for a millisecond or two.
    """
    if _TRIM is not None:
        _TRIM(0)
