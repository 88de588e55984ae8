# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import asyncio
import signal
import threading
import time

import numpy as np
import pytest

from workbench.errors import CancelledError, InternalError, InvalidArgumentError, UnavailableError, UnsupportedError
from workbench.server import Model, Sequence, Server
from workbench.testing import FakeEngine, FakeResponse

X = np.arange(4, dtype=np.float32)[np.newaxis]


@pytest.fixture
def model(server: Server) -> Model:
    return server.load("m")


def test_reply_maps_output_names_to_arrays(model: Model) -> None:
    reply = model.infer({"INPUT0": X}, request_id="r1")
    assert list(reply) == ["OUTPUT0"]
    np.testing.assert_array_equal(reply["OUTPUT0"], X)
    assert (reply.request_id, reply.serial > 0) == ("r1", True)


def test_output_that_is_not_there_is_told_with_those_that_are(model: Model) -> None:
    with pytest.raises(KeyError, match="it has OUTPUT0"):
        model.infer({"INPUT0": X})["OUTPUT1"]


def test_plain_values_become_what_the_model_declares(model: Model) -> None:
    output = model.infer({"INPUT0": [1, 2, 3, 4]})["OUTPUT0"]
    assert (output.dtype, output.shape) == (np.float32, (1, 4))
    assert model.infer({"INPUT0": [[1, 2, 3, 4]] * 3})["OUTPUT0"].shape == (3, 4)


def test_plain_value_of_another_type_is_refused(model: Model) -> None:
    with pytest.raises(InvalidArgumentError, match="input 'INPUT0' is FP32"):
        model.infer({"INPUT0": ["a", "b"]})


def test_plain_value_for_an_unknown_input_is_refused(model: Model) -> None:
    with pytest.raises(InvalidArgumentError, match="no input 'INPUT9'; it has INPUT0"):
        model.infer({"INPUT9": [1]})


def test_options_of_a_request_reach_the_core(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True
    with pytest.raises(TimeoutError):
        asyncio.run(
            asyncio.wait_for(
                model.infer_async(
                    {"INPUT0": X},
                    priority=2,
                    timeout_s=0.5,
                    sequence=Sequence(7, start=True, end=True),
                    parameters={"a": 1},
                    outputs=["OUTPUT0"],
                ),
                0.01,
            )
        )
    options = engine.sent[-1].options
    assert options["timeout_us"] == 500_000
    assert (options["priority"], options["correlation_id"], options["flags"]) == (2, 7, 3)
    assert (options["parameters"], engine.sent[-1].wanted) == ({"a": 1}, ("OUTPUT0",))


def test_error_of_the_backend_is_raised_by_its_status(model: Model, engine: FakeEngine) -> None:
    engine.response = FakeResponse([], error=("INTERNAL", "out of luck"))
    with pytest.raises(InternalError, match="out of luck"):
        model.infer({"INPUT0": X})


def test_unloaded_model_is_not_ready(model: Model, server: Server) -> None:
    server.unload("m")
    with pytest.raises(UnavailableError, match="load it"):
        model.infer({"INPUT0": X})


def test_stop_button_interrupts_a_wait_within_200_ms_and_cancels_the_request(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        while not engine.in_flight():
            time.sleep(0.001)
        pressed = time.monotonic()
        signal.raise_signal(signal.SIGINT)

    button = threading.Thread(target=press)
    button.start()
    with pytest.raises(KeyboardInterrupt):
        model.infer({"INPUT0": X})
    assert time.monotonic() - pressed < 0.2
    button.join()
    assert engine.sent[-1].is_cancelled


def test_awaited_requests_run_beside_each_other(model: Model, engine: FakeEngine) -> None:
    async def run() -> list[float]:
        replies = await asyncio.gather(*(model.infer_async({"INPUT0": X + n}) for n in range(50)))
        return [float(reply["OUTPUT0"][0, 0]) for reply in replies]

    assert asyncio.run(run()) == list(range(50))


def test_cancelled_task_cancels_its_request(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True

    async def run() -> None:
        task = asyncio.create_task(model.infer_async({"INPUT0": X}))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert engine.sent[-1].is_cancelled


def test_server_that_closes_cancels_what_nobody_answers(model: Model, engine: FakeEngine, server: Server) -> None:
    engine.is_held = True

    async def run() -> None:
        task = asyncio.create_task(model.infer_async({"INPUT0": X}))
        await asyncio.sleep(0)
        for call in engine.in_flight_calls():
            call.cancel()
        with pytest.raises(CancelledError):
            await task

    asyncio.run(run())


def test_stream_yields_each_response_and_ends_with_an_empty_final_one(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True
    replies = model.stream({"INPUT0": X}, request_id="s")
    (call,) = engine.in_flight_calls()
    full = engine.echo(call).outputs
    for _ in range(3):
        engine.answer(call, FakeResponse(full, is_final=False))
    engine.answer(call, FakeResponse([], is_final=True))
    assert [reply["OUTPUT0"].shape for reply in replies] == [(1, 4)] * 3


def test_leaving_a_stream_cancels_its_request(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True
    replies = model.stream({"INPUT0": X})
    (call,) = engine.in_flight_calls()
    engine.answer(call, FakeResponse(engine.echo(call).outputs, is_final=False))
    next(iter(replies))
    replies.close()
    assert call.is_cancelled


def test_several_responses_are_no_reply(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True
    result: list[BaseException] = []

    def run() -> None:
        with pytest.raises(UnsupportedError) as refusal:
            model.infer({"INPUT0": X})
        result.append(refusal.value)

    caller = threading.Thread(target=run)
    caller.start()
    while not engine.in_flight_calls():
        time.sleep(0.001)
    (call,) = engine.in_flight_calls()
    for is_final in (False, True):
        engine.answer(call, FakeResponse(engine.echo(call).outputs, is_final=is_final))
    caller.join()
    assert "2 responses" in str(result[0])


def test_one_response_without_the_final_flag_is_a_reply(model: Model, engine: FakeEngine) -> None:
    engine.is_held = True
    shapes: list[tuple[int, ...]] = []
    caller = threading.Thread(target=lambda: shapes.append(model.infer({"INPUT0": X})["OUTPUT0"].shape))
    caller.start()
    while not engine.in_flight_calls():
        time.sleep(0.001)
    (call,) = engine.in_flight_calls()
    engine.answer(call, FakeResponse(engine.echo(call).outputs, is_final=False))
    engine.answer(call, FakeResponse([], is_final=True))
    caller.join()
    assert shapes == [(1, 4)]


def test_statistics_count_requests(model: Model) -> None:
    model.infer({"INPUT0": X})
    statistics = model.statistics()
    assert (statistics.success.count, statistics.inference_count, statistics.version) == (1, 1, 1)
    assert statistics.queue.mean_ns == 1000
    assert "m v1: 1 inferences in 1 executions" in str(statistics)


def test_model_tells_its_state(model: Model, server: Server) -> None:
    assert repr(model) == "<Model m READY v1>"
    server.unload("m")
    assert repr(model) == "<Model m not ready>"


@pytest.mark.parametrize("inputs", [None, [1.0, 2.0], np.zeros((1, 2), np.float32)])
def test_inputs_without_names_are_refused(model: Model, inputs: object) -> None:
    with pytest.raises(InvalidArgumentError, match="arrays by name"):
        model.infer(inputs)  # type: ignore[arg-type]


def test_a_lone_name_is_no_list_of_outputs(model: Model) -> None:
    with pytest.raises(InvalidArgumentError, match=r"outputs=\['OUT'\]"):
        model.infer({"INPUT0": np.zeros((1, 2), np.float32)}, outputs="OUT")
