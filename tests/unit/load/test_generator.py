# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Workload, drive, measure
from workbench.testing.fake_target import FakeProgress, FakeRun, FakeTarget


def mean_in_system_ns(rho, service_ns):
    """M/D/1 (Pollaczek 1930, Khinchine 1932)."""
    return service_ns * (2 - rho) / (2 * (1 - rho))


def test_an_open_loop_measures_what_queueing_theory_says():
    measured = drive(FakeTarget(fixed_ns=1_000_000), rate=600, duration_s=60)
    assert measured.latency.mean.value == pytest.approx(mean_in_system_ns(0.6, 1e6), rel=0.05)
    assert measured.throughput == pytest.approx(600, rel=0.03)
    assert measured.is_steady


def test_a_closed_loop_keeps_its_concurrency():
    measured = drive(FakeTarget(fixed_ns=1_000_000, max_batch_size=8), concurrency=8, duration_s=2)
    assert measured.throughput == pytest.approx(8000, rel=0.01)


def test_the_same_seed_sends_the_same_trace():
    first, second = (drive(FakeTarget(), rate=500, duration_s=1, seed=9) for _ in range(2))
    np.testing.assert_array_equal(first.records, second.records)


def test_given_times_are_replayed():
    target = FakeTarget()
    measured = drive(target, arrivals=[0.1, 0.2, 0.4], warmup=0.0)
    assert measured.records["intended_ns"].tolist() == [100_000_000, 200_000_000, 400_000_000]


def test_neither_rate_nor_concurrency_is_refused():
    with pytest.raises(InvalidArgumentError, match="give a rate"):
        drive(FakeTarget())


def test_a_disturbed_run_is_repeated_and_the_calmest_counts():
    target = FakeTarget(stall_ns=(1_500_000_000, 100_000_000))
    start = target.start

    def heals_after_the_first(workload, schedule_ns):
        run = start(workload, schedule_ns)
        target.stall_ns = None
        return run

    target.start = heals_after_the_first
    measured = measure(target, Workload(rate=300, duration_s=2), repeats=3)
    assert measured.is_steady
    assert measured.attempts == 2
    assert len(target.runs) == 2


def test_a_run_with_failures_is_not_replaced_by_a_calmer_one():
    target = FakeTarget(stall_ns=(1_500_000_000, 100_000_000))
    start = target.start

    def fails_once(workload, schedule_ns):
        run = start(workload, schedule_ns)
        run.records()["status"][700] = 2
        return run

    target.start = fails_once
    measured = measure(target, Workload(rate=500, duration_s=2), warmup_s=0.0, repeats=3)
    assert sum(measured.errors.values()) == 1
    assert len(target.runs) == 1


class EndlessRun(FakeRun):
    """Never answers; presses the stop button at the third wait."""

    waits = 0
    interrupt_at = 3
    sent = 1000
    answered = 0

    def wait(self, timeout_s):
        assert timeout_s <= 0.1
        self.waits += 1
        if self.waits == self.interrupt_at:
            raise KeyboardInterrupt
        return False

    def progress(self):
        return FakeProgress(1000, self.sent, self.answered, 0, self.waits * 50_000_000)

    def stop(self):
        super().stop()
        self.answered = self.sent


class EndlessTarget(FakeTarget):
    def start(self, workload, schedule_ns):
        done = super().start(workload, schedule_ns)
        self.run = EndlessRun(done.records(), done.observations())
        return self.run


def test_the_stop_button_stops_the_run():
    target = EndlessTarget()
    with pytest.raises(KeyboardInterrupt):
        drive(target, rate=1000, duration_s=1)
    assert target.run.is_stopped


def test_a_swamped_run_ends_early():
    target = EndlessTarget()
    measure(target, Workload(rate=1000, duration_s=1), backlog_limit=100)
    assert target.run.waits == 1
    assert target.run.is_stopped


def test_progress_is_reported_in_seconds():
    seen = []
    with pytest.raises(KeyboardInterrupt):
        drive(EndlessTarget(), rate=1000, duration_s=2, progress=lambda *report: seen.append(report))
    assert seen == [(0.05, 2.0, "0 answered"), (0.1, 2.0, "0 answered")]


def test_a_stall_of_the_server_shows_in_the_p99():
    """Arrivals every 2 ms, service 1 ms, a stall of 200 ms in 10 s.

    Who came t into the stall waits 200 - t, and the queue that it left shrinks by 1 ms each 2 ms: delays fall from
    200 ms to nothing over 400 ms. One in a hundred of 10 s is 100 ms of them: p99 = 200 * (1 - 100 / 400) = 150 ms,
    and the service comes on top.
    """
    target = FakeTarget(fixed_ns=1_000_000, stall_ns=(5_000_500_000, 200_000_000))
    measured = drive(target, rate=500, arrivals="constant", duration_s=10, warmup=0.0, repeats=0)
    assert measured.p99_ms == pytest.approx(150, rel=0.05)
