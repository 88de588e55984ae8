# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What load sends: samples, sequences, priorities, timeouts, several models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import InvalidArgumentError
from workbench.load import Sample, Sequences
from workbench.load.native_run import NullTarget

ALWAYS_OPEN = "max_batch_size: 8 sequence_batching { max_sequence_idle_microseconds: 60000000 }"


def drive(model: Any, **options: Any) -> Any:
    return wb.drive(model, **{"repeats": 0, "warmup": 0.0} | options)


def rows(count: int) -> dict[str, Any]:
    return {"INPUT0": np.ones((count, 4), np.float32)}


def test_samples_take_turns(identity: Any) -> None:
    measured = drive(identity(), inputs=[rows(1), rows(2), rows(5)], concurrency=1, requests=30)
    assert measured.batches == {1: 10, 2: 10, 5: 10}


def test_a_sample_is_sent_as_often_as_its_weight_says(identity: Any) -> None:
    samples = [Sample(rows(1), weight=9), Sample(rows(3), weight=1)]
    batches = drive(identity(), inputs=samples, concurrency=1, requests=1000).batches
    assert 60 < batches[3] < 140
    assert batches[1] + batches[3] == 1000


def test_a_mix_goes_to_several_models_and_is_measured_as_one(identity: Any) -> None:
    first, second = identity(name="first"), identity(name="second")
    measured = drive(first, inputs=[Sample(), Sample(model=second)], rate=1000, duration_s=0.2)
    assert measured.model == "first + second"
    assert [model.statistics().success.count for model in (first, second)] == [100, 100]
    assert measured.batches == {1: 200}


def test_requests_of_a_sequence_start_and_end_it(identity: Any) -> None:
    model = identity(extra=ALWAYS_OPEN)
    assert drive(model, rate=500, duration_s=0.1).errors == {"INVALID_ARG": 50}
    sequences = Sequences(in_flight=3, length=5, lengths="geometric")
    assert drive(model, rate=1000, duration_s=0.2, sequences=sequences).errors == {}


def test_a_run_leaves_no_sequence_open(identity: Any) -> None:
    one_slot = f"{ALWAYS_OPEN.replace('{', '{ direct { }', 1)} instance_group [ {{ count: 1 kind: KIND_CPU }} ]"
    model = identity(extra=one_slot.replace("max_batch_size: 8", "max_batch_size: 1"))
    for _ in range(2):
        measured = drive(model, concurrency=1, requests=7, sequences=Sequences(in_flight=1, length=5))
        assert (measured.errors, measured.unanswered) == ({}, 0)


def test_requests_of_a_priority_meet_the_policy_of_its_queue(synthetic: Any) -> None:
    policy = """dynamic_batching { priority_levels: 2 default_priority_level: 1
        priority_queue_policy [ { key: 2 value { max_queue_size: 1 } } ] }"""
    model = synthetic(20, extra=policy, max_batch_size=1)
    served = drive(model, rate=500, duration_s=0.1, priority=1)
    assert served.errors == {}
    refused = drive(model, rate=500, duration_s=0.1, priority=2)
    assert refused.errors["UNAVAILABLE"] > 20


def test_requests_wait_no_longer_than_their_timeout(synthetic: Any) -> None:
    policy = """dynamic_batching { default_queue_policy { timeout_action: REJECT allow_timeout_override: true
        default_timeout_microseconds: 60000000 } }"""
    model = synthetic(20, extra=policy, max_batch_size=1)
    assert drive(model, rate=500, duration_s=0.1).errors == {}
    assert drive(model, rate=500, duration_s=0.1, timeout_s=0.01).errors["UNAVAILABLE"] > 20


def test_made_inputs_have_the_rows_and_dims_that_were_asked_for(identity: Any) -> None:
    model = identity(dims="-1")
    measured = drive(model, rows=4, dims={"INPUT0": [16]}, concurrency=1, requests=10)
    assert measured.batches == {4: 10}
    with pytest.raises(InvalidArgumentError, match="no input 'X'; its inputs are INPUT0"):
        drive(model, dims={"X": [16]}, concurrency=1)


def test_a_file_of_inputs_is_sent(identity: Any, tmp_path: Path) -> None:
    path = tmp_path / "inputs.json"
    path.write_text(json.dumps({"data": [{"INPUT0": [1, 2, 3, 4]}, {"INPUT0": [5, 6, 7, 8]}]}))
    assert drive(identity(), inputs=path, concurrency=2, requests=20).errors == {}


def test_the_plan_of_a_closed_loop_without_end_goes_round(identity: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.load.model_target.PLANNED_OF_A_CLOSED_LOOP", 10)
    # What the end of the run leaves open is given up before the server closes.
    model = identity(extra=ALWAYS_OPEN.replace("60000000", "200000"))
    measured = drive(model, concurrency=2, duration_s=0.1, sequences=Sequences(in_flight=2, length=3))
    assert len(measured.records) > 20
    assert measured.errors == {}


def test_a_closed_loop_ends_the_sequences_that_it_opened(identity: Any) -> None:
    model = identity(extra=ALWAYS_OPEN)
    endless = Sequences(in_flight=3, length=1_000_000)
    measured = drive(model, concurrency=2, duration_s=0.1, sequences=endless)
    assert measured.errors == {}
    # A server that closes waits for the rest of what is open.
    assert model.statistics().success.count == len(measured.records) + endless.in_flight


def test_the_null_target_answers_everything_at_once() -> None:
    measured = drive(NullTarget(), workload=wb.Workload.poisson(rate=10_000, requests=2000))
    assert measured.requests == 2000
    assert measured.errors == {}
