# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One request through the real core: every data type, what is refused, what is told afterwards."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import CancelledError, InvalidArgumentError
from workbench.tensors import DATATYPES, dtype_of

X = np.arange(4, dtype=np.float32)[np.newaxis]


@pytest.mark.parametrize("datatype", [name for name in DATATYPES if name != "BYTES"])
def test_every_numeric_type_comes_back(identity: Callable[..., Any], datatype: str) -> None:
    array = np.array([[0, 1, 1, 0], [1, 0, 0, 1]]).astype(dtype_of(datatype))
    output = identity(datatype).infer({"INPUT0": array})["OUTPUT0"]
    assert output.dtype == array.dtype
    np.testing.assert_array_equal(output, array)


def test_texts_come_back_with_nul_and_utf8(identity: Callable[..., Any]) -> None:
    model = identity("STRING", "-1")
    array = np.array([["ab", "a\0b", "grüße", ""]], np.object_)
    assert [element.decode() for element in model.infer({"INPUT0": array})["OUTPUT0"][0]] == array[0].tolist()


def test_plain_values_become_what_the_model_declares(identity: Callable[..., Any]) -> None:
    np.testing.assert_array_equal(identity("INT16").infer({"INPUT0": [1, 2, 3, 4]})["OUTPUT0"], [[1, 2, 3, 4]])
    assert identity("STRING", "1", name="text").infer({"INPUT0": "hello"})["OUTPUT0"].tolist() == [[b"hello"]]


def test_tensor_without_elements_comes_back(identity: Callable[..., Any]) -> None:
    output = identity("FP32", "-1").infer({"INPUT0": np.zeros((1, 0), np.float32)})["OUTPUT0"]
    assert output.shape == (1, 0)


@pytest.mark.parametrize("array", [X.astype(">f4"), np.asfortranarray(np.vstack([X, X])), X[:, ::-1]])
def test_arrays_of_another_layout_come_back(identity: Callable[..., Any], array: Any) -> None:
    np.testing.assert_array_equal(identity().infer({"INPUT0": array})["OUTPUT0"], array)


def test_large_tensor_comes_back(identity: Callable[..., Any]) -> None:
    array = np.random.default_rng(1).random((8, 1_000_000), np.float32)
    np.testing.assert_array_equal(identity("FP32", "-1").infer({"INPUT0": array})["OUTPUT0"], array)


def test_output_outlives_its_model(identity: Callable[..., Any], server: wb.Server) -> None:
    output = identity().infer({"INPUT0": X})["OUTPUT0"]
    server.unload("echo")
    assert server.wait_settled()
    np.testing.assert_array_equal(output, X)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, ["INPUT0"]),
        ({"INPUT9": X}, ["INPUT9"]),
        ({"INPUT0": X, "INPUT9": X}, ["INPUT9"]),
        ({"INPUT0": X.astype(np.float64)}, ["INPUT0", "FP64", "FP32"]),
        ({"INPUT0": np.zeros((1, 5), np.float32)}, ["INPUT0", "[1,5]", "[-1,4]"]),
        ({"INPUT0": np.zeros(4, np.float32)}, ["INPUT0", "[4]"]),
        ({"INPUT0": np.zeros((9, 4), np.float32)}, ["9", "8"]),
    ],
    ids=["missing", "unknown", "one too many", "type", "shape", "no batch dimension", "batch too large"],
)
def test_wrong_input_is_refused_by_name(identity: Callable[..., Any], inputs: dict[str, Any], words: list[str]) -> None:
    model = identity()
    with pytest.raises(InvalidArgumentError) as refusal:
        model.infer(inputs)
    message = str(refusal.value).replace(", ", ",")
    assert all(word in message for word in words), message
    np.testing.assert_array_equal(model.infer({"INPUT0": X})["OUTPUT0"], X)


def test_bytes_that_do_not_fit_the_shape_are_refused_with_both_sizes(
    identity: Callable[..., Any], server: wb.Server
) -> None:
    identity("FP32", "5")
    with pytest.raises(Exception, match=r"(?s)20.*28|28.*20") as refusal:
        server.engine.submit("echo", -1, [("INPUT0", "FP32", (1, 5), bytes(28))])
    assert refusal.value.code == "INVALID_ARG"  # type: ignore[attr-defined]


def test_texts_that_are_cut_short_are_refused(identity: Callable[..., Any], server: wb.Server) -> None:
    identity("STRING", "1")
    with pytest.raises(Exception, match="INPUT0") as refusal:
        server.engine.submit("echo", -1, [("INPUT0", "BYTES", (1, 1), b"\x02\x00\x00\x00a")]).wait(1.0)
    assert refusal.value.code == "INVALID_ARG"  # type: ignore[attr-defined]


def test_unknown_output_is_refused(identity: Callable[..., Any]) -> None:
    with pytest.raises(wb.WorkbenchError, match="OUTPUT9"):
        identity().infer({"INPUT0": X}, outputs=["OUTPUT9"])


def test_unloaded_model_is_not_found(identity: Callable[..., Any], server: wb.Server) -> None:
    model = identity()
    server.unload("echo")
    with pytest.raises(wb.WorkbenchError, match="echo"):
        model.infer({"INPUT0": X})


def test_error_of_the_backend_carries_its_status(server: wb.Server, synthetic: Callable[..., Any]) -> None:
    model = synthetic(0, extra='parameters [ { key: "failure_rate" value: { string_value: "1" } } ]')
    with pytest.raises(wb.WorkbenchError):
        model.infer({"INPUT0": [1]})
    assert model.statistics().fail.count == 1


def test_awaited_requests_are_all_answered(identity: Callable[..., Any]) -> None:
    model = identity()

    async def run() -> list[float]:
        replies = await asyncio.gather(*(model.infer_async({"INPUT0": X + n}) for n in range(200)))
        return [float(reply["OUTPUT0"][0, 0]) for reply in replies]

    assert asyncio.run(run()) == list(range(200))


def test_stream_of_a_plain_model_has_one_reply(identity: Callable[..., Any]) -> None:
    (reply,) = identity().stream({"INPUT0": X})
    np.testing.assert_array_equal(reply["OUTPUT0"], X)


def test_stop_button_interrupts_within_200_ms_and_the_model_serves_on(synthetic: Callable[..., Any]) -> None:
    model = synthetic(2000)
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        time.sleep(0.2)
        pressed = time.monotonic()
        signal.raise_signal(signal.SIGINT)

    button = threading.Thread(target=press)
    button.start()
    with pytest.raises(KeyboardInterrupt):
        model.infer({"INPUT0": [1]})
    assert time.monotonic() - pressed < 0.2
    button.join()
    model.reconfigure(parameters={"tau0_us": {"string_value": "0"}})
    assert model.infer({"INPUT0": [1]})["OUTPUT0"].shape == (1, 1)


def test_cancelled_request_that_waits_never_runs(synthetic: Callable[..., Any]) -> None:
    model = synthetic(300)
    first = threading.Thread(target=lambda: model.infer({"INPUT0": [1]}))
    first.start()
    while not model.engine.in_flight():
        time.sleep(0.001)

    async def run() -> None:
        task = asyncio.create_task(model.infer_async({"INPUT0": [1]}))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises((asyncio.CancelledError, CancelledError)):
            await task

    asyncio.run(run())
    first.join()
    assert model.statistics().execution_count == 1


def test_statistics_count_executions_and_batches(identity: Callable[..., Any]) -> None:
    model = identity()
    for rows in (1, 1, 3):
        model.infer({"INPUT0": np.zeros((rows, 4), np.float32)})
    statistics = model.statistics()
    assert (statistics.success.count, statistics.inference_count, statistics.execution_count) == (3, 5, 3)
    assert dict(statistics.batches) == {1: 2, 3: 1}
    assert 0 < statistics.queue.ns < 1e9
    assert abs(statistics.last_inference_ms - time.time() * 1000) < 60_000


def test_request_is_explained_by_its_id(synthetic: Callable[..., Any]) -> None:
    model = synthetic(5, extra="dynamic_batching { max_queue_delay_microseconds: 20000 }")
    model.infer({"INPUT0": [1]}, request_id="mine")
    explanation = model.explain("mine")
    assert (explanation.model, explanation.status, explanation.reason) == ("slow", "OK", "delay_expired")
    assert explanation.queue_ns >= 19_000_000
    assert explanation.compute_infer_ns + explanation.compute_input_ns + explanation.compute_output_ns >= 4_000_000


def test_events_show_each_request(identity: Callable[..., Any], server: wb.Server) -> None:
    model = identity()
    since = server.events().next_since
    for _ in range(5):
        model.infer({"INPUT0": X})
    events = server.events(since)
    assert len(events.requests) == 5
    assert events.dropped == 0
    assert set(events.requests["model"]) == {model.number}


def test_a_second_reader_can_stop_where_the_first_did(identity: Callable[..., Any], server: wb.Server) -> None:
    model = identity()
    since = server.events().next_since
    model.infer({"INPUT0": X})
    first = server.events(since)
    model.infer({"INPUT0": X})
    assert len(server.events(since).requests) == 2
    second = server.events(since, until=first.next_since)
    assert (second.next_since, len(second.requests)) == (first.next_since, 1)
