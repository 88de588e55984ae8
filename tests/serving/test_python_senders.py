# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Python models that answer by response senders, or later."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.python_models import COUNTDOWN, COUNTING, DECOUPLED, FLOATS, Load, eventually, loader
from workbench.errors import WorkbenchError

pytest.importorskip("workbench._native", reason="no core: make build")

ROW = np.arange(4, dtype=np.float32)


@pytest.fixture
def load(isolation: str, server: wb.Server, tmp_path: Path) -> Load:
    return loader(server, tmp_path, isolation, config=FLOATS)


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

    def test_responses_are_counted_by_their_place_before_they_are_there(self, load: Load) -> None:
        model = load(COUNTDOWN, DECOUPLED)
        for number in (5, 3, 1):
            with suppress(WorkbenchError):  # the third one
                list(model.stream({"IN": np.array([number], np.float32)}))
        eventually(lambda: len(model.statistics().response_stats) == 5)
        first, second, third, *others = model.statistics().response_stats
        assert (first.success.count, second.empty_response.count, third.fail.count) == (3, 2, 2)
        assert [(other.cancel.count, other.success.count) for other in others] == [(1, 0)] * 2
        assert (first.compute_output.count, second.compute_output.count) == (3, 0)
        assert 0 < first.compute_infer.ns <= first.success.ns

    def test_a_model_that_is_not_decoupled_may_answer_by_a_sender_too_and_that_is_not_counted(self, load: Load) -> None:
        code = """
class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            answer = pb_utils.InferenceResponse([pb_utils.Tensor("OUT", request.inputs()[0].as_numpy())])
            request.get_response_sender().send(answer, pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return [None for request in requests]
"""
        model = load(code)
        np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW)
        assert model.statistics().response_stats == ()

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
