# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Situations with known right outcomes: how batches form, what is refused, what statistics say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb

pytest.importorskip("workbench._native", reason="no core: make build")

LoadModel = Callable[..., Any]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name="cases") as server:
        yield server


@pytest.fixture
def load(server: wb.Server) -> LoadModel:
    """Loads a model FP32[1] whose execution takes so many milliseconds."""

    def load(*, execution_ms: float, max_batch_size: int, batching: str) -> Any:
        return server.load(
            "m",
            config=f"""
            backend: "synthetic" max_batch_size: {max_batch_size} dynamic_batching {{ {batching} }}
            input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
            output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
            instance_group [ {{ count: 1 kind: KIND_CPU }} ]
            parameters [ {{ key: "tau0_us" value: {{ string_value: "{execution_ms * 1000:.0f}" }} }} ]
            """,
        ) or server.model("m")

    return load


def send(model: Any, count: int, *, apart_s: float = 0) -> None:
    """Sends so many requests of one row, so far apart, and waits for all answers."""
    one = np.zeros((1, 1), np.float32)
    with ThreadPoolExecutor(count) as pool:
        pending = []
        for index in range(count):
            if index and apart_s:
                time.sleep(apart_s)  # the case is about arrivals in real time
            pending.append(pool.submit(model.infer, {"INPUT0": one}))
        for reply in pending:
            reply.result()


def batches(server: wb.Server) -> list[tuple[int, float, float]]:
    """Rows of each batch, and when it started and how long its oldest request waited, in seconds."""
    rows = server.events(since=0).batches
    first = rows["arrival_ns"].min()
    order = np.argsort(rows["start_ns"])
    return [
        (
            int(row["rows"]),
            (int(row["start_ns"]) - int(first)) / 1e9,
            (int(row["start_ns"]) - int(row["arrival_ns"])) / 1e9,
        )
        for row in rows[order]
    ]


def test_a_waiting_batch_keeps_growing_until_it_starts(load: LoadModel) -> None:
    model = load(execution_ms=1, max_batch_size=12, batching="max_queue_delay_microseconds: 500000")
    send(model, 12)
    assert model.statistics().execution_count <= 2


def test_three_of_preferred_four_start_once_the_delay_ends(server: wb.Server, load: LoadModel) -> None:
    model = load(
        execution_ms=50, max_batch_size=8, batching="preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 300000"
    )
    send(model, 3)
    ((rows, start_s, _),) = batches(server)
    assert rows == 3
    assert 0.3 <= start_s < 0.4


def test_four_of_preferred_four_start_at_once(server: wb.Server, load: LoadModel) -> None:
    model = load(
        execution_ms=50, max_batch_size=8, batching="preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 300000"
    )
    send(model, 4)
    ((rows, start_s, _),) = batches(server)
    assert rows == 4
    assert start_s < 0.15


def test_six_of_preferred_four_go_in_two_batches_the_last_within_the_delay(server: wb.Server, load: LoadModel) -> None:
    model = load(
        execution_ms=50, max_batch_size=8, batching="preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 300000"
    )
    send(model, 6)
    formed = batches(server)
    assert [rows for rows, _, _ in formed] in ([4, 2], [5, 1])
    assert formed[-1][2] < 0.4


def test_without_delay_what_came_meanwhile_follows_in_one_batch(server: wb.Server, load: LoadModel) -> None:
    model = load(execution_ms=300, max_batch_size=8, batching="max_queue_delay_microseconds: 0")
    send(model, 6, apart_s=0.03)
    assert [rows for rows, _, _ in batches(server)] == [1, 5]


def outcome(model: Any, **options: Any) -> str:
    """The status of one request, "OK" or a code."""
    try:
        model.infer({"INPUT0": np.zeros((1, 1), np.float32)}, **options)
    except wb.WorkbenchError as error:
        return error.code
    return "OK"


def test_a_request_is_rejected_when_its_time_is_up_not_when_the_one_before_ends(load: LoadModel) -> None:
    policy = "default_queue_policy { timeout_action: REJECT default_timeout_microseconds: 1000000 }"
    model = load(execution_ms=3000, max_batch_size=1, batching=policy)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(outcome, model)
        time.sleep(0.1)  # the first one runs
        began = time.monotonic()
        assert outcome(model) == "UNAVAILABLE"
        assert 0.9 < time.monotonic() - began < 1.5
        assert first.result() == "OK"


def test_a_full_queue_refuses_at_once_and_counts_no_failure(load: LoadModel) -> None:
    model = load(execution_ms=500, max_batch_size=1, batching="default_queue_policy { max_queue_size: 2 }")
    with ThreadPoolExecutor(5) as pool:
        sent = [pool.submit(outcome, model)]
        time.sleep(0.2)  # the first one runs, and leaves the queue empty
        sent += [pool.submit(outcome, model) for _ in range(4)]
        outcomes = sorted(each.result() for each in sent)
    assert outcomes == ["OK", "OK", "OK", "UNAVAILABLE", "UNAVAILABLE"]
    assert model.statistics().success.count == 3
    assert model.statistics().fail.count == 0


@pytest.mark.parametrize(
    ("default_us", "asked_s", "rejected_after_s"), [(1_000_000, 5.0, 1.0), (1_000_000, 0.1, 0.1), (0, 0.1, None)]
)
def test_a_request_shortens_the_default_timeout_only(
    load: LoadModel, default_us: int, asked_s: float, rejected_after_s: float | None
) -> None:
    policy = f"default_queue_policy {{ allow_timeout_override: true default_timeout_microseconds: {default_us} }}"
    model = load(execution_ms=1500, max_batch_size=1, batching=policy)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(outcome, model)
        time.sleep(0.1)  # the first one runs
        began = time.monotonic()
        came = outcome(model, timeout_s=asked_s)
        waited_s = time.monotonic() - began
        first.result()
    if rejected_after_s is None:
        assert came == "OK"
    else:
        assert came == "UNAVAILABLE"
        assert rejected_after_s - 0.05 <= waited_s < rejected_after_s + 0.4


def test_a_higher_priority_overtakes(server: wb.Server, load: LoadModel) -> None:
    model = load(
        execution_ms=100,
        max_batch_size=1,
        batching="priority_levels: 2 default_priority_level: 2 preserve_ordering: false",
    )
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(outcome, model)]
        time.sleep(0.03)  # the first one runs; the others wait together
        sent += [pool.submit(outcome, model, priority=priority) for priority in (2, 2, 1)]
        for each in sent:
            each.result()
    requests = server.events(since=0).requests
    order = requests[np.argsort(requests["start_ns"])]["priority"]
    assert order[1] == 1


SILENT = """
#include "triton/core/tritonbackend.h"
extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request** requests, const uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    TRITONBACKEND_Response* response;
    if (auto* error = TRITONBACKEND_ResponseNew(&response, requests[i])) return error;
    if (auto* error = TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, nullptr)) return error;
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
  }
  return nullptr;
}
"""
FAILING = """
#include "triton/core/tritonbackend.h"
extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request**, const uint32_t) {
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "the device is gone");
}
"""


def config_of(backend: str, batching: str = "") -> str:
    return f"""
    backend: "{backend}" max_batch_size: 8 {batching}
    input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
    output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
    instance_group [ {{ count: 1 kind: KIND_CPU }} ]
    """


def test_a_backend_without_statistics_shows_sane_queue_times(server: wb.Server) -> None:
    wb.build_backend("silent", SILENT)
    server.load("m", config=config_of("silent"))
    send(server.model("m"), 10)
    assert server.model("m").statistics().queue.ns < 10 * 10**9
    requests = server.events(since=0).requests
    assert len(requests) >= 10
    waits = requests["start_ns"].astype(np.int64) - requests["arrival_ns"].astype(np.int64)
    assert ((waits >= 0) & (waits < 10 * 10**9)).all()


def test_an_error_of_execute_reaches_every_request_of_the_batch_once(server: wb.Server) -> None:
    wb.build_backend("failing", FAILING)
    batching = "dynamic_batching { preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 1000000 }"
    server.load("m", config=config_of("failing", batching))
    model = server.model("m")
    one = np.zeros((1, 1), np.float32)
    with ThreadPoolExecutor(3) as pool:
        pending = [pool.submit(model.infer, {"INPUT0": one}) for _ in range(3)]
    errors = [reply.exception() for reply in pending]
    assert all(isinstance(error, wb.InternalError) and "the device is gone" in str(error) for error in errors)
    assert model.statistics().fail.count == 3


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"\x02\x00\x00\x00ab", b"ab"),
        (b"\x03\x00\x00\x00a\x00b", b"a\x00b"),
        (b"\x05\x00\x00\x00gr\xc3\xbcn", "grün".encode()),
    ],
)
def test_strings_come_back_byte_by_byte(server: wb.Server, content: bytes, word: bytes) -> None:
    server.load("m", config=config_of("identity").replace("FP32", "STRING"))
    reply = server.model("m").infer({"INPUT0": np.array([[word]], dtype=object)})
    assert reply["OUTPUT0"].reshape(-1)[0] == word
    assert len(content) == 4 + len(word)
