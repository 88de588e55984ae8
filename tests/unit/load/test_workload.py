# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A workload says how many requests come, and when."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Workload


def test_poisson_is_an_open_loop_of_that_rate() -> None:
    workload = Workload.poisson(rate=2000, requests=20_000, seed=1)
    assert workload.is_open_loop
    schedule = workload.schedule_ns()
    assert len(schedule) == 20_000
    assert schedule[-1] / 1e9 == pytest.approx(10, rel=0.03)


def test_constant_has_equal_gaps() -> None:
    gaps = np.diff(Workload.constant(rate=1000, requests=50).schedule_ns())
    assert set(gaps.tolist()) == {1_000_000}


def test_closed_has_no_schedule() -> None:
    workload = Workload.closed(concurrency=4, requests=100)
    assert not workload.is_open_loop
    assert len(workload.schedule_ns()) == 0


def test_rate_and_concurrency_exclude_each_other() -> None:
    with pytest.raises(InvalidArgumentError, match="either a rate"):
        Workload(rate=1.0, concurrency=1)
