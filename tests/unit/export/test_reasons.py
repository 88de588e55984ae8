# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

from workbench.export.evidence import evidence
from workbench.export.reasons import why_it_lost, why_it_won, why_others_lost
from workbench.load import Interval, Workload
from workbench.sweep import Candidate, Forecast, Point, Score, Study, Trial

BEST = Candidate(16, (), 500, 2)


def trial(candidate, gain, *, mean=8.0, width=10.0, feasible=True):
    point = Point(gain, gain, gain + 5, Interval(1, 1, 1), Interval(4, 3, 5), mean, rate=gain)
    score = Score(Interval(gain, gain - width, gain + width), feasible, f"{gain:,}/s within 5 ms")
    return Trial(0, candidate, score=score, points=(point,), model="m")


def study(*trials, base=BEST, **options):
    return Study("m", "highest rate", Workload(rate=100), 5.0, base, trials, **options)


WINNER = trial(BEST, 1000, mean=12.0)


def test_the_winner_is_compared_with_the_model_as_it_was():
    base = Candidate(16, (), 0, 2)
    sentences = list(why_it_won(study(WINNER, trial(base, 800), base=base)))
    assert any("The model as it was" in line and "(-20.0%)" in line for line in sentences)
    assert any(line.startswith("delay µs 500: 1,000/s within 5 ms, with 0: 800/s") for line in sentences)


def test_a_model_that_was_well_configured_is_told_so():
    assert any("nothing better" in line for line in why_it_won(study(WINNER, trial(Candidate(8, (), 0, 2), 700))))


def test_a_confirmation_that_failed_is_not_hidden():
    failed = replace(WINNER, score=Score(Interval(-6, -7, -5), False, ""))
    assert any(line.startswith("Not confirmed") for line in why_it_won(study(WINNER, confirmation=failed)))
    assert any(line.startswith("Confirmed") for line in why_it_won(study(WINNER, confirmation=WINNER)))


def test_full_batches_are_why_a_small_one_lost():
    lost = trial(Candidate(4, (), 500, 2), 600, mean=3.9)
    assert "its batches are full (mean 3.9 of 4)" in why_it_lost(lost, WINNER)


def test_a_longer_delay_waits_and_a_shorter_one_leaves_with_less():
    longer, shorter = (trial(Candidate(16, (), delay, 2), 900) for delay in (2000, 0))
    assert "waits up to 1500 µs longer" in why_it_lost(longer, WINNER)
    assert "leaves 500 µs sooner" in why_it_lost(shorter, WINNER)


def test_what_the_intervals_do_not_tell_apart_is_said_to_be_so():
    near = trial(Candidate(16, (), 400, 2), 995)
    assert "do not tell the two apart" in why_it_lost(near, WINNER)
    assert "do not tell" not in why_it_lost(trial(Candidate(16, (), 400, 2), 900), WINNER)


def test_what_missed_the_objective_or_was_refused_says_how():
    missed = trial(Candidate(1, (), 0, 1), 100, feasible=False)
    assert "misses the objective: p99 4 ms" in why_it_lost(missed, WINNER)
    assert "no memory" in why_it_lost(Trial(1, BEST, "refused", reason="no memory"), WINNER)


def test_the_best_of_the_others_come_first():
    others = [trial(Candidate(16, (), delay, 2), gain) for delay, gain in ((0, 700), (100, 900), (200, 800))]
    sentences = list(why_others_lost(study(WINNER, *others), most=2))
    assert [line.split(",")[2] for line in sentences] == [" delay 100 µs", " delay 200 µs"]


def test_where_nothing_was_measured_the_evidence_is_predicted():
    rival = Candidate(8, (), 500, 2)
    forecasts = tuple(
        Forecast(c, trial(c, gain).score, trial(c, gain).points) for c, gain in ((BEST, 990), (rival, 500))
    )
    proof = evidence(study(WINNER, forecasts=forecasts), WINNER, "max_batch_size")
    assert not proof.is_measured
    assert str(proof) == "990/s within 5 ms, with 8: 500/s within 5 ms (predicted)"
    assert evidence(study(WINNER), WINNER, "count") is None


def test_a_value_is_compared_with_another_in_the_round_that_both_ran():
    short = replace(trial(BEST, 1200), effort=1.0)
    long = replace(trial(BEST, 1000), effort=3.0, turn=1)
    rival = trial(Candidate(16, (), 0, 2), 1100)
    found = evidence(study(short, rival, long), long, "max_queue_delay_microseconds")
    assert found is not None
    assert (found.winner.gain.value, found.rival.gain.value) == (1200, 1100)
    assert str(found).endswith("(measured)")


def test_a_comparison_within_the_noise_says_so():
    near = trial(Candidate(16, (), 0, 2), 995)
    assert str(evidence(study(WINNER, near), WINNER, "max_queue_delay_microseconds")).endswith(
        "(measured: no more apart than the noise)"
    )
