# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a kernel's memory consists of. Runs in the kernel: a cell imports it and calls `tell`."""

from __future__ import annotations

import ctypes
import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

EVERY_S = 1.0
LOOK_EVERY_S = 0.02


class MallInfo(ctypes.Structure):
    """What glibc tells of its heap: mallinfo2(3)."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


def parts(kept_byte_size: Callable[[], int]) -> dict[str, int]:
    """Bytes and counts now.

    Returns:
        "used": bytes of the C library's heap that are given out; "free": those that are not, resident or not; "blocks":
        objects of Python; "kept": bytes of what the widest view keeps.
    """
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallInfo
    heap = mallinfo2()
    return {
        "used": heap.uordblks,
        "free": heap.fordblks,
        "blocks": sys.getallocatedblocks(),
        "kept": kept_byte_size(),
    }


def tell(path: str, kept_byte_size: Callable[[], int], queue_length: Callable[[], int]) -> None:
    """Writes the parts into a file, again and again, and as "queued" how many requests ever waited at once."""

    def run() -> None:
        queued = 0
        while True:
            for _ in range(round(EVERY_S / LOOK_EVERY_S)):
                time.sleep(LOOK_EVERY_S)
                queued = max(queued, queue_length())
            fresh = Path(path).with_suffix(".new")
            fresh.write_text(json.dumps(parts(kept_byte_size) | {"queued": queued}))
            fresh.replace(path)

    threading.Thread(target=run, daemon=True).start()
