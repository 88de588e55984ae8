# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Shorter turns of Python's threads while a picture is live.

A thread that computes keeps the interpreter's lock for 5 ms before it lets another one in, and a frame's arithmetic
gives the lock away several times: beside a cell that computes, a frame would wait more than it works.
"""

from __future__ import annotations

import sys
import threading
from typing import Final

LIVE_S: Final = 0.0005


class Turns:
    """The interpreter's switch interval, short as long as anybody needs it. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._usual_s = 0.0

    def shorten(self) -> None:
        """Shortens the turns; every call needs its `restore`."""
        with self._lock:
            self._count += 1
            if self._count == 1:
                self._usual_s = sys.getswitchinterval()
                sys.setswitchinterval(min(self._usual_s, LIVE_S))

    def restore(self) -> None:
        """Puts back what was, once nobody needs short turns any more."""
        with self._lock:
            self._count -= 1
            if self._count == 0:
                sys.setswitchinterval(self._usual_s)


TURNS: Final = Turns()
"""There is one interpreter, and it has one interval."""
