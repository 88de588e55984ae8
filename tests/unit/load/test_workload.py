# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A workload says how many requests come, and when."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.events import EVENT_DTYPE, EventKind, RecordingWriter, Snapshot
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


def variation(schedule: np.ndarray) -> float:
    gaps = np.diff(schedule)
    return float(gaps.std() / gaps.mean())


@pytest.mark.parametrize("wanted", [0.5, 1.0, 3.0])
def test_gamma_gaps_vary_as_they_were_told(wanted: float) -> None:
    schedule = Workload.gamma(rate=1000, variation=wanted, requests=200_000).schedule_ns()
    assert variation(schedule) == pytest.approx(wanted, rel=0.05)
    assert schedule[-1] / 1e9 == pytest.approx(200, rel=0.05)


def test_mmpp_has_its_mean_rate_and_rushes() -> None:
    workload = Workload.mmpp(rate=1000, ratio=9, dwell_s=0.05, requests=200_000)
    schedule = workload.schedule_ns()
    assert schedule[-1] / 1e9 == pytest.approx(200, rel=0.05)
    per_10_ms = np.histogram(schedule, np.arange(0, schedule[-1], 10_000_000))[0]
    # Rates of 200 and 1,800 a second: a Poisson process of the mean would scatter like its root.
    assert per_10_ms.std() > 2 * np.sqrt(per_10_ms.mean())


def test_mmpp_begins_in_either_state() -> None:
    starts = [Workload.mmpp(rate=1000, ratio=9, dwell_s=10, requests=100, seed=seed) for seed in range(20)]
    lengths = [workload.schedule_ns()[-1] / 1e9 for workload in starts]
    assert sum(length < 0.1 for length in lengths) > 3
    assert sum(length > 0.3 for length in lengths) > 3


def test_a_replay_takes_times_or_files_of_them(tmp_path) -> None:
    text, array = tmp_path / "times.txt", tmp_path / "times.npy"
    text.write_text("0.1\n0.2\n0.4\n")
    np.save(array, np.array([0.1, 0.2, 0.4]))
    for source in ([0.1, 0.2, 0.4], text, array):
        assert Workload.replay(source).schedule_ns().tolist() == [100_000_000, 200_000_000, 400_000_000]


def test_a_replay_may_be_faster_than_what_was_recorded() -> None:
    assert Workload.replay([0.1, 0.4], speed=2).schedule_ns().tolist() == [50_000_000, 200_000_000]


def test_a_replay_of_a_recording_sends_when_its_requests_came(tmp_path) -> None:
    records = np.zeros(3, EVENT_DTYPE)
    records["kind"] = EventKind.REQUEST
    records["arrival_ns"] = [5_000_000_000, 5_300_000_000, 5_100_000_000]
    pytest.importorskip("pyarrow")
    told = RecordingWriter(tmp_path / "run.wbr", began_ns=0, began_unix_ns=0)
    told.write(records, Snapshot(now_ns=6_000_000_000))
    told.close()
    assert Workload.replay(told.path).schedule_ns().tolist() == [0, 100_000_000, 300_000_000]


def test_a_file_without_times_is_refused(tmp_path) -> None:
    path = tmp_path / "times.txt"
    path.write_text("one\ntwo\n")
    with pytest.raises(InvalidArgumentError, match="holds no times"):
        Workload.replay(path)
    with pytest.raises(NotFoundError):
        Workload.replay(tmp_path / "none.txt")
