# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Situations with known right outcomes, sent over HTTP and gRPC to the real server and to ours."""

from __future__ import annotations

import http.client
import json
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import grpc
import pytest
from tritonclient.grpc import service_pb2 as pb
from tritonclient.grpc import service_pb2_grpc

import workbench as wb
from tests.flow import build_data_backend
from workbench.server.finder import WHEEL_BACKENDS

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

SLOW: Final = """
backend: "synthetic" max_batch_size: 1 dynamic_batching {{ default_queue_policy {{ {policy} }} }}
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
instance_group [ {{ count: 1 kind: KIND_CPU }} ]
parameters [ {{ key: "tau0_us" value: {{ string_value: "{execution_us}" }} }} ]
"""
MODELS: Final = {
    "timed": SLOW.format(
        policy="timeout_action: REJECT default_timeout_microseconds: 200000", execution_us=1_000_000
    ),
    "full": SLOW.format(policy="max_queue_size: 2", execution_us=400_000),
    "early": """
backend: "early" max_batch_size: 8 model_transaction_policy { decoupled: DECOUPLED }
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
""",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Served:
    """Where a server is reached."""

    http: int
    stub: Any

    def infer_over_http(self, model: str) -> str:
        """The status in gRPC's words."""
        body = {"inputs": [{"name": "INPUT0", "shape": [1, 1], "datatype": "FP32", "data": [1]}]}
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=20)
        try:
            connection.request("POST", f"/v2/models/{model}/infer", json.dumps(body))
            return {200: "OK", 503: "UNAVAILABLE"}.get((found := connection.getresponse()).status, str(found.status))
        finally:
            connection.close()

    def infer_over_grpc(self, model: str) -> str:
        try:
            self.stub.ModelInfer(a_request(model), timeout=20)
        except grpc.RpcError as error:
            return str(error.code().name)
        return "OK"

    def stream(self, model: str, *, with_end: bool) -> list[tuple[int, bool]]:
        """Of each message: how many outputs it has, and whether it says that it is the last."""
        request = a_request(model)
        if with_end:
            request.parameters["triton_enable_empty_final_response"].bool_param = True
        answers = [one.infer_response for one in self.stub.ModelStreamInfer(iter([request]), timeout=20)]
        return [(len(one.outputs), one.parameters["triton_final_response"].bool_param) for one in answers]


def a_request(model: str) -> Any:
    request = pb.ModelInferRequest(model_name=model, raw_input_contents=[b"\0\0\0\0"])
    request.inputs.add(name="INPUT0", datatype="FP32", shape=[1, 1])
    return request


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, real_triton: Callable[..., Any]) -> Iterator[dict[str, Served]]:
    """Ours and the real one, with the same models of the same backends."""
    repository = tmp_path_factory.mktemp("models")
    backends = build_data_backend("early", tmp_path_factory.mktemp("backends"))
    shutil.copytree(WHEEL_BACKENDS / "synthetic", backends / "synthetic")
    for name, text in MODELS.items():
        for is_decoupled in (False, True) if name == "early" else (False,):
            folder = repository / (f"{name}_decoupled" if is_decoupled else name)
            (folder / "1").mkdir(parents=True)
            (folder / "config.pbtxt").write_text(text.replace("DECOUPLED", str(is_decoupled).lower()))
    real = real_triton(repository, backends)
    with (
        wb.Server(repository, name="cases-over-doors", control="none", backends=[backends]) as server,
        grpc.insecure_channel(server.grpc().url) as own,
        grpc.insecure_channel(f"127.0.0.1:{real.grpc}") as other,
    ):
        stubs = [service_pb2_grpc.GRPCInferenceServiceStub(channel) for channel in (own, other)]
        yield {"ours": Served(server.http().port, stubs[0]), "real": Served(real.http, stubs[1])}


OVER: Final = [("ours", "http"), ("ours", "grpc"), ("real", "http"), ("real", "grpc")]


def infer_of(servers: dict[str, Served], whose: str, protocol: str) -> Callable[[str], str]:
    found: Callable[[str], str] = getattr(servers[whose], f"infer_over_{protocol}")
    return found


@pytest.mark.parametrize(("whose", "protocol"), OVER)
def test_a_request_whose_time_is_up_is_unavailable(servers: dict[str, Served], whose: str, protocol: str) -> None:
    infer = infer_of(servers, whose, protocol)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(infer, "timed")
        time.sleep(0.1)  # the first one runs
        second = pool.submit(infer, "timed")
        assert (first.result(), second.result()) == ("OK", "UNAVAILABLE")


@pytest.mark.parametrize(("whose", "protocol"), OVER)
def test_a_full_queue_is_unavailable(servers: dict[str, Served], whose: str, protocol: str) -> None:
    infer = infer_of(servers, whose, protocol)
    with ThreadPoolExecutor(5) as pool:
        sent = [pool.submit(infer, "full")]
        time.sleep(0.1)  # the first one runs, and leaves the queue empty
        sent += [pool.submit(infer, "full") for _ in range(4)]
        assert sorted(each.result() for each in sent) == ["OK", "OK", "OK", "UNAVAILABLE", "UNAVAILABLE"]


@pytest.mark.parametrize("whose", ["ours", "real"])
def test_a_response_before_the_end_is_one_reply_or_a_stream_with_an_end(servers: dict[str, Served], whose: str) -> None:
    served = servers[whose]
    assert served.infer_over_http("early") == "OK"
    assert served.infer_over_grpc("early") == "OK"
    assert served.stream("early_decoupled", with_end=False) == [(1, False)]
    assert served.stream("early_decoupled", with_end=True) == [(1, False), (0, True)]
