# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The clock of a replay: it plays at any speed, stops, and jumps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from workbench.errors import InvalidArgumentError


class Transport:
    """Time between the start and the end of a recording, in nanoseconds of the recording's own clock.

    Threads: any.
    """

    def __init__(
        self,
        *,
        start_ns: int,
        end_ns: int,
        speed: float = 1.0,
        is_playing: bool = True,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.start_ns: Final = start_ns
        self.end_ns: Final = max(end_ns, start_ns)
        self._clock = clock
        self._lock = threading.Lock()
        self._speed = speed
        self._is_playing = is_playing
        self._from_ns, self._since_ns = start_ns, clock()
        self.jumps = 0

    def __repr__(self) -> str:
        state = "playing" if self.is_playing else "paused"
        return (
            f"<Transport {state} at {self.at_s:.3f} of {(self.end_ns - self.start_ns) / 1e9:.3f} s, {self.speed:g} x>"
        )

    @property
    def speed(self) -> float:
        """Seconds of the recording in a second."""
        return self._speed

    @property
    def is_playing(self) -> bool:
        """Whether time goes on; at the end it does not."""
        return self._is_playing and self.now_ns() < self.end_ns

    @property
    def at_s(self) -> float:
        """Seconds after the start."""
        return (self.now_ns() - self.start_ns) / 1e9

    def now_ns(self) -> int:
        """The time that is shown now."""
        with self._lock:
            return self._now_ns()

    def play(self) -> None:
        """Goes on; from the start where it stands at the end."""
        with self._lock:
            is_over = self._now_ns() >= self.end_ns
            self._set(self.start_ns if is_over else self._now_ns(), is_playing=True)
            self.jumps += is_over

    def pause(self) -> None:
        """Stops where it is."""
        with self._lock:
            self._set(self._now_ns(), is_playing=False)

    def seek(self, at_s: float) -> None:
        """Jumps to a time, in seconds after the start."""
        with self._lock:
            at_ns = self.start_ns + round(at_s * 1e9)
            self._set(min(max(at_ns, self.start_ns), self.end_ns), is_playing=self._is_playing)
            self.jumps += 1

    def play_at(self, speed: float) -> None:
        """Changes the speed: 1 is as it was, 0.01 slow motion.

        Raises:
            InvalidArgumentError: the speed is not above 0.
        """
        if not speed > 0:
            message = f"a replay needs a speed above 0, not {speed}; pause() stops it"
            raise InvalidArgumentError(message)
        with self._lock:
            self._set(self._now_ns(), is_playing=self._is_playing)
            self._speed = speed

    def obey(self, content: dict[str, Any]) -> None:
        """Does what the browser's bar asks: an `action`, and its `value`."""
        actions: dict[str, Callable[[float], None]] = {
            "play": lambda _: self.play(),
            "pause": lambda _: self.pause(),
            "seek": self.seek,
            "speed": self.play_at,
        }
        action = actions.get(str(content.get("action")))
        if action is not None:
            action(float(content.get("value") or 0.0))

    def state(self) -> dict[str, Any]:
        """What the bar shows."""
        return {
            "at_s": self.at_s,
            "span_s": (self.end_ns - self.start_ns) / 1e9,
            "speed": self.speed,
            "is_playing": self.is_playing,
        }

    def _now_ns(self) -> int:
        if not self._is_playing:
            return self._from_ns
        return min(self._from_ns + round((self._clock() - self._since_ns) * self._speed), self.end_ns)

    def _set(self, at_ns: int, *, is_playing: bool) -> None:
        self._from_ns, self._since_ns, self._is_playing = at_ns, self._clock(), is_playing
