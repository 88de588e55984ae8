# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sequences: the same requests to both servers are seen alike by one backend."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.conformance.both_servers import add_model
from tests.conformance.conftest import StartRealTriton
from tests.conformance.sequence_servers import OurSequences, RealSequences, Seen, Step, build_backends

pytest.importorskip("workbench._native", reason="no core: make build")

FLAGS = {
    "int32": "int32_false_true: [ 0, 1 ]",
    "fp32": "fp32_false_true: [ 0, 1 ]",
    "bool": "bool_false_true: [ false, true ]",
    "odd": "int32_false_true: [ 7, 9 ]",
}
NUMBERS = (11, 2**33 + 12)
IDS = {"UINT64": NUMBERS, "INT64": NUMBERS, "UINT32": NUMBERS, "INT32": NUMBERS, "STRING": ("one", "two")}
STATE = 'state { input_name: "SUM_IN" output_name: "SUM_OUT" data_type: TYPE_INT32 dims: [ 1 ] %s }'
ZERO = STATE % 'initial_state { name: "zero" data_type: TYPE_INT32 dims: [ 1 ] zero_data: true }'
FROM_FILE = STATE % 'initial_state { name: "file" data_type: TYPE_INT32 dims: [ 1 ] data_file: "hundred" }'
SAME_BUFFER = STATE % (
    'initial_state { name: "zero" data_type: TYPE_INT32 dims: [ 1 ] zero_data: true }'
    " use_same_buffer_for_input_output: true"
)


def controls(flags: str = "int32", correlation_id: str = "UINT64") -> str:
    named = {"START": "START", "END": "END", "READY": "READY"}
    each = [
        f'{{ name: "{name}" control [ {{ kind: CONTROL_SEQUENCE_{kind} {FLAGS[flags]} }} ] }}'
        for name, kind in named.items()
    ]
    kind = f"kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_{correlation_id}"
    return f'control_input [ {", ".join(each)}, {{ name: "CORRID" control [ {{ {kind} }} ] }} ]'


def config(backend: str, sequence: str, *, max_batch_size: int = 4, extra: str = "", controls_: str = "") -> str:
    return f"""
    backend: "{backend}" max_batch_size: {max_batch_size}
    input [ {{ name: "IN" data_type: TYPE_INT32 dims: [ 2 ] }} ]
    output [ {{ name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] }}, {{ name: "SEEN" data_type: TYPE_INT32 dims: [ 6 ] }} ]
    instance_group [ {{ kind: KIND_CPU count: 1 }} ]
    sequence_batching {{ {controls_ or controls()} {sequence} }}
    {extra}
    """


MODELS = {
    "direct": config("accumulates", "direct { }"),
    "unbatched": config("accumulates", "direct { }", max_batch_size=0),
    "narrow": config("accumulates", "direct { }", max_batch_size=2),
    "patient": config("accumulates", "direct { max_queue_delay_microseconds: 400000 minimum_slot_utilization: 0.5 }"),
    "direct_state": config("remembers", f"direct {{ }} {ZERO}"),
    "oldest": config("remembers", f"oldest {{ max_candidate_sequences: 4 }} {ZERO}"),
    "two_candidates": config("remembers", f"oldest {{ max_candidate_sequences: 2 }} {ZERO}"),
    "from_file": config("remembers", f"direct {{ }} {FROM_FILE}"),
    "same_buffer": config("remembers", f"oldest {{ max_candidate_sequences: 4 }} {SAME_BUFFER}"),
    "preferred": config(
        "remembers",
        "oldest { max_candidate_sequences: 4 preferred_batch_size: [ 2 ] max_queue_delay_microseconds: 300000 }" + ZERO,
    ),
    "brief": config("accumulates", "direct { } max_sequence_idle_microseconds: 200000"),
    "iterates": config(
        "iterates",
        f"iterative_sequence: true {ZERO}",
        extra="model_transaction_policy { decoupled: true }",
        controls_=controls().rsplit(', { name: "CORRID"', 1)[0] + " ]",
    ),
    **{f"flags_{flags}": config("accumulates", "direct { }", controls_=controls(flags)) for flags in FLAGS},
    **{f"id_{one}": config("remembers", "direct { }" + ZERO, controls_=controls("int32", one)) for one in IDS},
}
PATTERNS: dict[str, tuple[str, list[list[Step]]]] = {
    "interleaved": ("direct", [
        [Step(1, 10, start=True)], [Step(2, 20, start=True)], [Step(1, 1)], [Step(2, 2)],
        [Step(2, 2, end=True)], [Step(1, 1, end=True)], [Step(2, 7, start=True, end=True)],
    ]),
    "without a batch dimension": ("unbatched", [
        [Step(1, 1, start=True), Step(1, 2), Step(1, 3, end=True)], [Step(2, 5, start=True, end=True)],
    ]),
    "holes below a sequence in a higher slot": ("direct", [
        [Step(1, 1, start=True)], [Step(2, 2, start=True)], [Step(3, 3, start=True)], [Step(3, 30)],
        [Step(1, 10, end=True)], [Step(3, 300)], [Step(4, 4, start=True)], [Step(2, 20, end=True)],
        [Step(3, 0, end=True)],
    ]),
    "what waits runs together": ("direct", [
        [Step(1, 1, start=True, hold_ms=400), Step(2, 2, start=True), Step(3, 3, start=True), Step(1, 10)],
    ]),
    "backlog": ("narrow", [
        [Step(1, 1, start=True, hold_ms=300), Step(2, 2, start=True), Step(3, 3, start=True), Step(3, 30),
         Step(4, 4, start=True, end=True), Step(1, 10, end=True), Step(2, 20, end=True), Step(3, 300, end=True)],
    ]),
    "an id queues again after its end in the backlog": ("narrow", [
        [Step(1, 1, start=True, hold_ms=300), Step(2, 2, start=True), Step(3, 3, start=True, end=True),
         Step(3, 30, start=True), Step(3, 1, end=True), Step(1, 0, end=True), Step(2, 0, end=True)],
    ]),
    "a start of an open sequence": ("direct", [
        [Step(1, 5, start=True)], [Step(1, 1)], [Step(1, 50, start=True)], [Step(1, 1)], [Step(1, 0, end=True)],
    ]),
    "a start of an open sequence resets its state": ("oldest", [
        [Step(1, 5, start=True), Step(1, 1), Step(1, 50, start=True), Step(1, 1, end=True)],
    ]),
    "an id starts again while its end runs": ("direct", [
        [Step(1, 5, start=True)], [Step(1, 1, end=True, hold_ms=300), Step(1, 9, start=True)], [Step(1, 1, end=True)],
    ]),
    "a share of the slots": ("patient", [
        [Step(1, 1, start=True), Step(2, 2, start=True)], [Step(1, 1)], [Step(1, 1, end=True), Step(2, 1, end=True)],
    ]),
    "states in direct": ("direct_state", [
        [Step(1, 1, start=True)], [Step(2, 2, start=True)], [Step(2, 20)], [Step(1, 10)], [Step(2, 0, end=True)],
        [Step(3, 3, start=True)], [Step(1, 0, end=True)], [Step(3, 0, end=True)],
    ]),
    "oldest": ("oldest", [
        [Step(1, 1, start=True, hold_ms=300), Step(2, 2, start=True), Step(3, 3, start=True), Step(2, 20),
         Step(1, 10), Step(1, 100, end=True), Step(2, 200, end=True), Step(3, 300, end=True)],
    ]),
    "candidates": ("two_candidates", [
        [Step(1, 1, start=True, hold_ms=300), Step(2, 2, start=True), Step(3, 3, start=True),
         Step(4, 4, start=True, end=True), Step(2, 20, end=True), Step(3, 30, end=True), Step(1, 10, end=True)],
    ]),
    "preferred sizes and a delay": ("preferred", [
        [Step(1, 1, start=True), Step(2, 2, start=True), Step(3, 3, start=True)],
        [Step(1, 0, end=True), Step(2, 0, end=True), Step(3, 0, end=True)],
    ]),
    "an initial state from a file": ("from_file", [
        [Step(1, 1, start=True)], [Step(2, 2, start=True)], [Step(1, 1, end=True)], [Step(2, 1, end=True)],
    ]),
    "one buffer for input and output": ("same_buffer", [
        [Step(1, 1, start=True)], [Step(2, 2, start=True)], [Step(1, 1, end=True)], [Step(2, 2, end=True)],
    ]),
    "iterative": ("iterates", [
        [Step(0, 3)], [Step(0, 1, hold_ms=300), Step(0, 4), Step(0, 2)], [Step(5, 2, start=True)],
        [Step(5, 2, start=True)],
    ]),
    **{f"flags {flags}": (f"flags_{flags}", [
        [Step(3, 1, start=True)], [Step(4, 1, start=True)], [Step(4, 1)], [Step(3, 1, end=True)],
        [Step(4, 1, end=True)],
    ]) for flags in FLAGS if flags != "odd"},
    **{f"id {one}": (f"id_{one}", [
        [Step(first, 1, start=True)], [Step(second, 2, start=True)], [Step(first, 1, end=True)],
        [Step(second, 2, end=True)],
    ]) for one, (first, second) in IDS.items()},
}  # fmt: skip

LOOSE = {"oldest", "candidates", "iterative", "preferred sizes and a delay"}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository of all models, and a folder of their backends."""
    repository, backends = tmp_path_factory.mktemp("repository"), tmp_path_factory.mktemp("backends")
    for name, text in MODELS.items():
        add_model(repository, name, text)
    (repository / "from_file/initial_state").mkdir()
    (repository / "from_file/initial_state/hundred").write_bytes(np.array([100], np.int32).tobytes())
    build_backends(backends)
    return repository, backends


@pytest.fixture(scope="module")
def ours(folders: tuple[Path, Path]) -> Iterator[OurSequences]:
    with wb.Server(folders[0], backends=[folders[1]], name="sequences") as server:
        for name in MODELS:
            server.load(name)
        yield OurSequences(server)


@pytest.fixture(scope="module")
def theirs(real_triton: StartRealTriton, folders: tuple[Path, Path]) -> RealSequences:
    return RealSequences(real_triton(*folders))


def run(server: OurSequences | RealSequences, pattern: str) -> list[list[list[Seen]]]:
    model, groups = PATTERNS[pattern]
    runs = [server.run(model, group, is_batched=model != "unbatched") for group in groups]
    return [[[loosely(seen) for seen in answers] for answers in one] for one in runs] if pattern in LOOSE else runs


def loosely(seen: Seen) -> Seen:
    """Without what depends on who is faster: in which batch a request goes that becomes ready as a batch ends."""
    return replace(seen, place=0, ready_count=0)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_both_servers_show_the_backend_the_same(pattern: str, ours: OurSequences, theirs: RealSequences) -> None:
    assert run(ours, pattern) == run(theirs, pattern)


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (Step(1, 0), "INVALID_ARG"),
        (Step(1, 0, end=True), "INVALID_ARG"),
        (Step(0, 0, start=True), "INVALID_ARG"),
        (Step("", 0, start=True), "INVALID_ARG"),
        (Step(1, 0, start=True, rows=2), "INVALID_ARG"),
    ],
)
def test_both_refuse_alike(step: Step, code: str, ours: OurSequences, theirs: RealSequences) -> None:
    assert ours.refusal("direct", step) == theirs.refusal("direct", step) == code


def test_both_end_a_sequence_that_is_idle(ours: OurSequences, theirs: RealSequences) -> None:
    for server in (ours, theirs):
        server.run("brief", [Step(1, 1, start=True)])
        time.sleep(0.8)  # what is tested is real time
        assert server.refusal("brief", Step(1, 1)) == "INVALID_ARG"


def test_neither_counts_null_requests(ours: OurSequences, theirs: RealSequences) -> None:
    steps = (Step(1, 1, start=True), Step(2, 1, start=True), Step(2, 1), Step(2, 1, end=True), Step(1, 1, end=True))
    before = [server.counts("direct_state") for server in (ours, theirs)]
    for server in (ours, theirs):
        for step in steps:
            server.run("direct_state", [step])
    after = [server.counts("direct_state") for server in (ours, theirs)]
    grown: list[Any] = [tuple(np.subtract(b, a)) for a, b in zip(before, after, strict=True)]
    assert grown[0] == grown[1] == (5, 5)
