# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How fast frames may go: full speed to eyes that look, slower to those that do not. Arithmetic alone: no clock.

A notebook server buffers without bound for a tab that was closed: frames go only as far ahead as the browser answers.
Where no answer can be heard (before ipykernel 7 while a cell runs), silence tells nothing: bytes alone slow it down.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from workbench.views.hearing import HEARING, Hearing

NEWS_PER_S: Final = 10.0
"""A browser moves the picture on between two news by itself, more often than it is told anything."""

MOST_IN_FLIGHT: Final = 8 << 20
FAR_TOO_MANY: Final = 2 * MOST_IN_FLIGHT
SILENT_S: Final = 20.0
ABANDONED_S: Final = 120.0
SEEN_S: Final = 3.0
"""Of two pages one may be hidden: whoever looks in the other says so this often."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When the next frame is due after the last, and whether it must be small."""

    period_s: float
    is_thinned: bool


class Credit:
    """Counts what was sent and what the browser says it received. Any thread may call it.

    Silence is counted in the time in which the kernel could hear, whether a picture is hidden in the time of clocks.
    """

    def __init__(self, *, frames_per_s: float, now_s: float, hearing: Hearing = HEARING) -> None:
        self._full = Pace(1 / frames_per_s, is_thinned=False)
        self._lock = threading.Lock()
        self._hearing = hearing
        self._heard_s = self._looked_s = hearing.time_s(now_s)
        self._seen_s = -math.inf
        self._is_hidden = False
        self._sent = self._received = self._seq = 0
        self._in_flight: deque[tuple[int, int]] = deque(maxlen=8192)

    @property
    def bytes_in_flight(self) -> int:
        """Bytes sent that the browser did not acknowledge."""
        return self._sent - self._received

    def next_seq(self) -> int:
        """The number of the next frame."""
        self._seq += 1
        return self._seq

    def sent(self, seq: int, byte_size: int) -> None:
        """A frame went out."""
        with self._lock:
            self._sent += byte_size
            self._in_flight.append((seq, self._sent))

    def acknowledged(self, seq: int, *, is_hidden: bool, now_s: float) -> None:
        """The browser received all frames up to `seq`."""
        with self._lock:
            self._heard_s = self._hearing.time_s(now_s)
            if not is_hidden:
                self._seen_s, self._looked_s = now_s, self._heard_s
            self._is_hidden = now_s - self._seen_s > SEEN_S
            while self._in_flight and self._in_flight[0][0] <= seq:
                self._received = self._in_flight.popleft()[1]

    def greeted(self, *, now_s: float) -> None:
        """A new view opened: what was sent before concerns nobody."""
        with self._lock:
            self._heard_s = self._looked_s = self._hearing.time_s(now_s)
            self._seen_s, self._is_hidden = now_s, False
            self._received = self._sent
            self._in_flight.clear()

    def is_unseen(self, now_s: float) -> bool:
        """Whether nobody looked for as long as it takes to give a view up, though the kernel would have heard of it."""
        with self._lock:
            return self._hearing.time_s(now_s) - self._looked_s > ABANDONED_S

    def pace(self, now_s: float) -> Pace:
        """The pace that the answers allow now."""
        with self._lock:
            silent_s, ahead = self._hearing.time_s(now_s) - self._heard_s, self.bytes_in_flight
            if silent_s > ABANDONED_S or ahead > FAR_TOO_MANY:
                return Pace(5.0, is_thinned=True)
            if self._is_hidden or silent_s > SILENT_S or ahead > MOST_IN_FLIGHT:
                return Pace(1.0, is_thinned=True)
            return self._full
