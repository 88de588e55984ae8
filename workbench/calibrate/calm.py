# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which executions a machine's slower phases took no part in.

A virtual core whose neighbour computes runs a third slower, for some milliseconds or for a second. Such a phase lasts
longer than many short executions, and none is like another: a calibration that counted it would foretell a machine
that is a little slower all the time, which is neither of the two that there are.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

WINDOW: Final = 16
"""Executions in a row that are in a phase together."""
SLOWER: Final = 1.1
"""Times the machine's usual time, beyond which a window is in a slower phase."""


def slowness(times: NDArray[np.int64] | NDArray[np.float64], *, window: int = WINDOW) -> NDArray[np.float64]:
    """Of each execution: the median of its window, as a multiple of the calmer quarter's.

    Args:
        times: of executions alike, in the order in which they ran. Fewer than two windows cannot be compared: 1.
        window: executions of one, at least.
    """
    windows = np.array_split(times, max(1, len(times) // window))
    medians = np.array([np.median(part) for part in windows])
    usual = float(np.quantile(medians, 0.25, method="lower"))
    return np.repeat(medians / usual, [len(part) for part in windows])


def is_calm(times: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each execution ran while the machine was as fast as it usually is; see `slowness`."""
    return slowness(times) <= SLOWER
