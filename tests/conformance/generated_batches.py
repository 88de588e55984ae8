# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated batches: ragged inputs with what is computed of them; queues that refuse what is too much or too late."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.conformance.both_servers import Answer
from tests.conformance.differential import Case, Group
from tests.conformance.generated import Sent, mostly

KINDS = (
    "BATCH_ELEMENT_COUNT", "BATCH_ACCUMULATED_ELEMENT_COUNT", "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO",
    "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE", "BATCH_ITEM_SHAPE", "BATCH_ITEM_SHAPE_FLATTEN",
)  # fmt: skip
LONG_US = 30_000_000
RAGGED = """
backend: "ragged" max_batch_size: 16 instance_group {{ count: 1 kind: KIND_CPU }}
input {{ name: "IN" data_type: TYPE_FP32 dims: [ {dims} ] {flag} }}
output {{ name: "OUT" data_type: TYPE_FP32 dims: [ {dims} ] }}
batch_output {{ kind: BATCH_SCATTER_WITH_INPUT_SHAPE target_name: "OUT" source_input: "{source}" }}
dynamic_batching {{ preferred_batch_size: [ {preferred} ] max_queue_delay_microseconds: {delay} }}
"""


@st.composite
def ragged_cases(draw: st.DrawFn) -> Case:
    """Batches that are full exactly when their last request has come."""
    rank = draw(st.integers(1, 2))
    flag = draw(mostly(st.just("allow_ragged_batch: true"), st.just(""), 8))
    groups = draw(st.lists(ragged_group(rank), min_size=1, max_size=2))
    rows = max(map(rows_of, groups))
    source = draw(mostly(st.just("IN"), st.just("NOPE"), 30))
    # Who is not ragged, or fills no batch, goes when the delay is over.
    is_exact = bool(flag) and all(rows_of(group) == rows for group in groups)
    delay = LONG_US if is_exact else 30_000
    text = RAGGED.format(dims=", ".join(["-1"] * rank), flag=flag, preferred=rows, delay=delay, source=source)
    for kind in draw(st.lists(st.sampled_from(KINDS), unique=True)):
        data_type = draw(mostly(st.sampled_from(["INT32", "FP32"]), st.just("INT64"), 40))
        named = draw(mostly(st.just("IN"), st.just("NOPE"), 30))
        told = f'kind: {kind} target_name: "{kind}" data_type: TYPE_{data_type} source_input: "{named}"'
        text += f"batch_input {{ {told} }}\n"
    uncounted = frozenset(() if is_exact else {"batches", "execution_count"})
    return Case(text, tuple(groups), uncounted=uncounted, loosens=as_it_is if is_exact else without_batch)


def as_it_is(answer: Answer) -> Answer:
    return answer


def without_batch(answer: Answer) -> Answer:
    """Without what is computed of a whole batch, where time says which that is."""
    return replace(answer, parameters={})


def rows_of(group: Group) -> int:
    return sum(len(sent.inputs["IN"]) for sent in group.requests)


@st.composite
def ragged_group(draw: st.DrawFn, rank: int) -> Group:
    shapes = st.tuples(st.integers(1, 2), *[st.integers(1, 4)] * rank)
    found = draw(st.lists(shapes, min_size=2, max_size=4))
    return Group(tuple(Sent({"IN": _numbers(shape)}) for shape in found))


def _numbers(shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)


@st.composite
def policy_texts(draw: st.DrawFn) -> str:
    """A queue of few places, or whose requests wait for less than the batcher does."""
    size = draw(st.sampled_from(["", "max_queue_size: 1", "max_queue_size: 2", "max_queue_size: 3"]))
    action = draw(st.sampled_from(["", "timeout_action: REJECT", "timeout_action: DELAY"]))
    timeout = draw(st.sampled_from(["", "default_timeout_microseconds: 30000"]))
    override = draw(st.sampled_from(["", "allow_timeout_override: true"]))
    return " ".join(filter(None, [size, action, timeout, override]))


@st.composite
def queue_cases(draw: st.DrawFn) -> Case:
    """Requests that come at once and wait for a batch that never gets full."""
    levels = draw(st.integers(0, 3))
    fields = [f"max_queue_delay_microseconds: {draw(st.sampled_from([150_000, 200_000]))} preferred_batch_size: [ 16 ]"]
    fields.append(f"default_queue_policy {{ {draw(policy_texts())} }}")
    if levels:
        fields.append(f"priority_levels: {levels} default_priority_level: {draw(st.integers(1, levels))}")
    special = draw(st.lists(st.integers(1, levels + 1), unique=True, max_size=levels)) if levels else []
    fields += [f"priority_queue_policy {{ key: {level} value {{ {draw(policy_texts())} }} }}" for level in special]
    text = f"""backend: "identity" max_batch_size: 16 instance_group {{ count: 1 kind: KIND_CPU }}
    input {{ name: "IN" data_type: TYPE_FP32 dims: [ 1 ] }}
    output {{ name: "OUT" data_type: TYPE_FP32 dims: [ 1 ] }}
    dynamic_batching {{ {" ".join(fields)} }}
    """
    one = {"IN": np.zeros((1, 1), np.float32)}
    timeout = draw(st.sampled_from([0, 0, 20_000]))
    priorities = st.integers(0, levels + 1) if levels else st.just(0)
    one_of = priorities.map(lambda priority: Sent(one, priority=priority, timeout_us=timeout))
    sent = draw(st.lists(one_of, min_size=2, max_size=7))
    return Case(text, (Group(tuple(sent), is_ordered=False),))
