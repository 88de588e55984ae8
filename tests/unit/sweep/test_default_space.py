# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from workbench.errors import InvalidArgumentError
from workbench.simulate import Calibration
from workbench.sweep import Candidate, default_space, sweep
from workbench.testing.fake_tunable import FakeTunable

BASE = Candidate(64, (), 300, 1)
# Batches of 16 and more get nothing more through.
FLAT = Calibration(service_ns={1: 1e6, 2: 1.2e6, 4: 1.6e6, 8: 2e6, 16: 3.9e6, 64: 15.6e6})
STEEP = Calibration(service_ns={1: 1e6, 64: 2e6}, contention={1: 1.0, 2: 0.9, 3: 0.6, 4: 0.45})


def test_sizes_end_where_a_larger_batch_gets_nothing_more_through():
    assert default_space(BASE, FLAT).max_batch_size == (1, 2, 4, 8, 64)
    assert default_space(BASE, STEEP).max_batch_size == (1, 2, 4, 8, 16, 32, 64)


def test_a_batch_that_alone_takes_longer_than_the_objective_is_left_out():
    calibration = Calibration(service_ns={1: 1e6, 64: 12e6})
    assert max(size for size in default_space(BASE, calibration, slo_p99_ms=5).max_batch_size if size != 64) < 32


def test_delays_are_in_proportion_to_the_service_time_and_below_half_the_objective():
    assert default_space(BASE, STEEP).max_queue_delay_microseconds == (0, 100, 250, 300, 500, 1000, 2000)
    assert default_space(BASE, STEEP, slo_p99_ms=2).max_queue_delay_microseconds == (0, 100, 250, 300, 500)


def test_instances_end_where_one_more_gets_nothing_more_through():
    assert default_space(BASE, STEEP).count == (1, 2)
    assert default_space(BASE, FLAT).count == (1, 2)
    assert default_space(Candidate(64, (), 0, 3), STEEP).count == (1, 2, 3)


def test_a_model_that_does_not_batch_keeps_so():
    assert default_space(Candidate(1, (), 0, 1), STEEP).max_batch_size == (1,)


def test_delays_have_two_digits():
    calibration = Calibration(service_ns={1: 1_037_123.0})
    assert default_space(Candidate(1, (), 0, 1), calibration).max_queue_delay_microseconds == (
        0, 100, 260, 520, 1000, 2100,
    )  # fmt: skip


def test_a_sweep_that_is_given_nothing_but_an_objective_and_a_calibration_finds_the_rest():
    calibration = Calibration(service_ns={1: 1.1e6, 8: 1.8e6, 16: 2.6e6})
    tunable = FakeTunable(Candidate(16, (), 0, 1))
    study = sweep(tunable, calibration=calibration, slo_p99_ms=8, simulated_requests=2000, most=2, progress=False)
    assert study.objective == "highest rate with p99 within 8 ms"
    assert len(study.forecasts) > 20
    assert study.best.score.gain.value > study.before.score.gain.value
    assert study.best.candidate.count == 2
    assert study.calibration is calibration


def test_what_is_left_to_a_calibration_needs_one():
    with pytest.raises(InvalidArgumentError, match="only a model of a server"):
        sweep(FakeTunable(), slo_p99_ms=8, progress=False)
