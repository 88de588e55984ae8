# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import ARRIVAL_KINDS, Workload, draw_arrivals
from workbench.load.arrival import replayed


@pytest.mark.parametrize("kind", ARRIVAL_KINDS)
def test_the_same_seed_draws_the_same_times(kind):
    first, second = (draw_arrivals(kind, rate=100, count=1000, seed=5) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert first.dtype == np.int64
    assert np.all(np.diff(first) >= 0)


@pytest.mark.parametrize("kind", ARRIVAL_KINDS)
def test_arrivals_keep_their_mean_rate(kind):
    assert draw_arrivals(kind, rate=1000, count=200_000)[-1] == pytest.approx(200e9, rel=0.06)


def test_unknown_arrivals_are_refused_with_the_known_ones():
    with pytest.raises(InvalidArgumentError, match="constant, poisson, gamma and markov"):
        draw_arrivals("uniform", rate=1, count=1)


@pytest.mark.parametrize("times", [[2.0, 1.0], [-1.0, 1.0], [0.0, float("nan")], [[0.0]]])
def test_a_replay_refuses_times_that_are_no_schedule(times):
    with pytest.raises(InvalidArgumentError, match="ascending"):
        replayed(times)


def test_a_replay_keeps_its_times():
    assert replayed([0.0, 0.001, 0.5]).tolist() == [0, 1_000_000, 500_000_000]


def test_a_workload_is_open_or_closed_and_not_both():
    with pytest.raises(InvalidArgumentError, match="either a rate"):
        Workload(rate=10, concurrency=2)
    with pytest.raises(InvalidArgumentError, match="either a rate"):
        Workload()


def test_a_workload_sends_as_many_requests_as_its_duration_gives():
    assert len(Workload(rate=200, duration_s=2).schedule_ns()) == 400
    assert len(Workload(rate=200, duration_s=2, requests=7).schedule_ns()) == 7
    assert len(Workload(concurrency=4).schedule_ns()) == 0


def test_a_number_of_requests_takes_the_place_of_the_duration():
    assert Workload(rate=10, requests=1000).expected_s == 100
    assert len(Workload(rate=10, requests=1000).schedule_ns()) == 1000
    assert Workload(concurrency=4, requests=10).expected_s == float("inf")
    assert Workload(times_s=(0.5, 2.0)).expected_s == 2.0


def test_a_longer_workload_sends_more_at_the_same_rate():
    assert len(Workload(rate=100, duration_s=2).longer(0.5).schedule_ns()) == 100
    assert len(Workload(rate=100, requests=300).longer(2).schedule_ns()) == 600
