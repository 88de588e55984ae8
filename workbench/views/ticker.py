# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The one background thread that serves all live views of a process.

Views that tick together read the log together, and a browser that is told by all at once draws their pictures in one
frame. One thread for all takes the interpreter's lock once a tick, not once a view.
"""

from __future__ import annotations

import atexit
import contextvars
import math
import threading
import time
from typing import Final, Protocol

from workbench.views.post import POST
from workbench.views.subshell import forget_parent
from workbench.views.turns import TURNS

NAME: Final = "workbench-views"


class Ticking(Protocol):
    """Something that has to be done again and again."""

    @property
    def due_s(self) -> float:
        """When next, on the monotonic clock."""

    def tick(self) -> None:
        """Does it; called on the ticker's thread, and never fails."""


class Ticker:
    """Calls whoever joined when it is due. Any thread may call it.

    The thread runs in an empty context: a frame belongs to no cell, so it must not inherit the parent of one.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._joined: list[Ticking] = []
        self._thread: threading.Thread | None = None

    def join(self, one: Ticking) -> None:
        """Begins to call it; the thread starts with the first."""
        with self._changed:
            if one not in self._joined:
                self._joined.append(one)
            if self._thread is None:
                self._start()
            self._changed.notify_all()

    def leave(self, one: Ticking) -> None:
        """Calls it no more, save for a call that is under way."""
        with self._changed:
            if one in self._joined:
                self._joined.remove(one)
            self._changed.notify_all()

    def serves(self, one: Ticking) -> bool:
        """Whether it calls it."""
        with self._changed:
            return one in self._joined

    def wake(self) -> None:
        """Looks again at what is due."""
        with self._changed:
            self._changed.notify_all()

    def is_own_thread(self) -> bool:
        """Whether the caller is the ticker's thread."""
        return self._thread is threading.current_thread()

    def close(self, timeout_s: float = 2.0) -> None:
        """Calls nobody any more, and waits for the thread."""
        with self._changed:
            self._joined.clear()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout_s)

    def _start(self) -> None:
        empty = contextvars.Context()
        self._thread = threading.Thread(target=empty.run, args=(self._run,), name=NAME, daemon=True)
        self._thread.start()
        # A thread that comes back from the core into an interpreter that is half gone would abort the process.
        atexit.unregister(self.close)
        atexit.register(self.close)

    def _run(self) -> None:
        forget_parent()
        TURNS.shorten()
        try:
            while (due := self._wait()) is not None:
                with POST.gathered():
                    for one in due:
                        one.tick()
        finally:
            TURNS.restore()

    def _wait(self) -> list[Ticking] | None:
        """Those that are due, once any is; None once nobody is left."""
        with self._changed:
            while self._joined:
                now_s = time.monotonic()
                due = [one for one in self._joined if one.due_s <= now_s]
                if due:
                    return due
                self._changed.wait(min(one.due_s for one in self._joined) - now_s)
            self._thread = None
            return None


def next_tick_s(last_s: float, period_s: float) -> float:
    """The next multiple of a period, none that is less than a quarter of it away: all of one pace tick together."""
    return (math.floor(last_s / period_s + 0.25) + 1) * period_s


TICKER: Final = Ticker()
"""There is one interpreter, and its threads take turns: a second one would only wait for the first."""
