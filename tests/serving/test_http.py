# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The HTTP door: standard clients, clients that misbehave, and how it opens and closes."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from prometheus_client.parser import text_string_to_metric_families

import workbench as wb

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")
tritonclient = pytest.importorskip("tritonclient.http", reason="tritonclient[http] is not installed")

IDENTITY = """
backend: "identity" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""
SLOW = """
backend: "synthetic" max_batch_size: 1
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
parameters [ { key: "tau0_us" value: { string_value: "200000" } } ]
"""
ONE = np.arange(4, dtype=np.float32).reshape(1, 4)
JSON_BODY = json.dumps({"inputs": [{"name": "INPUT0", "shape": [1, 4], "datatype": "FP32", "data": [0, 1, 2, 3]}]})
SLOW_BODY = json.dumps({"inputs": [{"name": "INPUT0", "shape": [1, 1], "datatype": "FP32", "data": [0]}]})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    with wb.Server(tmp_path, name="doors") as server:
        server.load("m", config=IDENTITY)
        yield server


@pytest.fixture
def door(server: wb.Server) -> Any:
    return server.http()


@pytest.fixture
def client(door: Any) -> Iterator[Any]:
    with tritonclient.InferenceServerClient(f"127.0.0.1:{door.port}") as client:
        yield client


def an_input(array: Any = ONE, *, binary: bool = True) -> Any:
    told = tritonclient.InferInput("INPUT0", list(array.shape), "FP32")
    told.set_data_from_numpy(array, binary_data=binary)
    return told


def exchange(door: Any, sent: bytes, *, until: bytes = b"") -> bytes:
    """What comes back on a connection of its own, until the server closes it or `until` was seen."""
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(sent)
        return read(connection, until)


def read(connection: socket.socket, until: bytes) -> bytes:
    got = b""
    while chunk := connection.recv(65536):
        got += chunk
        if until and until in got:
            break
    return got


def request(path: str, body: str = "", *, method: str = "POST", head: str = "", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {size}\r\n\r\n{body}".encode()


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("coding", [None, "gzip", "deflate"])
def test_tritonclient_infers(client: Any, binary: bool, coding: str | None) -> None:
    wish = tritonclient.InferRequestedOutput("OUTPUT0", binary_data=binary)
    packing = {"request_compression_algorithm": coding, "response_compression_algorithm": coding}
    reply = client.infer("m", [an_input(binary=binary)], outputs=[wish], request_id="seven", **packing)
    assert (reply.as_numpy("OUTPUT0") == ONE).all()
    assert reply.get_response()["id"] == "seven"


def test_tritonclient_manages(client: Any, server: wb.Server) -> None:
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("m")
    assert client.get_model_metadata("m")["inputs"][0]["name"] == "INPUT0"
    client.load_model("other", config=json.dumps({"backend": "identity", "max_batch_size": 2, **tensors_json()}))
    assert server.model("other").infer({"INPUT0": ONE})["OUTPUT0"].shape == (1, 4)
    assert {row["name"] for row in client.get_model_repository_index()} == {"m", "other"}
    client.unload_model("other")
    assert not client.is_model_ready("other")
    client.infer("m", [an_input()])
    told = client.get_inference_statistics("m")["model_stats"][0]
    assert told["inference_count"] == server.model("m").statistics().inference_count == 1


def tensors_json() -> dict[str, Any]:
    tensor = {"data_type": "TYPE_FP32", "dims": [4]}
    return {"input": [{"name": "INPUT0", **tensor}], "output": [{"name": "OUTPUT0", **tensor}]}


def test_many_requests_are_in_flight_at_once(door: Any) -> None:
    from tritonclient.http import aio

    async def run() -> int:
        async with aio.InferenceServerClient(f"127.0.0.1:{door.port}") as client:
            replies = await asyncio.gather(*(client.infer("m", [an_input()]) for _ in range(64)))
            return sum(bool((reply.as_numpy("OUTPUT0") == ONE).all()) for reply in replies)

    assert asyncio.run(run()) == 64


def test_tensors_lie_in_shared_memory(client: Any) -> None:
    region = shared_memory.SharedMemory(create=True, size=64)
    try:
        region.buf[16:32] = ONE.tobytes()
        client.register_system_shared_memory("r", f"/{region.name}", 64)
        told = tritonclient.InferInput("INPUT0", [1, 4], "FP32")
        told.set_shared_memory("r", 16, offset=16)
        wish = tritonclient.InferRequestedOutput("OUTPUT0")
        wish.set_shared_memory("r", 16, offset=32)
        client.infer("m", [told], outputs=[wish])
        assert bytes(region.buf[32:48]) == ONE.tobytes()
        assert [row["name"] for row in client.get_system_shared_memory_status()] == ["r"]
        with pytest.raises(tritonclient.InferenceServerException, match="registered already"):
            client.register_system_shared_memory("r", f"/{region.name}", 64)
        told.set_shared_memory("r", 16, offset=60)
        with pytest.raises(tritonclient.InferenceServerException, match="do not lie within"):
            client.infer("m", [told])
        client.unregister_system_shared_memory("r")
        assert client.get_system_shared_memory_status() == []
    finally:
        region.close()
        region.unlink()


def test_a_sequence_keeps_its_place(client: Any, server: wb.Server) -> None:
    server.load("s", config=IDENTITY + "sequence_batching { oldest { max_candidate_sequences: 4 } }")
    client.infer("s", [an_input()], sequence_id=7, sequence_start=True)
    client.infer("s", [an_input()], sequence_id=7, sequence_end=True)
    with pytest.raises(tritonclient.InferenceServerException) as refused:
        client.infer("s", [an_input()], sequence_id=7)
    assert refused.value.status() == "400"


def test_requests_that_were_sent_ahead_are_answered_in_order(door: Any) -> None:
    sent = b"".join(
        request(
            "/v2/models/m/infer",
            JSON_BODY.replace('{"inputs"', f'{{"id": "{number}", "inputs"'),
            head="Connection: close\r\n" if number == 19 else "",
        )
        for number in range(20)
    )
    got = exchange(door, sent).decode()
    places = [got.index(f'"id":"{number}"') for number in range(20)]
    assert places == sorted(places)


def test_a_body_comes_in_chunks(door: Any) -> None:
    pieces = [JSON_BODY[at : at + 7] for at in range(0, len(JSON_BODY), 7)]
    chunks = "".join(f"{len(piece):x}\r\n{piece}\r\n" for piece in pieces)
    head = "POST /v2/models/m/infer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert b"200 OK" in exchange(door, f"{head}{chunks}0\r\n\r\n".encode())


def test_a_client_may_ask_before_it_sends_the_body(door: Any) -> None:
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        whole = request("/v2/models/m/infer", JSON_BODY, head="Expect: 100-continue\r\nConnection: close\r\n")
        head, body = whole.split(b"\r\n\r\n", 1)
        connection.sendall(head + b"\r\n\r\n")
        assert b"100 Continue" in read(connection, b"\r\n\r\n")
        connection.sendall(body)
        assert b"200 OK" in read(connection, b"")


def test_a_body_beyond_the_limit_is_refused(server: wb.Server) -> None:
    door = server.http(max_body_byte_size=1000)
    assert b"400 Bad Request" in exchange(door, request("/v2/models/m/infer", length=1001))
    assert b"is the limit" in exchange(door, request("/v2/models/m/infer", length=1 << 60))


@pytest.mark.parametrize(
    "sent", [b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"GET /v2 HTTP/9.9\r\n\r\n", b"\x16\x03\x01" * 50]
)
def test_what_is_no_http_is_refused(door: Any, sent: bytes) -> None:
    assert exchange(door, sent).startswith(b"HTTP/1.1 400")


def test_a_head_without_end_is_refused(door: Any) -> None:
    assert b"431" in exchange(door, b"GET /v2 HTTP/1.1\r\n" + b"X: y\r\n" * 20_000)


def test_slow_clients_lose_their_connection_and_others_are_served(server: wb.Server) -> None:
    door = server.http(slow_client_s=1)
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as slow:
        slow.sendall(b"POST /v2/models/m/infer HTTP/1.1\r\nContent-")
        assert b"200 OK" in exchange(door, request("/v2/health/live", method="GET", head="Connection: close\r\n"))
        assert read(slow, b"") == b""


def test_clients_that_vanish_leave_nothing_behind(server: wb.Server, door: Any) -> None:
    for length in range(0, 200, 9):
        whole = request("/v2/models/m/infer", JSON_BODY)
        with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
            connection.sendall(whole[:length])
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, no farewell
    assert b"200 OK" in exchange(door, request("/v2/models/m/infer", JSON_BODY, head="Connection: close\r\n"))
    assert server.engine.in_flight() == 0


def wait_until(is_so: Any) -> None:
    until = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_client_that_goes_away_cancels_its_request(server: wb.Server, door: Any) -> None:
    slow = server.load("slow", config=SLOW)
    with (
        socket.create_connection(("127.0.0.1", door.port)) as first,
        socket.create_connection(("127.0.0.1", door.port)) as second,
    ):
        first.sendall(request("/v2/models/slow/infer", SLOW_BODY))
        wait_until(lambda: server.engine.in_flight() == 1)
        second.sendall(request("/v2/models/slow/infer", SLOW_BODY))
        wait_until(lambda: server.engine.in_flight() == 2)
    wait_until(lambda: server.engine.in_flight() == 0)
    assert slow.statistics().inference_count <= 1  # the second never ran


def test_closing_answers_what_was_taken_and_frees_the_port(server: wb.Server, door: Any) -> None:
    server.load("slow", config=SLOW)
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(request("/v2/models/slow/infer", SLOW_BODY))
        wait_until(lambda: server.engine.in_flight() == 1)
        closing = threading.Thread(target=door.close)
        closing.start()
        got = read(connection, b"")
    closing.join(20)
    assert b"200 OK" in got and b"Connection: close" in got
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", door.port))


def test_a_server_that_closes_closes_its_doors(tmp_path: Path) -> None:
    with wb.Server(tmp_path, name="closing-doors") as server:
        door = server.http()
        page = server.metrics_endpoint()
    assert door.is_closed and page.is_closed
    with pytest.raises(wb.UnavailableError, match="closed"):
        server.http()


def test_a_cell_that_opens_a_port_may_run_again(server: wb.Server) -> None:
    first = server.http(port=free_port())
    again = server.http(port=first.port)
    assert first.is_closed and again.port == first.port
    assert b"200 OK" in exchange(again, request("/v2/health/live", method="GET", head="Connection: close\r\n"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_port_that_is_taken_is_told(server: wb.Server) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(wb.UnavailableError, match="can not be listened at"):
            server.http(port=other.getsockname()[1])


def test_other_machines_need_a_word_and_a_token(server: wb.Server) -> None:
    with pytest.raises(wb.InvalidArgumentError, match="remote=True"):
        server.http(address="0.0.0.0")
    with pytest.raises(wb.InvalidArgumentError, match="token"):
        server.http(address="0.0.0.0", remote=True)
    with pytest.raises(wb.InvalidArgumentError, match="no IP address"):
        server.http(address="localhost:1")
    door = server.http(token="secret")
    assert b"401" in exchange(door, request("/v2", method="GET", head="Connection: close\r\n"))
    head = "Connection: close\r\nAuthorization: Bearer secret\r\n"
    assert b"200 OK" in exchange(door, request("/v2", method="GET", head=head))


def test_prometheus_reads_the_metrics(server: wb.Server) -> None:
    server.model("m").infer({"INPUT0": ONE})
    page = server.metrics_endpoint()
    with urllib.request.urlopen(page.url, timeout=20) as answer:
        text = answer.read().decode()
    found = {family.name: family for family in text_string_to_metric_families(text)}
    assert found["nv_inference_request_success"].samples[0].value == 1
    assert b"404" in exchange(page, request("/v2", method="GET", head="Connection: close\r\n"))


def test_requests_are_served_while_the_kernel_computes(door: Any) -> None:
    """A Python loop that never lets go holds up no inference by more than the load of the machine."""
    stop = threading.Event()
    spinning = threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)])
    spinning.start()
    try:
        sent = request("/v2/models/m/infer", JSON_BODY) * 199
        sent += request("/v2/models/m/infer", JSON_BODY, head="Connection: close\r\n")
        assert exchange(door, sent).count(b"200 OK") == 200
    finally:
        stop.set()
        spinning.join()
