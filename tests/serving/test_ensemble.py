# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Ensembles on the real core: tensors flow from model to model of the same server."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import workbench as wb
from tests.flow import DECOUPLED, chain, ensemble_text, model_text, step, write_repository

ROW = np.array([[1, 2, 3, 4]], np.float32)
MODELS = {
    "one": model_text(addend=1),
    "ten": model_text(addend=10),
    "both": model_text(inputs=("A", "B")),
    "either": model_text(inputs=("A", "B"), optional=("B",)),
    "silent": model_text("leave_out"),
    "broken": model_text("fail"),
    "slow": model_text(sleep_us=200_000),
    "repeat": model_text("repeat", extra=DECOUPLED),
    "many": model_text(count=3, sleep_us=5000),
    "tell": model_text("tell", dims="-1"),
    "plain": model_text(addend=100, max_batch_size=0),
}


@pytest.fixture
def server(tmp_path: Path, flow: Path) -> Iterator[wb.Server]:
    write_repository(tmp_path, MODELS)
    with wb.Server(tmp_path, name="ensembles", backends=[flow]) as server:
        yield server


def test_an_ensemble_loads_and_answers(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("one", "ten")))
    reply = model.infer({"IN": ROW})
    np.testing.assert_array_equal(reply["OUT"], ROW + 11)
    assert repr(model) == "<Model e READY v1>"


def test_a_tensor_left_out_is_an_error_where_it_is_required(server: wb.Server) -> None:
    steps = step("silent", {"IN": "IN"}, {"OUT": "t"}), step("both", {"A": "IN", "B": "t"}, {"OUT": "OUT"})
    model = server.load("e", config=ensemble_text(*steps))
    with pytest.raises(wb.InvalidArgumentError, match="tensor 't'"):
        model.infer({"IN": ROW})


def test_a_tensor_left_out_is_absent_where_it_is_optional(server: wb.Server) -> None:
    steps = step("silent", {"IN": "IN"}, {"OUT": "t"}), step("either", {"A": "IN", "B": "t"}, {"OUT": "OUT"})
    model = server.load("e", config=ensemble_text(*steps))
    np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW)


def test_an_optional_input_of_the_ensemble_may_be_absent(server: wb.Server) -> None:
    steps = step("either", {"A": "IN", "B": "MORE"}, {"OUT": "OUT"})
    model = server.load("e", config=ensemble_text(steps, inputs=("IN", "MORE"), optional=("MORE",)))
    np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW)
    np.testing.assert_array_equal(model.infer({"IN": ROW, "MORE": ROW})["OUT"], 2 * ROW)


def test_what_nobody_asks_for_does_not_run(server: wb.Server) -> None:
    steps = step("one", {"IN": "IN"}, {"OUT": "OUT"}), step("ten", {"IN": "IN"}, {"OUT": "OTHER"})
    model = server.load("e", config=ensemble_text(*steps, outputs=("OUT", "OTHER")))
    reply = model.infer({"IN": ROW}, outputs=["OUT"])
    assert list(reply) == ["OUT"]
    assert server.model("ten").statistics().success.count == 0


def test_a_step_that_does_not_batch_gets_its_tensors_without_the_batch(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("plain", "one")))
    reply = model.infer({"IN": ROW})
    np.testing.assert_array_equal(reply["OUT"], ROW + 101)
    with pytest.raises(wb.InvalidArgumentError, match="step 0"):
        model.infer({"IN": np.repeat(ROW, 2, axis=0)})


def test_an_ensemble_that_does_not_batch_runs_on_models_that_do(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("one", "ten"), max_batch_size=0))
    assert model.infer({"IN": ROW[0]})["OUT"].shape == (4,)


def test_id_flags_and_correlation_id_travel_along(server: wb.Server) -> None:
    server.load("inner", config=ensemble_text(*chain("tell"), dims="-1"))
    model = server.load("e", config=ensemble_text(*chain("inner"), dims="-1"))
    reply = model.infer({"IN": np.zeros((1, 1), np.float32)}, request_id="abcd", sequence=wb.Sequence(42, start=True))
    assert reply["OUT"].tolist() == [[1, 42, 4]]


def test_each_response_of_a_decoupled_step_flows_on_in_order(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("repeat", "many")))
    assert model.spec.decoupled
    replies = list(model.stream({"IN": np.full((1, 4), 20, np.float32)}))
    assert [reply["OUT"][0, 0] for reply in replies] == list(range(20))
    assert model.statistics().success.count == 1


def test_a_decoupled_step_is_held_back(server: wb.Server) -> None:
    text = ensemble_text(*chain("repeat", "many"), scheduling="max_inflight_requests: 2")
    model = server.load("e", config=text)
    replies = list(model.stream({"IN": np.full((1, 4), 20, np.float32)}))
    assert len(replies) == 20
    requests = server.events().requests
    many = requests[requests["model"] == server.model("many").number]
    starts, computed = np.sort(many["arrival_ns"]), np.sort(many["compute_end_ns"])
    # The third is sent once the first has answered, and so on; an answer is sent once it was computed.
    assert (starts[2:] >= computed[:-2]).all()


def test_an_error_names_step_and_model(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("one", "broken")))
    with pytest.raises(wb.UnavailableError, match=r"step 1 \(model 'broken'\): not today"):
        model.infer({"IN": ROW})
    assert model.statistics().fail.count == 1


def test_a_cancelled_request_starts_no_further_step(server: wb.Server) -> None:
    server.load("e", config=ensemble_text(*chain("slow", "one")))
    call = server.engine.submit("e", -1, [("IN", "FP32", (1, 4), ROW)])
    call.cancel()
    assert call.wait(10)
    response = call.take(0)
    assert response is not None
    assert response.error is not None
    assert response.error[0] == "CANCELLED"
    assert server.model("one").statistics().success.count == 0


def test_explain_counts_the_steps(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("one", "ten")))
    model.infer({"IN": ROW}, request_id="mine")
    assert "through 2 steps" in model.explain("mine").words


def test_an_ensemble_has_no_backend_to_show(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("one")))
    with pytest.raises(wb.UnsupportedError, match="ensemble"):
        _ = model.library
    assert {entry.name: entry.library for entry in server.index(ready=True)}["e"] is None


def test_reloads_of_a_steps_model_lose_no_request(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("one", "ten", "one")))
    stop = Event()

    def send() -> int:
        sent = 0
        while not stop.is_set():
            model.infer({"IN": ROW})
            sent += 1
        return sent

    with ThreadPoolExecutor(3) as pool:
        senders = [pool.submit(send) for _ in range(3)]
        for addend in (2, 3, 4, 5):
            server.load("one", config=model_text(addend=addend))
        stop.set()
        assert all(sender.result() > 0 for sender in senders)
    np.testing.assert_array_equal(model.infer({"IN": ROW})["OUT"], ROW + 20)


def test_unloading_a_steps_model_cuts_no_request(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("slow", "one")))
    with ThreadPoolExecutor(1) as pool:
        reply = pool.submit(model.infer, {"IN": ROW})
        while not server.engine.in_flight():
            pass
        server.unload("one")
        np.testing.assert_array_equal(reply.result()["OUT"], ROW + 1)
    with pytest.raises(wb.UnavailableError):
        model.infer({"IN": ROW})
    server.wait_settled(10)
    assert "'one' was unloaded" in next(entry.reason for entry in server.index() if entry.name == "e")


def test_the_index_and_the_configuration_of_an_ensemble(server: wb.Server) -> None:
    model = server.load("e", config=ensemble_text(*chain("repeat")))
    assert "decoupled: true" in model.config
    assert 'platform: "ensemble"' in model.config
