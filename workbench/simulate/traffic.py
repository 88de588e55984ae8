# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of a simulated model, as the load generator's workloads say it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Traffic(Protocol):
    """How many requests come, and when; `workbench.Workload` is one. A measurement of it sends the same times."""

    @property
    def is_open_loop(self) -> bool:
        """Whether requests come at their own times."""

    @property
    def concurrency(self) -> int:
        """Closed loop: requests in flight."""

    @property
    def requests(self) -> int:
        """How many come; 0 where the duration decides."""

    @property
    def duration_s(self) -> float:
        """How long they come."""

    @property
    def seed(self) -> int:
        """Of what is drawn."""

    def schedule_ns(self) -> NDArray[np.int64]:
        """Open loop: when each comes, since the start."""
