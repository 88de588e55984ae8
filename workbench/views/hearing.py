# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the kernel can hear its pages: before ipykernel 7 it reads nothing of what they say while a cell runs."""

from __future__ import annotations

import threading
import time
from typing import Final

from IPython.core.getipython import get_ipython


class Hearing:
    """A clock that stands still while the kernel may be deaf: silence meanwhile tells nothing of who looks.

    Any thread may call it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cells = 0
        self._deaf_since_s: float | None = None
        self._deaf_s = 0.0
        self._hears_beside_cells = False
        self._listens_to: object | None = None

    def listen(self) -> None:
        """From now on is told of cells, the one that runs now included; without IPython there are none."""
        shell = get_ipython()
        with self._lock:
            if shell is None or self._listens_to is shell:
                return
            self._listens_to = shell
        shell.events.register("pre_execute", self.cell_began)
        shell.events.register("post_execute", self.cell_ended)
        if _is_main_thread():
            self.cell_began()

    def cell_began(self) -> None:
        """A cell runs; one may run another."""
        with self._lock:
            self._cells += 1
            if self._cells == 1:
                self._deaf_since_s = time.monotonic()

    def cell_ended(self) -> None:
        """It is over."""
        with self._lock:
            self._cells = max(self._cells - 1, 0)
            if self._cells == 0:
                self._count()

    def heard(self) -> None:
        """A page was heard: beside cells where that is on a subshell's thread, else between two."""
        with self._lock:
            self._hears_beside_cells = not _is_main_thread()
            if not self._hears_beside_cells:
                self._cells = 0
            self._count()

    def time_s(self, now_s: float) -> float:
        """The time, less what of it the kernel may have been deaf."""
        with self._lock:
            return now_s - self._deaf_s - self._deaf_until(now_s)

    def _count(self) -> None:
        self._deaf_s += self._deaf_until(time.monotonic())
        self._deaf_since_s = None

    def _deaf_until(self, now_s: float) -> float:
        if self._deaf_since_s is None or self._hears_beside_cells:
            return 0.0
        return now_s - self._deaf_since_s


def _is_main_thread() -> bool:
    """Where the shell runs its cells; subshells have threads of their own."""
    return threading.current_thread() is threading.main_thread()


HEARING: Final = Hearing()
"""A kernel has one shell."""
