# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a generator drives: the seams between load generation and what is under load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from workbench.load.records import Observations, Records
from workbench.load.workload import Workload


class LoadProgress(Protocol):
    """How far a run is."""

    @property
    def planned(self) -> int:
        """Requests of the schedule; 0 for a closed loop."""

    @property
    def sent(self) -> int:
        """Requests sent."""

    @property
    def answered(self) -> int:
        """Requests answered, failed ones too."""

    @property
    def failed(self) -> int:
        """Requests answered with an error."""

    @property
    def elapsed_ns(self) -> int:
        """Time since the start."""


class LoadRun(Protocol):
    """A run under way."""

    def wait(self, timeout_s: float) -> bool:
        """Waits for the end; false if it did not come in time."""

    def stop(self) -> None:
        """Sends nothing more and cancels what is in flight; returns at once."""

    def progress(self) -> LoadProgress:
        """How far it is."""

    def records(self) -> Records:
        """One record for each request sent."""

    def observations(self) -> Observations:
        """One record for each look of the observer."""


class Duration(Protocol):
    """A counter of the server's statistics."""

    @property
    def count(self) -> int:
        """How often."""

    @property
    def ns(self) -> int:
        """For how long, summed."""


class Statistics(Protocol):
    """A model's statistics, of which a measurement takes the difference over its run."""

    @property
    def queue(self) -> Duration:
        """Time in the queue."""

    @property
    def compute_input(self) -> Duration:
        """Time in which the backend gathered its inputs."""

    @property
    def compute_infer(self) -> Duration:
        """Time in which it computed."""

    @property
    def compute_output(self) -> Duration:
        """Time in which it wrote its outputs."""

    @property
    def success(self) -> Duration:
        """Requests answered without error."""

    @property
    def batches(self) -> Mapping[int, int]:
        """Executions by batch size."""


@runtime_checkable
class Target(Protocol):
    """A model that can be driven."""

    @property
    def name(self) -> str:
        """The model's name."""

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run."""

    def statistics(self) -> Any:
        """A snapshot of `Statistics`."""
