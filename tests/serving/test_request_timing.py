# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A client that asks for it is told how long its request took where; who does not, pays nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
import pytest
import tritonclient.grpc
import tritonclient.http
from tritonclient.grpc import service_pb2, service_pb2_grpc

import workbench as wb
from tests.serving.http_door import IDENTITY, ONE, SLOW, SLOW_BODY, exchange, request
from workbench.endpoints import native_grpc

SPANS = ["queue", "compute_input", "compute_infer", "compute_output", "request"]
WISH = {"want-server-timing": "1"}


def spans(field: str) -> dict[str, float]:
    """Milliseconds by name."""
    return {name: float(told) for name, told in (entry.split(";dur=") for entry in field.split(", "))}


def fields(answer: bytes) -> Mapping[str, str]:
    head = answer.split(b"\r\n\r\n")[0].decode()
    return {name.lower(): value for name, value in (line.split(": ", 1) for line in head.split("\r\n")[1:])}


def ask(door: Any, head: str = "", path: str = "/v2/models/slow/infer", body: str = SLOW_BODY) -> Mapping[str, str]:
    return fields(exchange(door, request(path, body, head=f"Connection: close\r\n{head}")))


def test_over_http_in_the_head_of_the_answer(server: wb.Server) -> None:
    server.load("slow", config=SLOW)
    door = server.http()
    told = spans(ask(door, "Want-Server-Timing: 1\r\n")["server-timing"])
    assert list(told) == SPANS
    assert told["compute_infer"] >= 200
    assert sum(told[name] for name in SPANS[:-1]) <= told["request"] < 20_000
    for head in ("", "Want-Server-Timing: 0\r\n"):
        assert "server-timing" not in ask(door, head)
    assert "server-timing" in ask(door, "Want-Server-Timing: 1\r\n", "/v2/models/slow/generate", '{"INPUT0": 0}')


def test_a_request_that_is_refused_has_none(server: wb.Server) -> None:
    server.load("slow", config=SLOW)
    assert "server-timing" not in ask(server.http(), "Want-Server-Timing: 1\r\n", body="{}")


@pytest.mark.skipif(native_grpc() is None, reason="the door on grpcio tells no timing")
def test_over_grpc_in_the_metadata_behind_the_answer(server: wb.Server) -> None:
    server.load("slow", config=SLOW)
    message = service_pb2.ModelInferRequest(model_name="slow", raw_input_contents=[b"\0\0\0\0"])
    message.inputs.add(name="INPUT0", datatype="FP32", shape=[1, 1])
    with grpc.insecure_channel(server.grpc().url) as channel:
        stub = service_pb2_grpc.GRPCInferenceServiceStub(channel)
        _, call = stub.ModelInfer.with_call(message, metadata=list(WISH.items()))
        told = spans(dict(call.trailing_metadata())["server-timing"])
        assert list(told) == SPANS
        assert told["compute_infer"] >= 200
        _, call = stub.ModelInfer.with_call(message)
        assert "server-timing" not in dict(call.trailing_metadata())


def test_it_is_no_trace_of_the_servers_own(server: wb.Server) -> None:
    server.load("slow", config=SLOW)
    server.trace("slow", trace_level=("TENSORS",), trace_rate=1)
    assert "server-timing" in ask(server.http(), "Want-Server-Timing: 1\r\n")
    (trace,) = server.traces()
    assert trace.tensors
    assert trace.timestamps == ()  # nobody set that level
    server.clear_trace("slow")
    ask(server.http(), "Want-Server-Timing: 1\r\n")
    assert len(server.traces()) == 1


def test_standard_clients_ask_with_headers(server: wb.Server) -> None:
    server.load("m", config=IDENTITY)
    for module, door in ((tritonclient.http, server.http()), (tritonclient.grpc, server.grpc())):
        with module.InferenceServerClient(f"127.0.0.1:{door.port}") as client:
            tensor = module.InferInput("INPUT0", [1, 4], "FP32")
            tensor.set_data_from_numpy(ONE)
            assert client.infer("m", [tensor], headers=dict(WISH)).as_numpy("OUTPUT0").shape == (1, 4)
