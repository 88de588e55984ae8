# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes that can not be, numbers that are none, and texts of any bytes, over HTTP and gRPC of both servers."""

from __future__ import annotations

import http.client
import json
import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
import numpy as np
import pytest
from tritonclient.grpc import service_pb2 as pb
from tritonclient.grpc import service_pb2_grpc

import workbench as wb
from tests.conformance.grpc_requests import a_request
from tests.conformance.http_models import one, wanting, with_inputs, write_models
from workbench.server.finder import WHEEL_BACKENDS

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

ODD: Final = (math.nan, math.inf, -math.inf, 1.0)
FRAMED: Final = {
    "plain": b"\x02\0\0\0ab",
    "an embedded NUL": b"\x03\0\0\0a\0b",
    "UTF-8": b"\x06\0\0\0\xe6\x97\xa5\xe6\x9c\xac",
}
CUT: Final = FRAMED["plain"][:-1]


@dataclass(frozen=True, slots=True)
class Served:
    """Where a server is reached. Answers are a status as its protocol has it, and what an output held."""

    http: int
    stub: Any

    def post(self, model: str, body: bytes, json_size: int | None = None) -> tuple[int, bytes]:
        headers = {} if json_size is None else {"Inference-Header-Content-Length": str(json_size)}
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=20)
        try:
            connection.request("POST", f"/v2/models/{model}/infer", body, headers)
            return (answer := connection.getresponse()).status, answer.read()
        finally:
            connection.close()

    def framed_over_http(self, bytes_: bytes) -> tuple[int, bytes]:
        """What comes back of one BYTES element whose frame is those bytes."""
        told = one(None, shape=[1, 1], datatype="BYTES", parameters={"binary_data_size": len(bytes_)})
        body = json.dumps(with_inputs(told, outputs=[wanting(binary_data=True)])).encode()
        status, answer = self.post("word", body + bytes_, len(body))
        return status, answer[answer.rfind(b"}") + 1 :] if status == 200 else b""

    def infer(self, request: pb.ModelInferRequest) -> tuple[str, bytes]:
        try:
            return "OK", self.stub.ModelInfer(request, timeout=20).raw_output_contents[0]
        except grpc.RpcError as error:
            return str(error.code().name), b""

    def is_alive(self) -> bool:
        status, _ = self.post("m_INT32", json.dumps(with_inputs(one())).encode())
        return status == 200 and self.infer(a_request())[0] == "OK"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory, real_triton: Callable[..., Any]) -> Iterator[dict[str, Served]]:
    """Ours and the real one, with the same models of the same backend."""
    repository: Path = tmp_path_factory.mktemp("odd")
    write_models(repository)
    real = real_triton(repository, WHEEL_BACKENDS)
    with (
        wb.Server(repository, name="odd", control="none") as server,
        grpc.insecure_channel(server.grpc().url) as own,
        grpc.insecure_channel(f"127.0.0.1:{real.grpc}") as other,
    ):
        stubs = [service_pb2_grpc.GRPCInferenceServiceStub(channel) for channel in (own, other)]
        yield {"ours": Served(server.http().port, stubs[0]), "real": Served(real.http, stubs[1])}


def nested(depth: int) -> bytes:
    return json.dumps(with_inputs(one([]))).encode().replace(b"[]", b"[" * depth + b"1, 2, 3, 4" + b"]" * depth)


@pytest.mark.parametrize("whose", ["ours", "real"])
class TestSizesThatCanNotBe:
    """Each is an error, and the server lives."""

    def test_a_header_length_beyond_the_body(self, servers: dict[str, Served], whose: str) -> None:
        served = servers[whose]
        assert served.post("m_INT32", json.dumps(with_inputs(one())).encode(), 99_999_999_999)[0] == 400
        assert served.is_alive()

    @pytest.mark.parametrize("shape", [[2, -5], [1 << 62, 8]])
    def test_a_shape_that_is_none(self, servers: dict[str, Served], whose: str, shape: list[int]) -> None:
        served = servers[whose]
        for model, type_ in (("free", "FP32"), ("m_INT32", "INT32")):
            assert served.infer(a_request(shape=shape, model=model, datatype=type_)) == ("INVALID_ARGUMENT", b"")
        assert served.is_alive()


@pytest.mark.parametrize("is_binary", [False, True])
@pytest.mark.parametrize("shape", [[2, -5], [1 << 62, 8]])
def test_the_same_shapes_over_http(servers: dict[str, Served], shape: list[int], is_binary: bool) -> None:
    """The real server takes a count of elements that overflows for one of none; docs/compatibility.md tells."""
    sized = one(None, shape=shape, datatype="FP32", parameters={"binary_data_size": 16})
    told = sized if is_binary else one([1.0] * 4, shape=shape, datatype="FP32")
    body = json.dumps(with_inputs(told)).encode()
    own, real = (
        servers[whose].post("free", body + bytes(16) * is_binary, len(body) if is_binary else None)[0]
        for whose in ("ours", "real")
    )
    assert own in {400, 500}
    assert own == real or shape != [2, -5]
    assert all(served.is_alive() for served in servers.values())


@pytest.mark.parametrize(("depth", "ours", "real"), [(50, 200, 200), (120, 400, 200)])
def test_nesting_is_limited(servers: dict[str, Served], depth: int, ours: int, real: int) -> None:
    """The real server has no limit before its later releases; docs/compatibility.md tells."""
    assert [servers[whose].post("m_INT32", nested(depth))[0] for whose in ("ours", "real")] == [ours, real]


@pytest.mark.parametrize("whose", ["ours", "real"])
class TestNumbersThatAreNone:
    def test_go_both_ways_in_json_bare(self, servers: dict[str, Served], whose: str) -> None:
        status, answer = servers[whose].post(
            "m_FP32", json.dumps(with_inputs(one(list(ODD), datatype="FP32"))).encode()
        )
        assert status == 200
        assert answer.replace(b" ", b"").endswith(b'"data":[NaN,Infinity,-Infinity,1.0]}]}')

    def test_go_both_ways_over_grpc_raw_and_typed(self, servers: dict[str, Served], whose: str) -> None:
        raw = np.array(ODD, np.float32).tobytes()
        told: dict[str, Any] = {"model": "m_FP32", "datatype": "FP32"}
        assert servers[whose].infer(a_request([raw], **told)) == ("OK", raw)
        status, back = servers[whose].infer(a_request(contents=ODD, **told))
        assert status == "OK"
        assert np.array_equal(np.frombuffer(back, np.float32), ODD, equal_nan=True)

    def test_halves_go_as_bytes_alone(self, servers: dict[str, Served], whose: str) -> None:
        body = json.dumps(with_inputs(one([1.0, 2.0, 3.0, 4.0], datatype="FP16"))).encode()
        status, answer = servers[whose].post("m_FP16", body)
        assert status == 400
        assert b"binary" in answer or whose == "real"  # ours says what would be right
        typed = a_request(contents=[1.0] * 4, field="fp32_contents", model="m_FP16", datatype="FP16")
        assert servers[whose].infer(typed)[0] == "INVALID_ARGUMENT"


@pytest.mark.parametrize("whose", ["ours", "real"])
class TestTexts:
    @pytest.mark.parametrize("kind", FRAMED)
    def test_keep_their_bytes(self, servers: dict[str, Served], whose: str, kind: str) -> None:
        framed = FRAMED[kind]
        assert servers[whose].framed_over_http(framed) == (200, framed)
        told: dict[str, Any] = {"model": "word", "datatype": "BYTES", "shape": [1, 1]}
        assert servers[whose].infer(a_request([framed], **told)) == ("OK", framed)
        assert servers[whose].infer(a_request(contents=[framed[4:]], **told)) == ("OK", framed)

    @pytest.mark.parametrize("kind", ["an embedded NUL", "UTF-8"])
    def test_keep_their_bytes_in_json(self, servers: dict[str, Served], whose: str, kind: str) -> None:
        text = FRAMED[kind][4:].decode()
        body = json.dumps(with_inputs(one([text], shape=[1, 1], datatype="BYTES"))).encode()
        status, answer = servers[whose].post("word", body)
        assert (status, json.loads(answer)["outputs"][0]["data"]) == (200, [text])


def test_a_text_that_is_cut_short_is_refused(servers: dict[str, Served]) -> None:
    """The real server hands it to the backend; docs/compatibility.md tells why ours does not."""
    request = a_request([CUT], model="word", datatype="BYTES", shape=[1, 1])
    assert servers["ours"].framed_over_http(CUT)[0] == 400
    assert servers["ours"].infer(request)[0] == "INVALID_ARGUMENT"
    assert servers["real"].framed_over_http(CUT)[0] == 200
    assert servers["real"].infer(request)[0] == "OK"
    length = struct.pack("<I", 1 << 31)
    assert servers["ours"].framed_over_http(length + b"ab")[0] == 400
    assert servers["ours"].is_alive()
