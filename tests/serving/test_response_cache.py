# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The response cache: what was asked before is answered without an execution, and never wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.flow import chain, ensemble_text, model_text, write_repository

CACHED = "response_cache { enable: true }"
ROW = np.array([[1, 2, 3, 4]], np.float32)
IDENTITY = """
backend: "identity" max_batch_size: 0 response_cache { enable: true }
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1, -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1, -1 ] } ]
"""


@pytest.fixture
def server(tmp_path: Path, flow: Path) -> Iterator[wb.Server]:
    models = {
        "one": model_text(addend=1, extra=CACHED),
        "two": model_text(outputs=("OUT", "OUT2"), extra=CACHED),
        "plain": model_text(addend=1),
        "broken": model_text("fail", extra=CACHED),
        "batched": model_text(addend=1, extra=f"dynamic_batching {{ }} {CACHED}"),
        "composed": ensemble_text(*chain("plain"), extra=CACHED),
    }
    write_repository(tmp_path, models)
    with wb.Server(tmp_path, name="cache", backends=[flow], response_cache_byte_size=1 << 20) as server:
        yield server


@pytest.mark.parametrize("name", ["one", "batched"])
def test_ten_equal_requests_are_computed_once(server: wb.Server, name: str) -> None:
    model = server.load(name)
    for _ in range(10):
        np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW + 1)
    counts = model.statistics()
    assert (counts.success.count, counts.inference_count, counts.execution_count) == (10, 1, 1)
    assert (counts.cache_hit.count, counts.cache_miss.count) == (9, 1)
    assert (counts.queue.count, counts.compute_infer.count) == (10, 1)
    assert counts.cache_hit.ns > 0


def test_the_same_bytes_in_another_shape_are_answered_in_that_shape(server: wb.Server) -> None:
    model = server.load("m", config=IDENTITY)
    assert model.infer({"INPUT0": ROW})["OUTPUT0"].shape == (1, 4)
    assert model.infer({"INPUT0": ROW.reshape(2, 2)})["OUTPUT0"].shape == (2, 2)
    assert model.statistics().cache_miss.count == 2


def test_the_outputs_are_those_that_are_asked_for(server: wb.Server) -> None:
    model = server.load("two")
    assert list(model.infer({"IN": ROW}, outputs=["OUT"])) == ["OUT"]
    assert sorted(model.infer({"IN": ROW})) == ["OUT", "OUT2"]
    assert list(model.infer({"IN": ROW}, outputs=["OUT2"])) == ["OUT2"]


def test_an_error_is_asked_for_again(server: wb.Server) -> None:
    model = server.load("broken")
    for _ in range(3):
        with pytest.raises(wb.UnavailableError, match="not today"):
            model.infer({"IN": ROW})
    assert model.statistics().cache_hit.count == 0


def test_a_reload_forgets(server: wb.Server) -> None:
    server.load("one").infer({"IN": ROW})
    model = server.load("one", config=model_text(addend=1000, extra=CACHED))
    np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW + 1000)


def test_an_ensemble_forgets_when_a_model_of_its_steps_changes(server: wb.Server) -> None:
    model = server.load("composed")
    for _ in range(2):
        np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW + 1)
    assert model.statistics().cache_hit.count == 1
    server.load("plain", config=model_text(addend=1000))
    np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW + 1000)


def test_a_model_that_does_not_ask_for_it_is_not_cached(server: wb.Server) -> None:
    model = server.load("plain")
    for _ in range(3):
        model.infer({"IN": ROW})
    assert model.statistics().execution_count == 3
    assert model.statistics().cache_miss.count == 0


def test_a_server_without_a_cache_computes(tmp_path: Path, flow: Path) -> None:
    write_repository(tmp_path, {"one": model_text(addend=1, extra=CACHED)})
    with wb.Server(tmp_path, name="no cache", backends=[flow]) as server:
        model = server.load("one")
        for _ in range(3):
            model.infer({"IN": ROW})
        assert model.statistics().execution_count == 3
        with pytest.raises(wb.InvalidArgumentError, match="response_cache_byte_size"):
            server.cache_statistics()


def test_the_cache_keeps_within_its_bytes(server: wb.Server) -> None:
    model = server.load("m", config=IDENTITY)
    for value in range(20):
        model.infer({"INPUT0": np.full((1, 50_000), value, np.float32)})
    counts = server.cache_statistics()
    assert counts.byte_size <= counts.limit_byte_size == 1 << 20
    assert (counts.insertions, counts.entries, counts.evictions) == (20, 5, 15)
    assert counts.hit_rate == 0


def test_a_hit_is_told_as_such(server: wb.Server) -> None:
    model = server.load("one")
    for request_id in ("first", "second"):
        model.infer({"IN": ROW}, request_id=request_id)
    assert model.explain("first").reason == "direct"
    assert model.explain("second").reason == "cached"
    assert "out of the response cache" in model.explain("second").words
    assert "nv_cache_num_hits_per_model" in server.metrics()


def test_hits_leave_in_the_order_in_which_they_came(server: wb.Server) -> None:
    text = model_text(addend=1, sleep_us=100_000, extra=f"dynamic_batching {{ preserve_ordering: true }} {CACHED}")
    model = server.load("ordered", config=text)
    model.infer({"IN": ROW})
    slow = model.stream({"IN": ROW + 1})
    model.infer({"IN": ROW})  # a hit: it is answered once the one before it is
    assert server.engine.in_flight() == 0
    assert len(list(slow)) == 1
