# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`add_sub` in Python and its twin in C++: the same interface, the same answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

import workbench as wb
from model_repository import fetch
from tests.samples.conftest import REPOSITORY
from workbench.server.model import Model

TWINS = ("add_sub", "add_sub_cpp")
ROWS = np.random.default_rng(1).normal(size=(2, 24, 4)).astype(np.float32)


@pytest.fixture(scope="module")
def server() -> Iterator[wb.Server]:
    pytest.importorskip("workbench._native", reason="no core: make build")
    fetch.build(["add_sub_cpp"])
    with wb.Server(REPOSITORY, name="twins") as server:
        yield server


@pytest.fixture
def twins(server: wb.Server) -> list[Model]:
    return [server.load(name) for name in TWINS]


def test_both_take_and_give_the_same_tensors_in_the_same_batches(twins: list[Model]) -> None:
    python, cpp = (wb.parse_config(model.config) for model in twins)
    assert list(python.input) == list(cpp.input)
    assert list(python.output) == list(cpp.output)
    assert python.max_batch_size == cpp.max_batch_size == 64
    assert python.dynamic_batching == cpp.dynamic_batching
    assert python.HasField("dynamic_batching") and cpp.HasField("dynamic_batching")


@pytest.mark.parametrize("rows", [1, 24])
def test_both_give_sum_and_difference(twins: list[Model], rows: int) -> None:
    one, two = ROWS[:, :rows]
    for model in twins:
        reply = model.infer({"INPUT0": one, "INPUT1": two})
        np.testing.assert_array_equal(reply["OUTPUT0"], one + two)
        np.testing.assert_array_equal(reply["OUTPUT1"], one - two)


async def one_by_one(model: Model) -> list[wb.Reply]:
    requests = [{"INPUT0": ROWS[0, i : i + 1], "INPUT1": ROWS[1, i : i + 1]} for i in range(8)]
    return await asyncio.gather(*[model.infer_async(request) for request in requests])


def test_both_keep_requests_of_a_batch_apart(twins: list[Model]) -> None:
    for model in twins:
        before = model.statistics().batches.get(8, 0)
        model.reconfigure(max_queue_delay_microseconds=10_000_000, preferred_batch_size=[8])
        replies = asyncio.run(one_by_one(model))
        model.reconfigure(max_queue_delay_microseconds=0, preferred_batch_size=[])
        np.testing.assert_array_equal(np.concatenate([reply["OUTPUT0"] for reply in replies]), ROWS[:, :8].sum(axis=0))
        assert model.statistics().batches[8] == before + 1
