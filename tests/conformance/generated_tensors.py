# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated models with reshaped and optional tensors, several versions, or a response cache."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.conformance.differential import Case, Group
from tests.conformance.generated import Model, Sent, models, mostly

SHAPES: dict[int, list[tuple[int, ...]]] = {
    1: [(1,), (1, 1), ()],
    4: [(4,), (2, 2), (1, 4), (4, 1)],
    6: [(6,), (2, 3), (3, 2), (1, 6), (6, 1, 1)],
}
"""Shapes by how many elements they have."""
VARIABLE: list[tuple[int, ...]] = [(-1,), (-1, 1), (1, -1), (2, -1), (-1, -1)]


def differs_on_purpose(model: Model, sent: Sent) -> bool:
    """Requests that the real server should refuse, and does not: both are rows of docs/compatibility.md."""
    required = [tensor.input_name for tensor in model.tensors if not tensor.is_optional]
    is_short = len(sent.inputs) >= len(required) and not set(required) <= set(sent.inputs)
    has_no_rows = model.max_batch_size > 0 and any(array.shape[:1] == (0,) for array in sent.inputs.values())
    return is_short or has_no_rows


def case_of(model: Model) -> Case:
    """One request after the other, less those that are to differ."""
    groups = tuple(Group((sent,)) for sent in model.requests if not differs_on_purpose(model, sent))
    return Case(model.text(), groups)


plain_cases: st.SearchStrategy[Case] = models().map(case_of)


@st.composite
def shape_pairs(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a client sees and what the backend sees: mostly as many elements."""
    if draw(mostly(st.just(False), st.just(True), 3)):
        return draw(st.sampled_from(VARIABLE)), draw(st.sampled_from(VARIABLE))
    alike = SHAPES[draw(st.sampled_from(list(SHAPES)))]
    other = SHAPES[draw(st.sampled_from(list(SHAPES)))]
    return draw(st.sampled_from(alike)), draw(mostly(st.sampled_from(alike), st.sampled_from(other), 8))


def tensor_text(field: str, name: str, pair: tuple[tuple[int, ...], tuple[int, ...]], *, optional: bool = False) -> str:
    dims, shape = (f"[ {', '.join(map(str, each))} ]" for each in pair)
    more = " optional: true" if optional else ""
    return f'{field} {{ name: "{name}" data_type: TYPE_INT32 dims: {dims} reshape {{ shape: {shape} }}{more} }}\n'


@st.composite
def reshaped_cases(draw: st.DrawFn) -> Case:
    """One or two inputs, the second perhaps optional; each with its own shapes on both sides."""
    max_batch_size = draw(st.sampled_from([0, 4]))
    pairs = draw(st.lists(shape_pairs(), min_size=1, max_size=2))
    is_optional = draw(st.booleans())
    text = f'backend: "identity" max_batch_size: {max_batch_size} instance_group {{ kind: KIND_CPU }}\n'
    answers = [draw(mostly(st.just(pair), shape_pairs(), 8)) for pair in pairs]
    for number, (pair, answered) in enumerate(zip(pairs, answers, strict=True)):
        text += tensor_text("input", f"INPUT{number}", pair, optional=number > 0 and is_optional)
        text += tensor_text("output", f"OUTPUT{number}", answered)
    sizes = st.lists(st.integers(0 if max_batch_size == 0 else 1, 4), min_size=3, max_size=3)
    requests = [
        _request(pairs, draw(sizes), draw(st.integers(1, 2)) if is_optional else len(pairs), max_batch_size)
        for _ in range(draw(st.integers(1, 3)))
    ]
    # What is answered of another size than declared is sent on by the real server, under the declared shape.
    return Case(text, tuple(Group((sent,)) for sent in requests if answers == pairs))


def _request(pairs: list[tuple[tuple[int, ...], tuple[int, ...]]], sizes: list[int], count: int, batch: int) -> Sent:
    rows, *free = sizes
    inputs = {}
    for number, (dims, _) in enumerate(pairs[:count]):
        shape = [free[place % 2] if dim < 0 else dim for place, dim in enumerate(dims)]
        shape = [rows, *shape] if batch else shape
        inputs[f"INPUT{number}"] = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    return Sent(inputs)


VERSIONS = st.lists(st.integers(1, 5), min_size=1, max_size=4, unique=True)
policies = st.one_of(
    st.just("version_policy { all { } }"),
    st.integers(0, 4).map(lambda count: f"version_policy {{ latest {{ num_versions: {count} }} }}"),
    # One that is named twice is served by the real server whether it is there or not.
    st.lists(st.integers(1, 6), max_size=3, unique=True).map(
        lambda versions: f"version_policy {{ specific {{ versions: [ {', '.join(map(str, versions))} ] }} }}"
    ),
    st.just(""),
)
IDENTITY = """
backend: "identity" max_batch_size: 4 instance_group { kind: KIND_CPU }
input { name: "IN" data_type: TYPE_INT32 dims: [ -1, -1 ] }
input { name: "MORE" data_type: TYPE_INT32 dims: [ 1 ] optional: true }
output { name: "OUT" data_type: TYPE_INT32 dims: [ -1, -1 ] }
output { name: "OUT_MORE" data_type: TYPE_INT32 dims: [ 1 ] }
"""


@st.composite
def version_cases(draw: st.DrawFn) -> Case:
    """Several versions, and requests to this and that one."""
    versions = tuple(draw(VERSIONS))
    asked = draw(st.lists(st.sampled_from([-1, *range(1, 7)]), min_size=1, max_size=5))
    one = np.zeros((1, 1, 1), np.int32)
    groups = tuple(Group((Sent({"IN": one}, version=version),)) for version in asked)
    return Case(IDENTITY + draw(policies), groups, versions=versions)


@st.composite
def cached_cases(draw: st.DrawFn) -> Case:
    """Requests of which some are the same, or the same but for an optional input.

    All are of one shape: it is no part of the real server's key.
    """
    shape = draw(st.sampled_from([(1, 2, 2), (1, 1, 4)]))
    batching = draw(st.sampled_from(["", "dynamic_batching { }"]))
    groups = []
    for _ in range(draw(st.integers(2, 8))):
        value = draw(st.integers(0, 1))
        inputs = {"IN": np.full(shape, value, np.int32)}
        if draw(st.booleans()):
            inputs["MORE"] = np.full((1, 1), value, np.int32)
        groups.append(Group((Sent(inputs, request_id=draw(st.sampled_from(["", "a"]))),)))
    return Case(f"{IDENTITY} {batching} response_cache {{ enable: true }}", tuple(groups))
