# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a Python model asks of its server: other models, metrics, the log, loads."""

from __future__ import annotations

import logging
from logging.handlers import QueueHandler
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.python_models import COUNTING, DECOUPLED, FLOATS, Load, loader

pytest.importorskip("workbench._native", reason="no core: make build")

ROW = np.arange(4, dtype=np.float32)


@pytest.fixture
def load(isolation: str, server: wb.Server, tmp_path: Path) -> Load:
    return loader(server, tmp_path, isolation, config=FLOATS)


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

    def test_the_log_tells_what_the_model_says(self, load: Load) -> None:
        code = """
class TritonPythonModel:
    def initialize(self, args):
        pb_utils.Logger.log_warn("careful")
        pb_utils.Logger.log("plain", pb_utils.Logger.ERROR)
    def execute(self, requests):
        pass
"""
        heard: Queue[str] = Queue()
        handler = QueueHandler(heard)
        handler.prepare = lambda record: record.getMessage()  # type: ignore[method-assign, assignment]
        logging.getLogger("workbench.core").addHandler(handler)
        try:
            load(code)
            assert [heard.get(timeout=5), heard.get(timeout=5)] == ["careful", "plain"]
        finally:
            logging.getLogger("workbench.core").removeHandler(handler)
