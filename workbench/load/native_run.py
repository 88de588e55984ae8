# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs of the native generator: its threads send, none of them is Python's."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.load.plan import ends_of_open_sequences
from workbench.load.records import Observations, Records
from workbench.load.statistics import Totals
from workbench.load.target import LoadProgress, LoadRun
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


def start_planned(
    connect: Callable[[NDArray[Any]], Any], plan: NDArray[Any], workload: Workload, schedule_ns: NDArray[np.int64]
) -> LoadRun:
    """Starts a run of a plan on the native target that `connect` makes for it.

    Raises:
        As `start_run` and `connect` do.
    """
    run = start_run(connect(plan), workload, schedule_ns)
    return SequencedRun(run, plan, connect) if len(plan) and plan["sequence"].any() else run


class SequencedRun:
    """A run of sequences, which ends those that are open when it stops: the server would wait for their rest.

    Args:
        run: the requests.
        plan: what they are.
        connect: makes the target for another plan.
    """

    def __init__(self, run: Any, plan: NDArray[Any], connect: Callable[[NDArray[Any]], Any]) -> None:
        self._run = run
        self._plan = plan
        self._connect = connect
        self._ending: Any = None

    @property
    def start_ns(self) -> int:
        """Of the steady clock."""
        start: int = self._run.start_ns
        return start

    def wait(self, timeout_s: float) -> bool:
        """Waits for the end; false if it did not come in time."""
        has_ended: bool = self._run.wait(timeout_s)
        return has_ended

    def stop(self) -> None:
        """Sends nothing more but the ends of open sequences, cancels what is in flight; returns at once."""
        self._run.stop()
        if self._ending is not None:
            return
        ends = ends_of_open_sequences(self._plan, self._run.progress().sent)
        if len(ends):
            # The server may be gone by now, and the sequences with it.
            with contextlib.suppress(_native.StatusError, RuntimeError):
                at_once = np.zeros(len(ends), np.int64)
                self._ending = start_run(self._connect(ends), Workload(rate=1.0, requests=len(ends)), at_once)

    def progress(self) -> LoadProgress:
        """How far it is; once it was stopped, with the ends of open sequences."""
        progress: LoadProgress = self._run.progress()
        return progress if self._ending is None else _Sum(progress, self._ending.progress())

    def records(self) -> Records:
        """One record for each request sent."""
        records: Records = self._run.records()
        return records

    def observations(self) -> Observations:
        """One record for each look of the observer."""
        observations: Observations = self._run.observations()
        return observations


class _Sum:
    """Of a run, and of what ends its sequences."""

    def __init__(self, run: LoadProgress, ending: LoadProgress) -> None:
        self.planned = run.planned
        self.sent = run.sent + ending.planned  # all of them, at once
        self.answered = run.answered + ending.answered
        self.failed = run.failed
        self.elapsed_ns = run.elapsed_ns


class NullTarget:
    """Answers at once, in native code: what a run on it takes is the generator's own."""

    name: Final = "null"

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run."""
        return start_run(_native.null_target(), workload, schedule_ns)

    def statistics(self) -> Totals:
        """Nothing is served."""
        return Totals()
