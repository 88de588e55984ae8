# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Simulate all, race the best, confirm the winner: in virtual time."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Workload
from workbench.sweep import Candidate, Constraints, SweepInterruptedError, sweep
from workbench.testing.fake_predictor import FakePredictor
from workbench.testing.fake_tunable import FakeTunable

SPACE = {
    "max_batch_size": [1, 4, 16],
    "max_queue_delay_microseconds": [0, 1000, 3000],
    "count": [1, 2],
}
WORKLOAD = Workload(rate=1000, duration_s=0.5)


def swept(tunable, **options):
    options = {"space": SPACE, "workload": WORKLOAD, "progress": False, "objective": "goodput"} | options
    return sweep(tunable, **{"slo_p99_ms": 8, "predictor": FakePredictor(), "simulated_requests": 1000} | options)


@pytest.fixture(scope="module")
def study():
    return swept(FakeTunable())


def test_every_candidate_is_predicted_and_few_are_measured(study):
    assert len(study.forecasts) == 14
    assert len({trial.candidate for trial in study.trials}) <= 9


def test_the_winner_is_as_good_as_the_grids_although_the_prediction_is_off():
    grid = swept(FakeTunable(), strategy="grid", predictor=None)
    study = swept(FakeTunable(), predictor=FakePredictor(error=0.06))
    assert study.best.score.gain.value >= 0.97 * grid.best.score.gain.value


def test_the_models_own_configuration_is_measured_for_comparison():
    study = swept(FakeTunable(Candidate(1, (), 0, 1)))
    assert study.before is not None
    assert study.before.score.gain.value < study.best.score.gain.value


def test_the_winner_is_confirmed_with_arrivals_that_it_was_not_chosen_by():
    tunable = FakeTunable()
    seeds = []
    serve = tunable._serve

    def noting(candidate):
        serve(candidate)
        start = tunable.target.start
        tunable.target.start = lambda workload, schedule: (seeds.append(workload.seed), start(workload, schedule))[1]

    tunable._serve = noting
    study = swept(tunable)
    assert study.confirmation.is_feasible
    assert study.confirmation.candidate == study.best.candidate
    assert seeds[-1] not in seeds[:-1]


def test_a_search_that_begins_where_it_was_predicted_needs_few_runs(study):
    assert max(len(trial.points) for trial in study.trials) <= 5


def test_constraints_leave_out_and_judge():
    few = swept(FakeTunable(), objective="p99", constraints=Constraints(instances=1))
    assert {trial.candidate.count for trial in few.trials} == {1}
    assert "at most 1 instances are allowed" in {e.reason for e in few.excluded}
    light = swept(FakeTunable(), objective="p99", constraints=Constraints(memory_bytes=1500))
    assert light.best.candidate.count == 1
    assert not any(t.is_feasible for t in light.trials if t.candidate.count == 2)
    fast = swept(FakeTunable(), objective="p99", constraints=Constraints(throughput=1e6))
    assert not fast.best.is_feasible


def test_simulations_spread_over_threads_say_the_same(study):
    with ThreadPoolExecutor(2) as executor:
        there = swept(FakeTunable(), executor=executor)
    assert there.forecasts == study.forecasts


def test_simulations_spread_over_processes_that_spawn():
    space = {"max_batch_size": [1, 8], "max_queue_delay_microseconds": [0, 500]}
    here = swept(FakeTunable(), space=space)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        there = swept(FakeTunable(), space=space, executor=executor)
    assert there.forecasts == here.forecasts


def test_an_executor_that_forks_is_refused_with_the_way_out():
    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as executor,
        pytest.raises(InvalidArgumentError, match="spawn"),
    ):
        swept(FakeTunable(), executor=executor)


def test_a_resumed_sweep_neither_simulates_nor_measures_again(tmp_path, study):
    def stop_at_the_fourth(done, total, words):
        if words.startswith("4 trials"):
            raise KeyboardInterrupt

    with pytest.raises(SweepInterruptedError) as stopped:
        swept(FakeTunable(), checkpoint=tmp_path / "sweep.json", progress=stop_at_the_fourth)
    assert len(stopped.value.study.trials) == 4

    class Forbidden(FakePredictor):
        def __call__(self, config, workload):
            assert not workload.requests, "only the confirmation is simulated, with what it is sent"
            return super().__call__(config, workload)

    tunable = FakeTunable()
    again = swept(tunable, checkpoint=tmp_path / "sweep.json", predictor=Forbidden())
    assert again.best.candidate == study.best.candidate
    assert again.forecasts == study.forecasts
    assert not {trial.candidate for trial in again.trials[:4]} & set(tunable.applied[:1])


def test_whoever_watches_sees_the_study_grow():
    seen = []
    study = swept(FakeTunable(), watch=seen.append)
    assert len(seen[0].forecasts) == len(study.forecasts)
    assert [len(s.trials) for s in seen[:3]] == [0, 1, 2]
    assert replace(seen[-1], seconds=0) == replace(study, seconds=0)


def test_prediction_needs_a_predictor():
    with pytest.raises(InvalidArgumentError, match="predictor"):
        swept(FakeTunable(), predictor=None, strategy="predict")
