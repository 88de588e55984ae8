# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a measurement can be believed: warm-up, Little's law, stalls of the machine, a queue that grows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from workbench.load.quantiles import mean_interval, quantile
from workbench.load.records import STATUS_NAMES, Observations, Records

LITTLE_TOLERANCE: Final = 0.02
DRIFT_LIMIT: Final = 0.1
STALL_NS: Final = 1_000_000
STALLED_SHARE_LIMIT: Final = 0.01
LATE_NS: Final = 1_000_000
LATE_SHARE: Final = 0.2


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a run that is measured, in nanoseconds since its start."""

    begin_ns: int
    end_ns: int

    @property
    def seconds(self) -> float:
        """Its length."""
        return (self.end_ns - self.begin_ns) / 1e9

    def answered(self, records: Records) -> Records:
        """The requests that were answered within it, in the order of their intended times."""
        done = records["done_ns"]
        return records[(done > self.begin_ns) & (done <= self.end_ns)]

    def due(self, records: Records) -> Records:
        """The requests that were due within it: those that the latency is of."""
        intended = records["intended_ns"]
        return records[(intended >= self.begin_ns) & (intended <= self.end_ns)]

    def seen(self, observations: Observations) -> Observations:
        """The looks taken within it."""
        at = observations["at_ns"]
        return observations[(at > self.begin_ns) & (at <= self.end_ns)]


@dataclass(frozen=True, slots=True)
class LittlesLaw:
    """Throughput times residence against the number in flight, which the served side counted by itself."""

    throughput: float
    residence_s: float
    in_flight: float
    error: float
    noise: float

    @property
    def holds(self) -> bool:
        """Whether `|1 - X R / N|` is within 2 %, beyond the noise of sampling N."""
        return not self.error > LITTLE_TOLERANCE + self.noise


@dataclass(frozen=True, slots=True)
class Stalls:
    """Times at which a thread that only sleeps woke more than a millisecond late."""

    count: int = 0
    longest_ns: int = 0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The verdict over a run: `is_steady`, and the `reasons` where it is not."""

    warmup_s: float
    warmup_requests: int
    little: LittlesLaw
    stalls: Stalls
    reasons: tuple[str, ...] = ()

    @property
    def is_steady(self) -> bool:
        """No check failed."""
        return not self.reasons

    @property
    def is_disturbed(self) -> bool:
        """The machine stood still for so long that the run is worth repeating."""
        return self.stalls.share > STALLED_SHARE_LIMIT


def warmup_cut(values: NDArray[np.float64], *, batch: int = 5) -> int:
    """Number of leading values to leave out, by MSER-5; half of them at most.

    The cut d minimises the squared standard error of what remains, sum((y_i - mean)^2) / (n - d)^2 over means y of
    five values (White 1997; White, Cobb and Spratt 2000). Values above their 90th percentile count as that: else one
    stall would decide where the warm-up ends, and an early burst would be left out because it is one.
    """
    count = len(values) // batch
    if count < 4:
        return 0
    tamed = np.minimum(values, np.quantile(values, 0.9))
    means = tamed[: count * batch].reshape(count, batch).mean(axis=1)
    means = means - means.mean()  # keeps the difference of squares exact
    left = np.arange(count, 0, -1, dtype=np.float64)
    sums = np.cumsum(means[::-1])[::-1]
    squares = np.cumsum(means[::-1] ** 2)[::-1]
    error = (squares - sums**2 / left) / left**2
    return int(np.argmin(error[: count // 2 + 1])) * batch


def drift(values: NDArray[np.float64]) -> float:
    """By how much the mean of the second half differs from that of the first, as a share of it; 0 within the noise.

    The noise is 3.5 standard errors of the difference, each half's by batch means: 1 in 2,000 steady runs drifts.
    """
    first, second = (mean_interval(half) for half in np.array_split(values, 2))
    if not (first.value > 0 and math.isfinite(first.high) and math.isfinite(second.high)):
        return 0.0
    noise = 3.5 / 2.064 * math.hypot(first.high - first.value, second.high - second.value)
    difference = second.value - first.value
    return difference / first.value if abs(difference) > noise else 0.0


def littles_law(records: Records, observations: Observations, window: Window) -> LittlesLaw:
    """Little 1961, N = X R, over `window`: X and R from the records, N from the observer.

    R runs from the actual send, since the served side cannot hold what was not sent yet. The noise is the 95 % interval
    of N by batch means: looks a millisecond apart say little of a queue that is mostly empty.
    """
    answered = window.answered(records)
    looks = window.seen(observations)["in_flight"].astype(np.float64)
    throughput = len(answered) / window.seconds if window.seconds > 0 else math.nan
    residence_s = float((answered["done_ns"] - answered["sent_ns"]).mean() / 1e9) if len(answered) else math.nan
    in_flight = mean_interval(looks)
    if not in_flight.value > 0:
        return LittlesLaw(throughput, residence_s, in_flight.value, math.nan, math.nan)
    error = abs(1 - throughput * residence_s / in_flight.value)
    noise = (in_flight.high - in_flight.value) / in_flight.value
    return LittlesLaw(throughput, residence_s, in_flight.value, error, noise)


def stalls(observations: Observations, window: Window) -> Stalls:
    """The observer's late wake-ups within `window`."""
    late = window.seen(observations)["late_ns"].astype(np.int64)
    late = late[late > STALL_NS]
    if not len(late) or window.seconds <= 0:
        return Stalls()
    return Stalls(len(late), int(late.max()), float(late.sum() / 1e9 / window.seconds))


def backlog_growth(records: Records, window: Window) -> int:
    """How many more requests were due and not answered at the window's end than at its start."""
    due = np.searchsorted(records["intended_ns"], [window.begin_ns, window.end_ns], side="right")
    done = np.sort(records["done_ns"][records["done_ns"] > 0])
    answered = np.searchsorted(done, [window.begin_ns, window.end_ns], side="right")
    return int((due[1] - answered[1]) - (due[0] - answered[0]))


def assess(records: Records, observations: Observations, window: Window, *, is_open_loop: bool) -> Steadiness:
    """All checks over `window`; the records before it are the warm-up."""
    little = littles_law(records, observations, window)
    stalled = stalls(observations, window)
    warmup = int(np.searchsorted(records["intended_ns"], window.begin_ns, side="left"))
    reasons = (
        _failure_reason(records, window),
        _drift_reason(window.answered(records)),
        _growth_reason(records, window) if is_open_loop else "",
        _little_reason(little),
        _stall_reason(stalled),
        _lateness_reason(window.due(records)) if is_open_loop else "",
    )
    return Steadiness(window.begin_ns / 1e9, warmup, little, stalled, tuple(filter(None, reasons)))


def failures(records: Records) -> dict[str, int]:
    """How many of the requests failed, by the name of the status."""
    statuses, counts = np.unique(records["status"][records["done_ns"] > 0], return_counts=True)
    names = (STATUS_NAMES[status] if status < len(STATUS_NAMES) else str(status) for status in statuses.tolist())
    return {name: count for name, count in zip(names, counts.tolist(), strict=True) if name != "OK"}


def _failure_reason(records: Records, window: Window) -> str:
    """Figures of those that were served say little where others were not."""
    due = window.due(records)
    counts = failures(due)
    if unanswered := int((due["done_ns"] == 0).sum()):
        counts["unanswered"] = unanswered
    if not counts:
        return ""
    kinds = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    return f"{sum(counts.values()):,} of {len(due):,} requests were not served: {kinds}"


def _drift_reason(answered: Records) -> str:
    share = drift((answered["done_ns"] - answered["intended_ns"]).astype(np.float64))
    if abs(share) <= DRIFT_LIMIT:
        return ""
    return f"latency drifted: its mean was {share:+.0%} in the second half of the measured time"


def _growth_reason(records: Records, window: Window) -> str:
    growth = backlog_growth(records, window)
    due = int(((records["intended_ns"] > window.begin_ns) & (records["intended_ns"] <= window.end_ns)).sum())
    if growth <= max(0.03 * due, 4 * math.sqrt(max(due, 1))):
        return ""
    return f"the queue grew by {growth:,} requests: the load is more than the model can serve"


def lateness_p99_ns(due: Records) -> float:
    """How late the sender was; nan where nothing was due."""
    return float(np.quantile(due["sent_ns"] - due["intended_ns"], 0.99)) if len(due) else math.nan


def _lateness_reason(due: Records) -> str:
    """A late sender is counted in the latency, which then tells more of the client than of the server."""
    good = due[(due["done_ns"] > 0) & (due["status"] == 0)]
    if not len(good):
        return ""
    late = lateness_p99_ns(due)
    whole = quantile((good["done_ns"] - good["intended_ns"]).astype(np.float64), 0.99).value
    if late <= max(LATE_NS, LATE_SHARE * whole):
        return ""
    return f"the sender was late: by {late / 1e6:.1f} ms at its p99, where the latency's is {whole / 1e6:.1f} ms"


def _little_reason(little: LittlesLaw) -> str:
    if little.holds:
        return ""
    return f"Little's law is off by {little.error:.1%}: throughput × latency and requests in flight do not agree"


def _stall_reason(stalled: Stalls) -> str:
    if stalled.share <= STALLED_SHARE_LIMIT:
        return ""
    return f"the machine stood still for {stalled.share:.1%} of the time, at most {stalled.longest_ns / 1e6:.1f} ms"
