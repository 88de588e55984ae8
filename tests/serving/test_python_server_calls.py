# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a Python model asks of its server: other models, senders, metrics, the log, loads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import WorkbenchError

pytest.importorskip("workbench._native", reason="no core: make build")

HEAD = """
import json, threading
import numpy as np
import pb_utils
"""
FLOATS = """
input [ { name: "IN" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUT" data_type: TYPE_FP32 dims: [ -1 ] } ]
"""
DECOUPLED = FLOATS + "model_transaction_policy { decoupled: true }"
ROW = np.arange(4, dtype=np.float32)
Load = Callable[..., Any]


@pytest.fixture(params=["kernel"])
def isolation(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name="calls") as server:
        yield server


@pytest.fixture
def load(server: wb.Server, tmp_path: Path, isolation: str) -> Load:
    def load(code: str, config: str = FLOATS, *, name: str = "m") -> Any:
        folder = tmp_path / name / "1"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.py").write_text(HEAD + code)
        told = f'parameters {{ key: "isolation" value {{ string_value: "{isolation}" }} }}'
        (tmp_path / name / "config.pbtxt").write_text(f'backend: "python"\n{config}\n{told}')
        return server.load(name)

    return load


@pytest.fixture
def echo(server: wb.Server) -> Any:
    return server.load("echo", config=f'backend: "identity" {FLOATS}')


def asking(call: str) -> str:
    """A model that answers a request with what this gives for its `tensor`; `ask(...)` makes a request to `echo`."""
    return f"""
class TritonPythonModel:
    def execute(self, requests):
        def ask(model="echo", **kinds):
            return pb_utils.InferenceRequest(
                model_name=model, inputs=[tensor], requested_output_names=["OUT"], **kinds)
        responses = []
        for request in requests:
            tensor = request.inputs()[0]
            {call}
        return responses
"""


class TestOtherModels:
    def test_another_model_is_asked_and_answers(self, load: Load, echo: Any) -> None:
        code = asking("responses.append(pb_utils.InferenceResponse(ask(request_id='x').exec().output_tensors()))")
        np.testing.assert_array_equal(load(code).infer({"IN": ROW})["OUT"], ROW)
        assert echo.statistics().inference_count == 1

    def test_large_tensors_pass_too(self, load: Load, echo: Any) -> None:
        code = asking("responses.append(pb_utils.InferenceResponse(ask().exec().output_tensors()))")
        large = np.random.default_rng(1).random(300_000, np.float32)
        model = load(code)
        for _ in range(20):
            np.testing.assert_array_equal(model.infer({"IN": large})["OUT"], large)

    def test_errors_of_the_asked_model_are_in_its_response(self, load: Load, echo: Any) -> None:
        code = asking(
            """
            answer = ask(model="nobody").exec()
            assert answer.has_error() and "nobody" in answer.error().message(), answer
            assert answer.error().code() == pb_utils.TritonError.NOT_FOUND, answer.error().code()
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", tensor.as_numpy())]))
            """
        )
        load(code).infer({"IN": ROW})

    def test_coroutines_ask_several_at_once(self, load: Load, echo: Any) -> None:
        code = """
import asyncio
class TritonPythonModel:
    async def execute(self, requests):
        ask = lambda r: pb_utils.InferenceRequest(model_name="echo", inputs=r.inputs()).async_exec()
        answers = await asyncio.gather(*[ask(r) for r in requests for _ in range(3)])
        return [pb_utils.InferenceResponse(a.output_tensors()) for a in answers[::3]]
"""
        np.testing.assert_array_equal(load(code).infer({"IN": ROW})["OUT"], ROW)
        assert echo.statistics().inference_count == 3

    def test_answers_of_a_decoupled_model_are_an_iterator(self, load: Load) -> None:
        load(COUNTING, DECOUPLED, name="counts")
        code = asking(
            """
            refused = ask(model="counts").exec()
            assert refused.has_error() and "decoupled=True" in refused.error().message()
            got = [pb_utils.get_output_tensor_by_name(a, "OUT").as_numpy() for a in ask("counts").exec(decoupled=True)]
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", np.concatenate(got))]))
            """
        )
        assert load(code).infer({"IN": np.array([3], np.float32)})["OUT"].tolist() == [0, 1, 2]

    def test_parameters_go_along_and_come_back(self, load: Load) -> None:
        told = "parameters={**json.loads(request.parameters()), 'more': 2}"
        inner = asking(f"responses.append(pb_utils.InferenceResponse([tensor], {told}))")
        load(inner.replace("Response([tensor]", 'Response([pb_utils.Tensor("OUT", tensor.as_numpy())]'), name="inner")
        code = asking(
            """
            answer = ask("inner", parameters={"a": 1}).exec()
            assert json.loads(answer.parameters()) == {"a": 1, "more": 2}, answer.parameters()
            responses.append(pb_utils.InferenceResponse(answer.output_tensors()))
            """
        )
        load(code).infer({"IN": ROW})

    def test_models_are_loaded_and_unloaded(self, load: Load, server: wb.Server) -> None:
        config = '{"backend": "identity", "input": [{"name": "IN", "data_type": "TYPE_FP32", "dims": [-1]}], '
        config += '"output": [{"name": "OUT", "data_type": "TYPE_FP32", "dims": [-1]}]}'
        code = asking(
            f"""
            assert not pb_utils.is_model_ready("late")
            pb_utils.load_model("late", config={config!r})
            assert pb_utils.is_model_ready("late", "1")
            responses.append(pb_utils.InferenceResponse(ask("late").exec().output_tensors()))
            pb_utils.unload_model("late")
            try:
                pb_utils.load_model("never_heard_of")
            except pb_utils.TritonModelException as exc:
                assert "never_heard_of" in str(exc)
            """
        )
        np.testing.assert_array_equal(load(code).infer({"IN": ROW})["OUT"], ROW)


COUNTING = """
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            for value in range(int(request.inputs()[0].as_numpy()[0])):
                array = np.array([value], np.float32)
                sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", array)]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
"""


class TestSenders:
    def test_a_decoupled_model_answers_as_often_as_it_likes(self, load: Load) -> None:
        model = load(COUNTING, DECOUPLED)
        for count in (3, 0, 1):
            replies = [reply["OUT"][0] for reply in model.stream({"IN": np.array([count], np.float32)})]
            assert replies == list(range(count))

    def test_threads_answer_after_the_execution(self, load: Load) -> None:
        code = """
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            threading.Thread(target=self.answer, args=(request, request.get_response_sender())).start()
    def answer(self, request, sender):
        x = request.inputs()[0].as_numpy()
        assert request.request_id() == "later" and not request.is_cancelled()
        for part in np.split(x, 2):
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", part)]))
        sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
"""
        model = load(code, DECOUPLED)
        large = np.arange(20_000, dtype=np.float32)
        for _ in range(5):
            got = [reply["OUT"] for reply in model.stream({"IN": large}, request_id="later")]
            np.testing.assert_array_equal(np.concatenate(got), large)

    def test_coroutines_answer_in_the_background(self, load: Load) -> None:
        code = COUNTING.replace("    def execute", "    async def execute")
        model = load(code, DECOUPLED)
        assert [reply["OUT"][0] for reply in model.stream({"IN": np.array([2], np.float32)})] == [0, 1]

    @pytest.mark.parametrize(
        ("code", "told"),
        [
            ("        raise KeyError('x')\n", "execute: KeyError"),
            ("        requests[0].get_response_sender()\n        raise KeyError('x')\n", "execute: KeyError"),
            ("        return []\n", "the model is decoupled"),
            ("        pass\n", "without taking the request's response sender"),
        ],
        ids=("raises", "raises-with-sender", "returns", "forgets"),
    )
    def test_mistakes_end_the_request_with_what_is_wrong(self, load: Load, code: str, told: str) -> None:
        model = load(f"class TritonPythonModel:\n    def execute(self, requests):\n{code}", DECOUPLED)
        with pytest.raises(WorkbenchError, match=told):
            list(model.stream({"IN": ROW}))

    def test_nothing_is_sent_after_the_last_answer(self, load: Load) -> None:
        code = COUNTING + (
            "            try:\n                sender.send(flags=1)\n"
            "            except pb_utils.TritonModelException as exc:\n"
            "                pb_utils.Logger.log_warn(f'told: {exc}')\n"
        )
        model = load(code, DECOUPLED)
        assert len(list(model.stream({"IN": np.array([1], np.float32)}))) == 1

    def test_a_model_sees_that_its_caller_cancelled(self, load: Load) -> None:
        code = """
import time
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            threading.Thread(target=self.answer, args=(request.get_response_sender(),)).start()
    def answer(self, sender):
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", np.zeros(1, np.float32))]))
        while not sender.is_cancelled():
            time.sleep(0.001)
        error = pb_utils.TritonError("stopped", pb_utils.TritonError.CANCELLED)
        sender.send(pb_utils.InferenceResponse(error=error), pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
"""
        replies = load(code, DECOUPLED).stream({"IN": ROW})
        assert next(replies)["OUT"].tolist() == [0]
        replies.close()

    def test_a_model_that_is_not_decoupled_may_answer_by_a_sender_too(self, load: Load) -> None:
        code = """
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            answer = pb_utils.InferenceResponse([pb_utils.Tensor("OUT", request.inputs()[0].as_numpy())])
            request.get_response_sender().send(answer, pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return [None for request in requests]
"""
        np.testing.assert_array_equal(load(code).infer({"IN": ROW})["OUT"], ROW)


class TestWords:
    def test_metrics_are_on_the_page(self, load: Load, server: wb.Server) -> None:
        code = """
class TritonPythonModel:
    def initialize(self, args):
        family = pb_utils.MetricFamily("py_calls", "calls", pb_utils.MetricFamily.COUNTER)
        self.calls = family.Metric(labels={"model": "m"})
        gauge = pb_utils.MetricFamily(name="py_size", description="size", kind=pb_utils.MetricFamily.GAUGE)
        self.size = gauge.Metric(labels={})
        sizes = pb_utils.MetricFamily("py_sizes", "sizes", pb_utils.MetricFamily.HISTOGRAM)
        self.sizes = sizes.Metric(labels={}, buckets=[1, 10])
    def execute(self, requests):
        x = requests[0].inputs()[0].as_numpy()
        self.calls.increment(2)
        self.size.set(x.size)
        self.sizes.observe(x.size)
        assert (self.calls.value(), self.size.value()) == (2, 4)
        try:
            self.calls.increment(-1)
        except pb_utils.TritonModelException:
            return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", x)]) for r in requests]
"""
        load(code).infer({"IN": ROW})
        page = server.metrics()
        assert 'py_calls{model="m"} 2' in page
        assert "py_size 4" in page
        assert 'py_sizes_bucket{le="10"} 1' in page

    def test_the_log_tells_the_place_in_the_model(self, load: Load, caplog: pytest.LogCaptureFixture) -> None:
        heard = threading.Event()
        code = """
class TritonPythonModel:
    def initialize(self, args):
        pb_utils.Logger.log_warn("careful")
        pb_utils.Logger.log("plain", pb_utils.Logger.ERROR)
    def execute(self, requests):
        pass
"""
        load(code)
        heard.wait(0.3)
        told = [record.getMessage() for record in caplog.records]
        assert any("careful" in line for line in told)
        assert any("plain" in line for line in told)


def test_an_iterative_sequence_is_executed_again(load: Load) -> None:
    code = """
class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            self.turns = getattr(self, "turns", 0) + 1
            if self.turns < 3:
                request.set_release_flags(pb_utils.TRITONSERVER_REQUEST_RELEASE_RESCHEDULE)
                responses.append(None)
            else:
                turns = np.array([self.turns], np.float32)
                responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUT", turns)]))
        return responses
"""
    model = load(code, FLOATS + "sequence_batching { iterative_sequence: true }")
    assert model.infer({"IN": ROW}, sequence=wb.Sequence(7, start=True))["OUT"].tolist() == [3]
