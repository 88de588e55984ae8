# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What makes a batch: shapes, optional inputs, ragged inputs, a strategy of the model's own."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import LoadError
from workbench.events import BatchReason

DATA = Path(__file__).parents[1] / "data"
BATCHING = """
max_batch_size: 16
instance_group [ { count: 1 kind: KIND_CPU } ]
dynamic_batching { preferred_batch_size: [ %d ] max_queue_delay_microseconds: 5000000 }
"""
RAGGED = """
backend: "ragged"
input [ { name: "IN" data_type: TYPE_FP32 dims: [ -1 ] allow_ragged_batch: true } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
batch_output [ { kind: BATCH_SCATTER_WITH_INPUT_SHAPE target_name: "OUT" source_input: "IN" } ]
"""
KINDS = {
    "BATCH_ELEMENT_COUNT": "[3] 4.0 1.0 2.0",
    "BATCH_ACCUMULATED_ELEMENT_COUNT": "[3] 4.0 5.0 7.0",
    "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO": "[4] 0.0 4.0 5.0 7.0",
    "BATCH_ITEM_SHAPE": "[4, 1] 2.0 2.0 1.0 2.0",
    "BATCH_ITEM_SHAPE_FLATTEN": "[4] 2.0 2.0 1.0 2.0",
    "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE": "[4] 0.0 0.0 0.0 0.0",
}
"""What is computed of three requests whose inputs are [2, 2], [1, 1] and [1, 2], as FP32."""


def derived(data_type: str) -> str:
    rules = (f'{{ kind: {kind} target_name: "{kind}" data_type: {data_type} source_input: "IN" }}' for kind in KINDS)
    return f"batch_input [ {', '.join(rules)} ]"


def answers(model: wb.server.Model, requests: Sequence[dict[str, Any]]) -> list[wb.server.Reply]:
    """Replies to requests that are sent one after the other without waiting."""

    async def send() -> list[wb.server.Reply]:
        return await asyncio.gather(*(model.infer_async(request) for request in requests))

    return asyncio.run(send())


@pytest.fixture(scope="module")
def ragged() -> str:
    return wb.build_backend("ragged", (DATA / "ragged.cc").read_text()).name


@pytest.mark.parametrize("data_type", ["TYPE_INT32", "TYPE_FP32"])
def test_ragged_batch_computes_what_the_configuration_asks_for(server: wb.Server, ragged: str, data_type: str) -> None:
    model = server.load("m", config=RAGGED + BATCHING % 4 + derived(data_type))
    inputs = [np.array(rows, np.float32) for rows in ([[1, 2], [3, 4]], [[5]], [[6, 7]])]
    replies = answers(model, [{"IN": one} for one in inputs])
    wanted = KINDS if data_type == "TYPE_FP32" else {kind: text.replace(".0", "") for kind, text in KINDS.items()}
    for one, reply in zip(inputs, replies, strict=True):
        np.testing.assert_array_equal(reply["OUT"], -one)
        assert {kind: reply.parameters[kind] for kind in KINDS} == wanted
    assert model.statistics().batches == {4: 1}


def identity(dims: str, extra: str = "", *, ragged: bool = False) -> str:
    flag = "allow_ragged_batch: true" if ragged else ""
    return f"""
    backend: "identity"
    input [ {{ name: "A" data_type: TYPE_INT64 dims: [ {dims} ] {flag} }} ]
    output [ {{ name: "X" data_type: TYPE_INT64 dims: [ {dims} ] }} ]
    """ + (extra or BATCHING % 4)


def test_requests_of_different_shapes_do_not_share_a_batch(server: wb.Server) -> None:
    model = server.load("m", config=identity("-1"))
    replies = answers(model, [{"A": np.zeros((1, width), int)} for width in (2, 2, 3, 3, 3, 3)])
    assert [reply["X"].shape for reply in replies] == [(1, 2)] * 2 + [(1, 3)] * 4
    assert model.statistics().batches == {2: 1, 4: 1}


def test_requests_of_different_shapes_share_a_ragged_batch(server: wb.Server) -> None:
    model = server.load("m", config=identity("-1", ragged=True))
    replies = answers(model, [{"A": np.zeros((1, width), int)} for width in (1, 2, 3, 4)])
    assert [reply["X"].shape for reply in replies] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert model.statistics().batches == {4: 1}


def test_requests_with_different_optional_inputs_do_not_share_a_batch(server: wb.Server) -> None:
    tensors = """
    backend: "identity"
    input [ { name: "A" data_type: TYPE_INT64 dims: [ 1 ] },
            { name: "B" data_type: TYPE_INT64 dims: [ 1 ] optional: true } ]
    output [ { name: "X" data_type: TYPE_INT64 dims: [ 1 ] }, { name: "Y" data_type: TYPE_INT64 dims: [ 1 ] } ]
    """
    model = server.load("m", config=tensors + BATCHING % 4)
    one = np.ones((1, 1), int)
    replies = answers(model, [{"A": one}] * 3 + [{"A": one, "B": one}] * 4)
    assert [sorted(reply.outputs) for reply in replies] == [["X"]] * 3 + [["X", "Y"]] * 4
    assert model.statistics().batches == {3: 1, 4: 1}


@pytest.fixture
def strategy(tmp_path: Path, server: wb.Server) -> Path:
    """A model `m` whose batches are pairs; returns its strategy."""
    server.write_config("m", identity("1"))
    path = tmp_path / "m" / "batchstrategy.so"
    command = ["g++", "-shared", "-fPIC", f"-I{wb.get_include()}", str(DATA / "pairs_strategy.cc"), "-o", str(path)]
    subprocess.run(command, check=True)
    return path


def test_strategy_of_a_model_decides_its_batches(server: wb.Server, strategy: Path) -> None:
    model = server.load("m")
    model.reconfigure(max_queue_delay_microseconds=200_000)
    replies = answers(model, [{"A": np.array([[value]])} for value in range(4)])
    assert [reply["X"][0, 0] for reply in replies] == [0, 1, 2, 3]
    assert model.statistics().batches == {2: 2}
    assert BatchReason.CUSTOM in server.events().batches["detail"]


def test_removed_strategy_leaves_the_servers_own_rules(server: wb.Server, strategy: Path) -> None:
    server.load("m")
    strategy.unlink()
    model = server.load("m")
    answers(model, [{"A": np.array([[value]])} for value in range(4)])
    assert model.statistics().batches == {4: 1}


def test_object_that_is_no_strategy_is_refused_by_name(server: wb.Server, strategy: Path) -> None:
    strategy.write_bytes(b"")
    with pytest.raises(LoadError, match=r"batchstrategy\.so"):
        server.load("m")
