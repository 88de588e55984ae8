# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.load import OBSERVATION_DTYPE, RECORD_DTYPE, Window, Workload, assess, draw_arrivals, warmup_cut
from workbench.load.steadiness import drift, littles_law
from workbench.testing.fake_target import FakeTarget


def served(rate=500.0, *, seconds=10.0, **target):
    workload = Workload(rate=rate, duration_s=seconds)
    run = FakeTarget(**target).start(workload, workload.schedule_ns())
    return run.records(), run.observations()


def verdict(records, observations, begin_s=0.5, end_s=10.0):
    window = Window(int(begin_s * 1e9), int(end_s * 1e9))
    return assess(records, observations, window, is_open_loop=True)


def test_warm_up_ends_where_the_values_settle():
    values = np.random.default_rng(1).normal(10, 1, 5000)
    values[:400] += np.linspace(50, 0, 400)
    cut = warmup_cut(values)
    assert 300 <= cut <= 500


def test_steady_values_have_no_warm_up_to_speak_of():
    assert warmup_cut(np.random.default_rng(1).normal(10, 1, 5000)) < 250


def test_at_most_half_is_warm_up():
    values = np.random.default_rng(1).normal(10, 1, 5000)
    values[:4000] += 30
    assert warmup_cut(values) <= 2500


def test_one_stall_does_not_decide_where_the_warm_up_ends():
    values = np.random.default_rng(1).exponential(1, 5000)
    values[2000:2020] += 500
    assert warmup_cut(values) < 500


def test_values_that_still_change_drift():
    values = np.random.default_rng(1).exponential(1, 5000)
    assert drift(values) == 0.0
    assert drift(values + np.linspace(0, 1, 5000)) == pytest.approx(0.4, abs=0.1)


def test_a_run_that_drifts_is_flagged():
    records, observations = served()
    records["done_ns"] += np.linspace(0, 5_000_000, len(records)).astype(np.int64)
    assert any("latency drifted" in reason for reason in verdict(records, observations).reasons)


def test_few_values_have_no_warm_up():
    assert warmup_cut(np.arange(10.0)) == 0


def test_a_calm_run_is_steady():
    assert verdict(*served()).is_steady


def test_littles_law_compares_the_records_with_what_the_server_counted():
    records, observations = served()
    little = littles_law(records, observations, Window(0, 10_000_000_000))
    assert little.holds
    assert little.in_flight == pytest.approx(little.throughput * little.residence_s, rel=0.1)


def test_requests_that_the_records_do_not_know_break_littles_law():
    records, observations = served()
    observations["in_flight"] += 1
    assert any("Little" in reason for reason in verdict(records, observations).reasons)


def test_a_stall_is_flagged_with_its_length():
    steadiness = verdict(*served(stall_ns=(5_000_000_000, 200_000_000)))
    assert steadiness.is_disturbed
    assert any("stood still" in reason and "200.0 ms" in reason for reason in steadiness.reasons)


def test_late_wake_ups_below_a_millisecond_are_no_stalls():
    records, observations = served()
    observations["late_ns"] = 900_000
    assert verdict(records, observations).stalls.count == 0


def test_an_overloaded_model_is_flagged_as_such():
    steadiness = verdict(*served(rate=1200))
    assert any("the queue grew" in reason for reason in steadiness.reasons)


def test_a_run_without_looks_or_answers_is_judged_without_failing():
    records = np.zeros(1, RECORD_DTYPE)
    assert verdict(records, np.zeros(0, OBSERVATION_DTYPE)).little.holds


def test_arrivals_are_poisson():
    gaps = np.diff(draw_arrivals("poisson", rate=1000, count=100_000, seed=3))
    assert gaps.mean() == pytest.approx(1e6, rel=0.02)
    assert gaps.std() == pytest.approx(1e6, rel=0.02)


def test_a_late_sender_is_a_reason():
    records = np.zeros(1000, RECORD_DTYPE)
    records["intended_ns"] = np.arange(1000) * 1_000_000
    records["sent_ns"] = records["intended_ns"]
    records["done_ns"] = records["sent_ns"] + 2_000_000
    window = Window(0, 1_000_000_000)

    def reasons():
        return assess(records, np.empty(0, OBSERVATION_DTYPE), window, is_open_loop=True).reasons

    assert not [reason for reason in reasons() if "late" in reason]
    records["sent_ns"][100:150] += 1_900_000
    assert [reason for reason in reasons() if "the sender was late" in reason]
