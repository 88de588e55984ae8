# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""When the requests of a run are sent: seeded schedules, drawn as a whole before the run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench import _native
from workbench.errors import InvalidArgumentError, NotFoundError, error_for
from workbench.events import read_recording

ARRIVAL_KINDS: Final = ("constant", "poisson", "gamma", "markov")


def draw_arrivals(
    kind: str, *, rate: float, count: int, seed: int = 1, shape: float = 0.5, dwell_s: float = 0.1
) -> NDArray[np.int64]:
    """`count` ascending times in nanoseconds since the start of the run; the same arguments give the same times.

    Args:
        kind: `constant` (equal gaps), `poisson` (exponential gaps), `gamma` (gamma gaps, whose squared coefficient
            of variation is 1 / shape: below 1 burstier than Poisson, above 1 calmer), or `markov` (Poisson whose rate
            switches between two states; shape is the ratio of their rates).
        rate: requests per second, in the mean.
        count: how many.
        seed: of the generator.
        shape: see `kind`.
        dwell_s: of markov arrivals, mean time in a state.

    Raises:
        InvalidArgumentError: no such kind, or a rate or shape that is not positive.
    """
    try:
        return _native.draw_arrivals(kind, rate=rate, count=count, seed=seed, shape=shape, dwell_s=dwell_s)
    except _native.StatusError as error:
        raise error_for(error.code, str(error)) from error


def replayed(times_s: ArrayLike) -> NDArray[np.int64]:
    """The given times (seconds since the start of the run, ascending) as a schedule.

    Raises:
        InvalidArgumentError: the times are no ascending row of finite, non-negative numbers.
    """
    times = np.asarray(times_s, dtype=np.float64)
    if times.ndim != 1 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0) or np.any(times < 0):
        raise InvalidArgumentError("a replay needs ascending times, in seconds since its start, none of them negative")
    return np.rint(times * 1e9).astype(np.int64)


def read_times(path: str | Path) -> NDArray[np.float64]:
    """Send times in seconds out of a file: a recording of a server's events, `.npy`, or text with a time a line.

    A recording (`.wbr`) tells when its requests arrived, those of all models, counted from the first.

    Raises:
        NotFoundError: there is no such file.
        InvalidArgumentError: it holds no times.
    """
    path = Path(path)
    if path.suffix == ".wbr":
        return _recorded(path)
    try:
        return np.load(path).astype(np.float64) if path.suffix == ".npy" else np.loadtxt(path, np.float64, ndmin=1)
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file of times {str(path)!r}") from error
    except (ValueError, OSError) as error:
        raise InvalidArgumentError(f"{path} holds no times: {error}") from error


def _recorded(path: Path) -> NDArray[np.float64]:
    columns = read_recording(path).columns()
    times = np.sort(np.concatenate((columns.requests["arrival_ns"], columns.refusals["arrival_ns"])).astype(np.int64))
    if not len(times):
        raise InvalidArgumentError(f"{path} is a recording without a request")
    since_first: NDArray[np.float64] = (times - times[0]) / 1e9
    return since_first
