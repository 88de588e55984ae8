# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Generated models and requests, right ones and wrong ones, for two servers to answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

DTYPES: Mapping[str, str] = {
    "TYPE_FP32": "float32", "TYPE_FP64": "float64", "TYPE_FP16": "float16", "TYPE_INT64": "int64",
    "TYPE_INT32": "int32", "TYPE_INT8": "int8", "TYPE_UINT8": "uint8", "TYPE_UINT16": "uint16", "TYPE_BOOL": "bool",
    "TYPE_STRING": "object",
}  # fmt: skip
SENT_DTYPES = (*DTYPES.values(),)


@dataclass(frozen=True)
class Tensor:
    """An input and the output that repeats it."""

    number: int
    data_type: str
    dims: tuple[int, ...]
    is_optional: bool = False
    output_dims: tuple[int, ...] = ()

    @property
    def input_name(self) -> str:
        return f"INPUT{self.number}"

    @property
    def output_name(self) -> str:
        return f"OUTPUT{self.number}"

    def text(self) -> str:
        optional = " optional: true" if self.is_optional else ""
        return (
            f"input {{ {_tensor_text(self.input_name, self.data_type, self.dims)}{optional} }}\n"
            f"output {{ {_tensor_text(self.output_name, self.data_type, self.output_dims or self.dims)} }}\n"
        )


def _tensor_text(name: str, data_type: str, dims: tuple[int, ...]) -> str:
    return f'name: "{name}" data_type: {data_type} dims: [ {", ".join(map(str, dims))} ]'


@dataclass(frozen=True)
class Sent:
    """One request: arrays by name, and what else it says."""

    inputs: Mapping[str, np.ndarray[Any, Any]]
    outputs: tuple[str, ...] = ()
    request_id: str = ""
    priority: int = 0
    timeout_us: int = 0
    version: int = -1
    sequence_id: int | str = 0
    start: bool = False
    end: bool = False

    @property
    def is_of_sequence(self) -> bool:
        return bool(self.sequence_id) or self.start or self.end


@dataclass(frozen=True)
class Model:
    """A configuration and the requests that are sent to it, one after the other."""

    max_batch_size: int
    tensors: tuple[Tensor, ...]
    rest: str
    requests: tuple[Sent, ...] = field(default=(), compare=False)

    def text(self) -> str:
        head = f'backend: "identity"\nmax_batch_size: {self.max_batch_size}\n'
        return head + "".join(tensor.text() for tensor in self.tensors) + self.rest


def mostly(usual: st.SearchStrategy[Any], seldom: st.SearchStrategy[Any], one_in: int = 12) -> st.SearchStrategy[Any]:
    """What is right, and now and then what is not."""
    return st.integers(0, one_in - 1).flatmap(lambda n: seldom if n == one_in - 1 else usual)


dims = mostly(
    st.lists(st.sampled_from([-1, 1, 2, 3, 4]), min_size=1, max_size=3),
    st.lists(st.sampled_from([-2, 0, 1, 5]), max_size=2),
)


@st.composite
def tensor_lists(draw: st.DrawFn) -> tuple[Tensor, ...]:
    count = draw(mostly(st.integers(1, 3), st.just(0), 30))
    found = []
    for number in range(count):
        data_type = draw(st.sampled_from(list(DTYPES)))
        shape = tuple(draw(dims))
        optional = number > 0 and draw(st.booleans())
        other = tuple(draw(mostly(st.just(shape), dims, 15)))
        found.append(Tensor(number, data_type, shape, optional, other if other != shape else ()))
    return tuple(found)


@st.composite
def queue_policies(draw: st.DrawFn) -> str:
    fields = [
        draw(st.sampled_from(["", "timeout_action: REJECT", "timeout_action: DELAY"])),
        draw(st.sampled_from(["", "default_timeout_microseconds: 30000000"])),
        draw(st.sampled_from(["", "allow_timeout_override: true"])),
        draw(st.sampled_from(["", "max_queue_size: 10"])),
    ]
    return " ".join(filter(None, fields))


@st.composite
def dynamic_batching(draw: st.DrawFn, max_batch_size: int) -> str:
    good = st.integers(1, max(max_batch_size, 1))
    preferred = draw(st.lists(mostly(good, st.integers(-1, 20)), max_size=2))
    fields = [f"preferred_batch_size: [ {', '.join(map(str, preferred))} ]"] if preferred else []
    fields += draw(st.sampled_from([[], ["max_queue_delay_microseconds: 100"], ["preserve_ordering: true"]]))
    if draw(mostly(st.just(False), st.just(True), 3)):
        levels = draw(st.integers(1, 3))
        default = draw(mostly(st.integers(1, levels), st.integers(0, 5)))
        fields += [f"priority_levels: {levels} default_priority_level: {default}"]
    if draw(mostly(st.just(False), st.just(True), 3)):
        fields += [f"default_queue_policy {{ {draw(queue_policies())} }}"]
    return f"dynamic_batching {{ {' '.join(fields)} }}\n"


instance_groups = mostly(
    st.sampled_from(["", "instance_group { kind: KIND_CPU }\n", "instance_group { count: 2 kind: KIND_CPU }\n"]),
    st.sampled_from(
        [
            "instance_group { count: 0 kind: KIND_CPU }\n",
            "instance_group { kind: KIND_CPU gpus: [ 0 ] }\n",
            "instance_group { kind: KIND_MODEL }\n",
            'instance_group [ { name: "a" kind: KIND_CPU }, { name: "b" count: 2 kind: KIND_CPU } ]\n',
        ]
    ),
    6,
)
version_policies = mostly(
    st.sampled_from(["", "version_policy { latest { num_versions: 1 } }\n", "version_policy { all { } }\n"]),
    st.sampled_from(["version_policy { specific { versions: [ 3 ] } }\n", "version_policy { latest { } }\n"]),
)


@st.composite
def models(draw: st.DrawFn) -> Model:
    """A model, mostly a legal one, with one to five requests, mostly legal ones."""
    max_batch_size = draw(mostly(st.sampled_from([0, 0, 1, 2, 4, 8]), st.just(-1), 25))
    tensors = draw(tensor_lists())
    rest = draw(instance_groups) + draw(version_policies)
    if draw(st.booleans()):
        rest += draw(dynamic_batching(max_batch_size))
    requests = draw(st.lists(sent(max_batch_size, tensors), min_size=1, max_size=5))
    return Model(max_batch_size, tensors, rest, tuple(requests))


@st.composite
def sent(draw: st.DrawFn, max_batch_size: int, tensors: tuple[Tensor, ...]) -> Sent:
    rows = draw(mostly(st.integers(1, max(max_batch_size, 1)), st.sampled_from([0, 9, 20])))
    inputs = {}
    for tensor in tensors:
        if draw(mostly(st.just(tensor.is_optional and draw(st.booleans())), st.just(True), 20)):
            continue
        shape = [draw(st.integers(0, 4)) if dim < 0 else dim for dim in tensor.dims]
        shape = [rows, *shape] if max_batch_size > 0 else shape
        shape = draw(mostly(st.just(shape), st.lists(st.integers(0, 4), max_size=4), 20))
        dtype = draw(mostly(st.just(DTYPES[tensor.data_type]), st.sampled_from(SENT_DTYPES), 20))
        inputs[tensor.input_name] = _array(shape, dtype)
    if draw(mostly(st.just(False), st.just(True), 25)):
        inputs["UNKNOWN"] = _array([1], "float32")
    names = [tensor.output_name for tensor in tensors]
    some = st.lists(st.sampled_from(names or ["NOPE"]), max_size=2, unique=True)
    outputs = draw(mostly(some, st.just(["NOPE"]), 25))
    priority, timeout_us = draw(mostly(st.just((0, 0)), st.tuples(st.integers(0, 5), st.sampled_from([0, 10**7])), 4))
    return Sent(inputs, tuple(outputs), draw(st.sampled_from(["", "r1"])), priority, timeout_us)


def _array(shape: list[int], dtype: str) -> np.ndarray[Any, Any]:
    numbers = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    if dtype != "object":
        return np.asarray(numbers % 100, dtype)  # of rank 0, too, and no plain number
    texts = np.empty(numbers.shape, dtype=object)
    for place, number in np.ndenumerate(numbers):
        texts[place] = b"\x00\xff" * (number % 3) + str(number).encode()
    return texts
