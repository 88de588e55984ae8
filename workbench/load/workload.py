# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a model: how many requests, when."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.errors import InvalidArgumentError
from workbench.load.arrival import draw_arrivals, read_times, replayed


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests for one run: open loop at a `rate`, or closed loop with a `concurrency`.

    Args:
        rate: open loop: requests per second, whatever has been answered.
        concurrency: closed loop: requests kept in flight.
        arrivals: of the open loop: constant, poisson, gamma, markov or replay.
        shape: of gamma and markov arrivals, see `draw_arrivals`.
        dwell_s: of markov arrivals, mean time in a state.
        duration_s: how long requests are sent.
        requests: how many are sent, instead of a duration; 0 where the duration decides.
        seed: of arrivals and inputs.
        times_s: of a replay: when each is sent, seconds since the start.
    """

    rate: float = 0.0
    concurrency: int = 0
    arrivals: str = "poisson"
    shape: float = 0.5
    dwell_s: float = 0.1
    duration_s: float = 5.0
    requests: int = 0
    seed: int = 1
    times_s: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.times_s) + (self.rate > 0) + (self.concurrency > 0) != 1:
            raise InvalidArgumentError("a workload has either a rate (open loop), a concurrency (closed loop) or times")
        if not (self.duration_s > 0 and math.isfinite(self.duration_s)):
            raise InvalidArgumentError(f"duration_s must be a positive number of seconds, not {self.duration_s}")

    @classmethod
    def poisson(cls, *, rate: float, requests: int = 0, duration_s: float = 5.0, seed: int = 1) -> Workload:
        """Open loop with exponential gaps: many callers that know nothing of each other.

        >>> Workload.poisson(rate=2000, requests=4, seed=1).schedule_ns()
        array([ 104366,  250141, 1400680, 1547049])

        Args:
            rate: requests per second, whatever has been answered.
            requests: how many are sent, instead of a duration; 0 where the duration decides.
            duration_s: how long they are sent, in seconds.
            seed: of the gaps: the same seed sends at the same times.

        Raises:
            InvalidArgumentError: the rate or the time is not positive.
        """
        return cls(rate=rate, arrivals="poisson", requests=requests, duration_s=duration_s, seed=seed)

    @classmethod
    def constant(cls, *, rate: float, requests: int = 0, duration_s: float = 5.0, seed: int = 1) -> Workload:
        """Open loop with equal gaps: a camera, a clock.

        >>> Workload.constant(rate=1000, requests=3).schedule_ns()
        array([1000000, 2000000, 3000000])

        Args:
            rate: requests per second, whatever has been answered.
            requests: how many are sent, instead of a duration; 0 where the duration decides.
            duration_s: how long they are sent, in seconds.
            seed: of the gaps: the same seed sends at the same times.

        Raises:
            InvalidArgumentError: the rate or the time is not positive.
        """
        return cls(rate=rate, arrivals="constant", requests=requests, duration_s=duration_s, seed=seed)

    @classmethod
    def gamma(
        cls, *, rate: float, variation: float = 2.0, requests: int = 0, duration_s: float = 5.0, seed: int = 1
    ) -> Workload:
        """Open loop with gamma gaps.

        Args:
            rate: requests per second, whatever has been answered.
            variation: coefficient of variation of the gaps: 1 is Poisson, above it are bursts.
            requests: how many are sent, instead of a duration; 0 where the duration decides.
            duration_s: how long they are sent, in seconds.
            seed: of the gaps: the same seed sends at the same times.

        Raises:
            InvalidArgumentError: the rate, the variation or the time is not positive.
        """
        if not variation > 0:
            raise InvalidArgumentError(f"variation is a positive number, not {variation}")
        extent = {"requests": requests, "duration_s": duration_s, "seed": seed}
        return cls(rate=rate, arrivals="gamma", shape=variation**-2, **extent)  # type: ignore[arg-type]

    @classmethod
    def mmpp(
        cls,
        *,
        rate: float,
        ratio: float = 5.0,
        dwell_s: float = 0.1,
        requests: int = 0,
        duration_s: float = 5.0,
        seed: int = 1,
    ) -> Workload:
        """Open loop, a Poisson process that a two-state Markov chain modulates: calm and rush by turns.

        Args:
            rate: requests per second, in the mean of both states.
            ratio: how much faster the rush is than the calm.
            dwell_s: seconds that either state lasts in the mean, drawn exponentially.
            requests: how many are sent, instead of a duration; 0 where the duration decides.
            duration_s: how long they are sent, in seconds.
            seed: of the gaps: the same seed sends at the same times.

        Raises:
            InvalidArgumentError: the rate or the time is not positive.
        """
        extent = {"requests": requests, "duration_s": duration_s, "seed": seed}
        return cls(rate=rate, arrivals="markov", shape=ratio, dwell_s=dwell_s, **extent)  # type: ignore[arg-type]

    @classmethod
    def replay(cls, times: str | Path | ArrayLike, *, speed: float = 1.0) -> Workload:
        """Open loop at recorded times.

        >>> Workload.replay([0.0, 0.1, 0.4], speed=2).schedule_ns()
        array([        0,  50000000, 200000000])

        Args:
            times: seconds since their start, in one dimension; or a file of them: text, .npy or a recording (.wbr).
            speed: 2 sends the same in half the time.

        Raises:
            InvalidArgumentError: there are no times, or the speed is not positive.
            NotFoundError: there is no such file.
        """
        seconds = read_times(times) if isinstance(times, str | Path) else np.asarray(times, np.float64)
        if not speed > 0:
            raise InvalidArgumentError(f"speed is a positive number, not {speed}")
        return cls(arrivals="replay", times_s=tuple((seconds.ravel() / speed).tolist()))

    @classmethod
    def closed(cls, *, concurrency: int, requests: int = 0, duration_s: float = 5.0, seed: int = 1) -> Workload:
        """Closed loop: a request goes out when another comes back.

        Args:
            concurrency: requests kept in flight.
            requests: how many are sent, instead of a duration; 0 where the duration decides.
            duration_s: how long they are sent, in seconds.
            seed: of made inputs.

        Raises:
            InvalidArgumentError: the concurrency or the time is not positive.
        """
        return cls(concurrency=concurrency, requests=requests, duration_s=duration_s, seed=seed)

    @property
    def is_open_loop(self) -> bool:
        """Whether requests are sent at their own times."""
        return self.concurrency == 0

    @property
    def expected_s(self) -> float:
        """How long requests are sent; infinite where only their number is known."""
        if self.times_s:
            return max(self.times_s)
        if not self.requests:
            return self.duration_s
        return self.requests / self.rate if self.is_open_loop else math.inf

    def schedule_ns(self) -> NDArray[np.int64]:
        """The open loop's times: int64 nanoseconds since the start, one a request; empty for a closed loop."""
        if not self.is_open_loop:
            return np.empty(0, dtype=np.int64)
        if self.times_s:
            return replayed(self.times_s)
        count = self.requests or max(1, round(self.rate * self.duration_s))
        options = {"shape": self.shape, "dwell_s": self.dwell_s}
        return draw_arrivals(self.arrivals, rate=self.rate, count=count, seed=self.seed, **options)

    def at(self, rate: float) -> Workload:
        """The same at another rate, in requests per second."""
        return replace(self, rate=rate)

    def lasting(self, duration_s: float) -> Workload:
        """The same for `duration_s` seconds."""
        return replace(self, duration_s=duration_s, requests=0)

    def longer(self, factor: float) -> Workload:
        """The same, `factor` times as long; given times stay as they are."""
        return replace(self, duration_s=self.duration_s * factor, requests=round(self.requests * factor))

    def __str__(self) -> str:
        if self.times_s:
            return f"{len(self.times_s):,} requests at given times"
        if self.is_open_loop:
            return f"{self.rate:,.0f} requests/s, {self.arrivals} arrivals, {self._extent()}"
        return f"{self.concurrency} in flight (closed loop), {self._extent()}"

    def _extent(self) -> str:
        return f"{self.requests:,} requests" if self.requests else f"{self.duration_s:g} s"
