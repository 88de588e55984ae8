# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of the native generator: its threads send, none of them is Python's."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.load.statistics import Totals
from workbench.load.target import LoadRun
from workbench.load.workload import Workload

PLANNED_OF_A_CLOSED_LOOP: Final = 1 << 16
"""How many requests are planned where nobody knows how many there will be; then the plan goes round."""


def start_run(target: Any, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
    """Starts a run on a native target, which it takes.

    Raises:
        StatusError: what the core refuses.
    """
    return _native.Drive(
        target,
        schedule_ns=schedule_ns,
        concurrency=workload.concurrency,
        duration_s=0.0 if workload.requests else workload.duration_s,
        request_limit=workload.requests,
    )


class NullTarget:
    """Answers at once, in native code: what a run on it takes is the generator's own."""

    name: Final = "null"

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run."""
        return start_run(_native.null_target(), workload, schedule_ns)

    def statistics(self) -> Totals:
        """Nothing is served."""
        return Totals()
