# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Linked spans: requests of sequences, and an ensemble's requests with those of their steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from workbench.events import EVENT_DTYPE, EventKind
from workbench.views import ModelFacts, reduce, wire
from workbench.views.facts import StepModel, with_steps
from workbench.views.follower import Follower
from workbench.views.spans import in_lanes, latest, step_figures, trees

MS, S = 1_000_000, 1_000_000_000
NOW = 1_000 * S


def row(kind, **values):
    record = np.zeros(1, EVENT_DTYPE)
    record["kind"] = kind
    for name, value in values.items():
        record[name] = value
    return record


def sequence_run(make, *, count=4, label=42, first_ns=NOW - S, model=1):
    """Requests of one sequence, a millisecond after each other, each with its place."""
    parts = []
    for position in range(count):
        start_ns = first_ns + position * 10 * MS
        ran = make.batch(start_ns, waits_ns=[MS], serial=position + 1, reason=8, model=model)
        ran["id"] = label * 1_000 + position
        flags = (position == 0) | 2 * (position == count - 1)
        told = row(
            EventKind.SEQUENCE, id=ran["id"][0], arrival_ns=start_ns - MS, start_ns=label, model=model, batch=position,
            rows=3, detail=flags, compute_start_ns=first_ns - MS, end_ns=start_ns - MS // 2,
            compute_end_ns=0 if position == 0 else start_ns - MS // 2,
        )  # fmt: skip
        parts += [told, ran]
    return np.concatenate(parts)


@pytest.fixture
def ensemble():
    """An ensemble of two models; the second runs in two instances and batches up to four rows."""
    resize = ModelFacts("resize", number=2, max_batch_size=8, dynamic=True)
    classify = ModelFacts("classify", instances=("instance 0", "instance 1"), number=3, max_batch_size=4)
    models = {"resize": StepModel(resize), "classify": StepModel(classify)}
    return with_steps(ModelFacts("whole", number=1), ["resize", "classify"], models.get)


def composed(serial, begin_ns, *, wait_ns=MS, status=0):
    """An ensemble's request of two steps of 2 and 6 ms, each after a wait; the second on instance 1."""
    first = {"id": serial * 10 + 1, "model": 2, "arrival_ns": begin_ns, "start_ns": begin_ns + wait_ns}
    second_ns = begin_ns + wait_ns + 2 * MS
    second = {
        "id": serial * 10 + 2,
        "model": 3,
        "instance": 1,
        "arrival_ns": second_ns,
        "start_ns": second_ns + wait_ns,
    }
    ran = {"count": 1, "rows": 1, "detail": 1, "batch": serial % 1_000}
    end_ns = second_ns + wait_ns + 6 * MS
    return np.concatenate(
        [
            row(EventKind.REQUEST, end_ns=second_ns, **first, **ran),
            row(EventKind.STEP, id=first["id"], start_ns=serial, arrival_ns=begin_ns, model=1, instance=0),
            row(EventKind.REQUEST, end_ns=end_ns, **second, **ran),
            row(EventKind.STEP, id=second["id"], start_ns=serial, arrival_ns=second_ns, model=1, instance=1),
            row(
                EventKind.REQUEST,
                id=serial,
                model=1,
                arrival_ns=begin_ns,
                start_ns=begin_ns,
                end_ns=end_ns,
                status=status,
            ),
        ]
    )


def test_requests_of_sequences_are_drawn_with_their_place(make, facts):
    view = reduce(make.columns(sequence_run(make), sequence_run(make, label=7, count=2)), facts=facts, now_ns=NOW)
    rows = view.chains.rows
    labels = [view.chains.labels[label] for label in rows["label"]]
    assert sorted(zip(labels, rows["position"].tolist(), strict=True)) == [
        ("42", 0), ("42", 1), ("42", 2), ("42", 3), ("7", 0), ("7", 1),
    ]  # fmt: skip
    assert set(rows["slot"]) == {3}
    assert (np.diff(rows["arrival_ns"]) >= 0).all()


def test_requests_of_no_sequence_have_no_place(make, facts):
    plain = make.batch(NOW - S, waits_ns=[MS] * 3)
    assert len(reduce(make.columns(plain), facts=facts, now_ns=NOW).chains.rows) == 0


def test_the_wire_brings_sequences_by_name_and_a_first_request_without_one_before(make, facts):
    header, buffers = wire.message(reduce(make.columns(sequence_run(make)), facts=facts, now_ns=NOW), seq=1)
    table = np.frombuffer(buffers[4], np.float32).reshape(-1, len(wire.CHAIN_COLUMNS))
    assert header["labels"] == ["42"]
    before = table[:, wire.CHAIN_COLUMNS.index("before")]
    assert np.isnan(before).tolist() == [True, False, False, False]
    got_slot = table[:, wire.CHAIN_COLUMNS.index("got_slot")].astype(np.float64) + header["base_s"]
    assert got_slot == pytest.approx([(NOW - S - MS) / 1e9] * 4, abs=1e-6)


def test_a_follower_finds_the_place_of_a_request_that_was_read_before_it_ended(make, facts):
    source = make.source(facts, time_ns=NOW)
    run = sequence_run(make, first_ns=NOW - 100 * MS, count=1)
    follower = Follower(source)
    source.waiting = [run[:1]]
    follower.news()
    source.waiting = [run[1:]]
    source.time_ns += 33 * MS
    assert follower.news().chains.labels == ("42",)
    assert follower.whole().chains.labels == ("42",)


def test_the_lanes_of_an_ensemble_are_the_instances_of_its_steps_models(ensemble):
    assert ensemble.instances == ("resize", "classify · 0", "classify · 1")
    assert [(lane.number, lane.instance) for lane in ensemble.lanes] == [(2, 0), (3, 0), (3, 1)]
    assert ensemble.headline == "v1 · READY · ensemble of 2 steps: resize → classify"
    assert ensemble.numbers == (1, 2, 3)


def test_a_model_below_a_nested_ensemble_has_a_lane_and_one_that_is_gone_has_none():
    inner = StepModel(ModelFacts("inner", number=5), ("leaf",))
    models = {"inner": inner, "leaf": StepModel(ModelFacts("leaf", number=6))}
    facts = with_steps(ModelFacts("whole", number=1), ["inner", "gone"], models.get)
    assert (facts.instances, facts.nested, facts.numbers) == (("leaf",), (5,), (1, 5, 6))


def test_records_of_steps_stand_in_the_lanes_of_their_instances(make, ensemble):
    records = np.concatenate([composed(1, NOW - S), make.batch(NOW - S, waits_ns=[MS], model=9)])
    requests = make.columns(records).requests
    assert in_lanes(requests, ensemble)["instance"].tolist() == [0, 2]
    assert requests["instance"].tolist() == [0, 1, 0, 0]  # the log's own are as they were


def test_an_ensembles_request_brings_its_steps(make, ensemble):
    view = reduce(make.columns(composed(1, NOW - S), composed(2, NOW - S // 2)), facts=ensemble, now_ns=NOW)
    told = [(int(node["tree"]), int(node["parent"]), int(node["step"]), int(node["lane"])) for node in view.trees]
    assert told == [(0, -1, -1, -1), (1, -1, -1, -1), (0, 0, 0, 0), (0, 0, 1, 2), (1, 1, 0, 0), (1, 1, 1, 2)]
    assert view.totals.answered_per_s == pytest.approx(2, rel=0.1)
    assert sorted(view.batches["instance"].tolist()) == [0, 0, 2, 2]


def test_steps_within_steps_are_below_them(make):
    models = {
        "inner": StepModel(ModelFacts("inner", number=5), ("leaf",)),
        "leaf": StepModel(ModelFacts("leaf", number=6)),
    }
    facts = with_steps(ModelFacts("whole", number=1), ["inner"], models.get)
    told = make.columns(
        row(EventKind.REQUEST, id=1, model=1, end_ns=9),
        row(EventKind.STEP, id=2, start_ns=1, model=1),
        row(EventKind.REQUEST, id=2, model=5, end_ns=8),
        row(EventKind.STEP, id=3, start_ns=2, model=5),
        row(EventKind.REQUEST, id=3, model=6, end_ns=7, count=1),
        row(EventKind.STEP, id=4, start_ns=2, model=5, instance=1),  # its record is gone
    )
    found = trees(told.requests[:1], told, facts)
    assert found["serial"].tolist() == [1, 2, 3]
    assert found["parent"].tolist() == [-1, 0, 1]
    assert found["lane"].tolist() == [-1, -1, 0]


def test_the_figures_tell_how_long_each_step_waits_and_runs(make, ensemble):
    told = make.columns(composed(1, NOW - S), composed(2, NOW - S // 2, wait_ns=3 * MS))
    figures = step_figures(told.requests, told.steps, ensemble)
    assert figures.tolist() == [[2, 4 * MS, 4 * MS], [2, 4 * MS, 12 * MS]]
    totals = reduce(told, facts=ensemble, now_ns=NOW).totals
    assert totals.steps == ((2, 2.0 * MS, 2.0 * MS), (2, 2.0 * MS, 6.0 * MS))


def test_the_sentence_names_the_step_that_takes_longest(make, ensemble):
    view = reduce(make.columns(composed(1, NOW - S)), facts=ensemble, now_ns=NOW)
    assert view.sentence == "Of 10 ms, step 1 (classify) takes longest: 7 ms, 86 % of it running."


def test_a_follower_brings_whole_trees_though_their_steps_were_read_before(make, ensemble):
    source = make.source(ensemble, time_ns=NOW)
    request = composed(1, NOW - 20 * MS)
    follower = Follower(source)
    source.waiting = [request[:2]]
    assert len(follower.news().trees) == 0
    source.waiting = [request[2:]]
    source.time_ns += 500 * MS
    view = follower.news()
    assert view.trees["step"].tolist() == [-1, 0, 1]
    assert view.totals.steps[1] == (1, MS, 6 * MS)
    assert follower.whole().trees["step"].tolist() == [-1, 0, 1]


def test_the_wire_brings_trees_with_the_names_of_their_models(make, ensemble):
    view = reduce(make.columns(composed(1 << 48 | 5, NOW - S)), facts=ensemble, now_ns=NOW)
    header, buffers = wire.message(view, seq=1)
    table = np.frombuffer(buffers[5], np.float32).reshape(-1, len(wire.TREE_COLUMNS))
    models = [header["tree_models"][int(number)] for number in table[:, wire.TREE_COLUMNS.index("model")]]
    assert models == ["whole", "resize", "classify"]
    assert header["base_tree"] == 1 << 48 | 5


def test_of_very_many_the_slowest_and_the_newest_are_drawn():
    records = np.zeros(1_000, EVENT_DTYPE)
    records["end_ns"] = np.arange(1_000) + 10_000
    records["arrival_ns"] = records["end_ns"] - 10
    records["arrival_ns"][17] = 1
    drawn = latest(records, 64)
    assert len(drawn) <= 64
    assert 1 in drawn["arrival_ns"]
    assert (drawn["end_ns"][-32:] == records["end_ns"][-32:]).all()


def test_a_model_that_is_no_ensemble_has_neither_lanes_nor_trees(make, facts):
    view = reduce(make.columns(composed(1, NOW - S)), facts=replace(facts, number=2), now_ns=NOW)
    assert (len(view.trees), view.totals.steps, facts.numbers) == (0, (), (1,))
