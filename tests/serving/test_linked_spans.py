# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sequences, ensembles, priorities and blocks of memory: what the real core tells of them, live and recorded."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.views import reduce
from workbench.views.source import ModelSource

pytest.importorskip("workbench._native", exc_type=ImportError)

REPOSITORY = Path(__file__).parents[2] / "model_repository"
ROW = {"INPUT0": np.zeros((1, 16), np.float32)}


def text(name: str, *, tau0_us: int = 200, max_batch_size: int = 4, extra: str = "") -> str:
    return f"""name: "{name}" backend: "synthetic" max_batch_size: {max_batch_size}
        input {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }}
        output {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }}
        instance_group {{ count: 1 kind: KIND_CPU }} {extra}
        parameters {{ key: "tau0_us" value {{ string_value: "{tau0_us}" }} }}
        parameters {{ key: "alpha_us" value {{ string_value: "0" }} }}"""


def ensemble(*models: str) -> str:
    names = ["IN", *(f"t{i}" for i in range(1, len(models))), "OUT"]
    steps = "".join(
        f"""step {{ model_name: "{model}" model_version: -1 input_map {{ key: "INPUT0" value: "{before}" }}
            output_map {{ key: "OUTPUT0" value: "{after}" }} }}"""
        for model, before, after in zip(models, names, names[1:], strict=False)
    )
    return f"""name: "whole" platform: "ensemble" max_batch_size: 4
        input {{ name: "IN" data_type: TYPE_FP32 dims: [ 16 ] }}
        output {{ name: "OUT" data_type: TYPE_FP32 dims: [ 16 ] }}
        ensemble_scheduling {{ {steps} }}"""


@pytest.fixture
def server():
    with wb.Server(REPOSITORY, name="linked") as server:
        yield server


@pytest.mark.parametrize("strategy", ["direct { }", "oldest { max_candidate_sequences: 4 }"])
def test_a_request_of_a_sequence_is_explained_by_its_place(server: wb.Server, strategy: str) -> None:
    model = server.load("s", config=text("s", extra=f"sequence_batching {{ {strategy} }}"))
    name = "a session that is called by more than thirty-two letters"
    replies = [
        model.infer(ROW, sequence=wb.Sequence(name, start=i == 0, end=i == 2), request_id=f"r{i}") for i in range(3)
    ]
    places = [model.explain(reply.serial).sequence for reply in replies]
    assert [(place.label, place.position, place.slot) for place in places] == [(name, i, 0) for i in range(3)]
    assert [(place.is_start, place.is_end) for place in places] == [(True, False), (False, False), (False, True)]
    assert f"request 3 of sequence {name}, its end, in slot 0" in str(model.explain("r2"))


def test_a_sequence_that_waits_for_a_slot_says_so(server: wb.Server) -> None:
    config = text("s", tau0_us=20_000, max_batch_size=1, extra="sequence_batching { direct { } }")
    model = server.load("s", config=config)
    first = model.infer(ROW, sequence=wb.Sequence(1, start=True))
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(model.infer, ROW, sequence=wb.Sequence(2, start=True, end=True))
        while model.queue_length() == 0:
            pass
        model.infer(ROW, sequence=wb.Sequence(1, end=True))
        waits = [model.explain(reply.serial).sequence.slot_wait_ns for reply in (first, second.result())]
    assert waits[0] == 0
    assert waits[1] > 0


def test_the_view_of_a_sequence_model_links_its_requests(server: wb.Server) -> None:
    model = server.load("s", config=text("s", extra="sequence_batching { direct { } }"))
    for i in range(4):
        model.infer(ROW, sequence=wb.Sequence(7, start=i == 0, end=i == 3))
    source = ModelSource(model)
    view = reduce(source.events(), facts=source.facts(), now_ns=source.now_ns())
    assert view.chains.labels == ("7",)
    assert view.chains.rows["position"].tolist() == [0, 1, 2, 3]


def test_an_ensembles_request_is_explained_step_by_step(server: wb.Server) -> None:
    for name, tau0_us in (("fast", 200), ("slow", 20_000)):
        server.load(name, config=text(name, tau0_us=tau0_us))
    model = server.load("whole", config=ensemble("fast", "slow"))
    told = model.explain(model.infer({"IN": ROW["INPUT0"]}).serial)
    assert [(step.model, step.total_ns > 15_000_000) for step in told.steps] == [("fast", False), ("slow", True)]
    assert "through 2 steps; step 0 (fast) took" in told.words
    source = ModelSource(model)
    facts = source.facts()
    assert (facts.instances, facts.steps) == (("fast", "slow"), ("fast", "slow"))
    view = reduce(source.events(), facts=facts, now_ns=source.now_ns())
    assert view.trees["step"].tolist() == [-1, 0, 1]
    assert "step 1 (slow) takes longest" in view.sentence


def test_a_recording_has_the_same_links_and_its_trace_has_arrows(server: wb.Server, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    server.load("fast", config=text("fast"))
    whole = server.load("whole", config=ensemble("fast", "fast"))
    talk = server.load("talk", config=text("talk", extra="sequence_batching { direct { } }"))
    with server.record(tmp_path / "run.wbr"):
        whole.infer({"IN": ROW["INPUT0"]})
        for i in range(3):
            talk.infer(ROW, sequence=wb.Sequence("t", start=i == 0, end=i == 2))
    run = wb.replay(tmp_path / "run.wbr")
    assert run.view("whole").trees["step"].tolist() == [-1, 0, 1]
    assert run.view("talk").chains.labels == ("t",)
    assert run.to_frame("sequences")["flags"].tolist() == ["start text", "text", "end text"]
    trace = json.loads(run.save(tmp_path / "run.json").read_text())["traceEvents"]
    arrows = [one["cat"] for one in trace if one["ph"] == "s"]
    assert sorted(arrows) == ["ensemble", "ensemble", "sequence", "sequence"]
    assert run.save(tmp_path / "run.html").stat().st_size > 10_000


def test_queues_are_told_by_priority_live_recorded_and_as_a_metric(server: wb.Server, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    levels = "dynamic_batching { priority_levels: 3 default_priority_level: 2 }"
    model = server.load("p", config=text("p", tau0_us=100_000, max_batch_size=1, extra=levels))
    assert model.queue_lengths() == {}
    with server.record(tmp_path / "run.wbr"), ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(model.infer, ROW, priority=priority) for priority in (2, 3, 3, 0, 1)]
        while model.queue_length() < 4:
            pass
        lengths = model.queue_lengths()
        page = server.metrics()
        for one in asked:
            one.result()
    assert sum(lengths.values()) == 4
    assert set(lengths) == {1, 2, 3}
    assert 'workbench_pending_request_count_per_priority{model="p",version="1",priority="3"}' in page
    assert model.queue_lengths() == {1: 0, 2: 0, 3: 0}
    view = wb.replay(tmp_path / "run.wbr").view("p")
    assert view.queue_bins["length"][view.queue_bins["level"] == 3].max() == 2


def test_a_recording_tells_who_held_which_block(server: wb.Server, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    config = """name: "keep" backend: "identity" max_batch_size: 8
        input { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }
        output { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }"""
    model = server.load("keep", config=config)
    with server.record(tmp_path / "run.wbr"):
        kept = model.infer({"INPUT0": np.zeros((4, 4_096), np.float32)})
    run = wb.replay(tmp_path / "run.wbr")
    blocks = run.source().memory().blocks
    assert run.has_blocks
    held = [(block.model, block.tensor) for block in blocks if not block.is_free]
    assert ("keep", "OUTPUT0") in held
    assert kept["OUTPUT0"].shape == (4, 4_096)
