# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What sends a view's frames, at the pace that the browser's answers allow."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from workbench.views.credit import Credit
from workbench.views.ticker import TICKER, Ticker, next_tick_s

_log = logging.getLogger(__name__)


class Pump:
    """Calls `send_frame(thinned)` at the pace that `credit` allows, until it is stopped or the call fails.

    Any thread may call it; the calls come on the thread that serves all views.
    """

    def __init__(self, send_frame: Callable[[bool], None], credit: Credit, *, ticker: Ticker = TICKER) -> None:
        self._send_frame = send_frame
        self._credit = credit
        self._ticker = ticker
        self._sending = threading.Lock()
        self._due_s = 0.0
        self.cpu_s = 0.0
        self.frames = 0

    @property
    def is_running(self) -> bool:
        """Whether frames are being sent."""
        return self._ticker.serves(self)

    @property
    def due_s(self) -> float:
        """When the next frame is due."""
        return self._due_s

    def start(self) -> None:
        """Begins to send, if it does not."""
        if not self.is_running:
            self._due_s = self._next_s(time.monotonic())
            self._ticker.join(self)

    def hurry(self) -> None:
        """Sends with the next tick: somebody looks again who did not."""
        self._due_s = min(self._due_s, self._next_s(time.monotonic()))
        self._ticker.wake()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Sends no more, and waits for a frame that is under way."""
        self._ticker.leave(self)
        if not self._ticker.is_own_thread() and self._sending.acquire(timeout=timeout_s):
            self._sending.release()

    def tick(self) -> None:
        """Sends a frame; called by the ticker."""
        begun_s = time.thread_time()
        try:
            with self._sending:
                if not self.is_running:
                    return
                self._send_frame(self._credit.pace(time.monotonic()).is_thinned)
        except Exception:  # noqa: BLE001 - the thread's seam: what fails here ends the picture, never the kernel
            if self.is_running:
                _log.exception("a view stopped")
            self._ticker.leave(self)
        self.cpu_s += time.thread_time() - begun_s
        self.frames += 1
        self._due_s = self._next_s(max(self._due_s, time.monotonic()))  # what was missed is not caught up with

    def _next_s(self, last_s: float) -> float:
        return next_tick_s(last_s, self._credit.pace(time.monotonic()).period_s)
