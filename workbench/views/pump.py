# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The one background thread that sends a dashboard's frames."""

from __future__ import annotations

import atexit
import contextvars
import logging
import math
import threading
import time
from collections.abc import Callable

from workbench.views.credit import Credit
from workbench.views.subshell import forget_parent
from workbench.views.turns import TURNS

_log = logging.getLogger(__name__)


class Pump:
    """Calls `send_frame(thinned)` at the pace that `credit` allows, until it is stopped or the call fails.

    The thread runs in an empty context: a frame belongs to no cell, so it must not inherit the parent of one.
    """

    def __init__(self, send_frame: Callable[[bool], None], credit: Credit) -> None:
        self._send_frame = send_frame
        self._credit = credit
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.cpu_s = 0.0
        self.frames = 0

    @property
    def is_running(self) -> bool:
        """Whether frames are being sent."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Starts the thread, if it does not run."""
        if self.is_running:
            return
        self._stop.clear()
        empty = contextvars.Context()
        self._thread = threading.Thread(target=empty.run, args=(self._run,), name="workbench-dashboard", daemon=True)
        self._thread.start()
        # A thread that comes back from the core into an interpreter that is half gone would abort the process.
        atexit.register(self.stop)

    def stop(self, timeout_s: float = 2.0) -> None:
        """Ends the thread and waits for it."""
        atexit.unregister(self.stop)
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        forget_parent()
        TURNS.shorten()
        try:
            self._send()
        finally:
            TURNS.restore()

    def _send(self) -> None:
        due_s = time.monotonic()
        while not self._stop.is_set():
            pace = self._credit.pace(time.monotonic())
            due_s = max(next_tick_s(due_s, pace.period_s), time.monotonic())  # what was missed is not caught up with
            if self._stop.wait(due_s - time.monotonic()):
                return
            begun_s = time.thread_time()
            try:
                self._send_frame(pace.is_thinned)
            except Exception:  # noqa: BLE001 - the thread's seam: what fails here ends the picture, never the kernel
                if not self._stop.is_set():
                    _log.exception("the dashboard stopped")
                return
            self.cpu_s += time.thread_time() - begun_s
            self.frames += 1


def next_tick_s(last_s: float, period_s: float) -> float:
    """The next multiple of a period, none that is less than a quarter of it away.

    All pumps of one pace tick together: a browser that is told by all at once draws their pictures in one frame.
    """
    return (math.floor(last_s / period_s + 0.25) + 1) * period_s
