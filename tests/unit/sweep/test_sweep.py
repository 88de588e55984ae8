# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from workbench.config import parse_config
from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.load import Interval, Workload
from workbench.sweep import Candidate, Grid, Score, Study, SweepInterruptedError, candidate_of, sweep
from workbench.testing.fake_tunable import FakeTunable

WORKLOAD = Workload(rate=1500, duration_s=2)
SPACE = {"max_batch_size": [1, 8], "max_queue_delay_microseconds": [0, 2000], "count": [1, 2]}


def swept(tunable, **options):
    options = {"space": SPACE, "workload": WORKLOAD, "progress": False} | options
    return sweep(tunable, **options)


def test_the_best_trial_meets_the_objective_and_has_the_lowest_p99():
    study = swept(FakeTunable(), slo_p99_ms=5, strategy="grid")
    assert study.best.candidate == Candidate(8, (), 0, 2)
    feasible = [trial for trial in study.trials if trial.is_feasible]
    assert study.best.point.p99_ms.value == min(trial.point.p99_ms.value for trial in feasible)


def test_halving_finds_what_the_grid_finds_with_less_effort():
    grid, halving = (swept(FakeTunable(), slo_p99_ms=5, strategy=name) for name in ("grid", "halving"))
    assert halving.best.candidate == grid.best.candidate
    assert halving.best.effort == max(trial.effort for trial in halving.finals)


def test_the_model_is_as_before_after_a_sweep():
    tunable = FakeTunable(Candidate(4, (2,), 300, 1))
    swept(tunable)
    assert tunable.serving == tunable.base
    assert len(tunable.applied) > 1


def test_every_trial_knows_the_configuration_that_served_while_it_was_measured():
    for trial in swept(FakeTunable()).trials:
        assert candidate_of(parse_config(trial.config)) == trial.candidate


def test_a_configuration_that_is_refused_says_why_and_the_sweep_goes_on():
    study = swept(FakeTunable(most_instances=1), strategy="grid")
    refused = [trial for trial in study.trials if trial.state == "refused"]
    assert {trial.candidate.count for trial in refused} == {2}
    assert refused[0].reason == "no memory for 2 instances"
    assert study.best.candidate.count == 1


def test_the_stop_button_restores_the_model_and_keeps_the_trials():
    tunable = FakeTunable(Candidate(4, (), 0, 1))
    seen = []

    def stop_at_the_third(done, total, words):
        seen.append(words)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(SweepInterruptedError) as stopped:
        swept(tunable, progress=stop_at_the_third)
    assert len(stopped.value.study.trials) == 3
    assert tunable.serving == tunable.base


def test_an_error_restores_the_model():
    tunable = FakeTunable(Candidate(4, (), 0, 1))

    def fail(*_):
        raise NotFoundError("gone")

    with pytest.raises(NotFoundError):
        swept(tunable, progress=fail)
    assert tunable.serving == tunable.base


def test_a_sweep_goes_on_where_it_stopped(tmp_path):
    def stop_at_once(*_):
        raise KeyboardInterrupt

    first = FakeTunable()
    with pytest.raises(SweepInterruptedError):
        swept(first, checkpoint=tmp_path / "sweep.json", progress=stop_at_once, strategy="grid")
    second = FakeTunable()
    study = swept(second, checkpoint=tmp_path / "sweep.json", strategy="grid")
    assert len(first.applied) == 1
    assert first.applied[0] not in second.applied
    assert len(study.trials) == len(second.applied) + 1


def test_progress_tells_what_is_left():
    seen = []
    swept(FakeTunable(), strategy="grid", progress=lambda done, total, words: seen.append((done, total)))
    assert seen == [(done, 6) for done in range(1, 7)]


def test_a_configuration_that_changes_while_it_is_measured_does_not_count():
    tunable = FakeTunable()

    class Meddled(Grid):
        def ask(self):
            proposal = super().ask()
            tunable.target_wanted = proposal
            return proposal

    start = tunable.apply

    def apply_then_meddle(candidate):
        start(candidate)
        target_start = tunable.target.start

        def meddle(*arguments):
            tunable.serving = Candidate(99, (), 0, 1)
            return target_start(*arguments)

        tunable.target.start = meddle

    tunable.apply = apply_then_meddle
    study = swept(tunable, strategy=Meddled)
    assert {trial.reason for trial in study.trials} == {
        "the configuration was changed from elsewhere while it was measured"
    }
    with pytest.raises(NotFoundError, match="measured nothing"):
        _ = study.best


def test_a_space_without_legal_combinations_is_refused_with_the_reasons():
    with pytest.raises(InvalidArgumentError, match="above max_batch_size 1"):
        swept(FakeTunable(), space={"preferred_batch_size": [[4]]})


def test_an_unknown_objective_is_refused_with_the_known_ones():
    with pytest.raises(InvalidArgumentError, match="goodput, p99, throughput"):
        swept(FakeTunable(), objective="speed")


def test_a_study_shows_its_ranking_and_what_it_left_out():
    study = swept(FakeTunable(), slo_p99_ms=5, strategy="grid")
    html = study._repr_html_()
    assert "2 left out" in html
    assert "a batch of one waits for nobody" in html
    assert study.ranking[0] == study.best
    frame = study.to_frame()
    assert len(frame) == len(study.trials)
    assert set(frame["state"]) == {"measured"}


def test_a_candidate_measured_several_times_counts_by_all_its_runs():
    study = swept(FakeTunable(), slo_p99_ms=5)
    finals = {trial.candidate: trial.effort for trial in study.finals}
    assert len(finals) == 6
    runs = [trial for trial in study.trials if trial.candidate == study.best.candidate]
    assert len(runs) > 1
    assert finals[study.best.candidate] == sum(trial.effort for trial in runs) == max(finals.values())


def test_goodput_ranks_configurations_by_the_rate_they_sustain():
    study = swept(FakeTunable(), slo_p99_ms=5, objective="goodput", strategy="grid")
    assert isinstance(study, Study)
    assert study.best.candidate.count == 2
    assert study.best.candidate.max_batch_size == 8


def test_a_run_that_a_stall_disturbed_does_not_decide():
    study = swept(FakeTunable(), slo_p99_ms=5)
    best = study.best
    slow = replace(best.point, p99_ms=Interval(90.0, 80.0, 99.0), is_steady=False, is_disturbed=True)
    disturbed = replace(best, points=(slow,), score=Score(Interval(-90.0, -99.0, -80.0), False, ""), effort=4.0)
    assert replace(study, trials=(*study.trials, disturbed)).best == best
