# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What clients do to a connection, and what becomes of it."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.serving.conftest import SAMPLES
from tests.serving.http_door import IDENTITY, JSON_BODY, SLOW, SLOW_BODY, exchange, read, request
from tests.waiting import wait_until

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")


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


def in_bytes(tensor: bytes, *, head: str = "") -> bytes:
    """A request whose tensor, and that of its reply, follow the JSON as bytes."""
    size = len(tensor)
    described = {"name": "INPUT0", "shape": [1, size // 4], "datatype": "FP32"}
    inputs = [described | {"parameters": {"binary_data_size": size}}]
    told = json.dumps({"inputs": inputs, "parameters": {"binary_data_output": True}})
    head += f"Inference-Header-Content-Length: {len(told)}\r\n"
    return request("/v2/models/m/infer", told, head=head, length=len(told) + size) + tensor


def test_replies_larger_than_a_socket_holds_arrive_whole_and_in_order_at_a_client_that_reads_late(
    tmp_path: Path,
) -> None:
    large, small = np.arange(8 << 20, dtype=np.float32).tobytes(), np.ones(4, np.float32).tobytes()
    with wb.Server([tmp_path, SAMPLES]) as server:
        model = server.load("m", config=IDENTITY.replace("[ 4 ]", "[ -1 ]"))
        door = server.http()
        with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
            connection.sendall(in_bytes(large))
            wait_until(lambda: model.statistics().inference_count == 1)
            connection.sendall(in_bytes(small, head="Connection: close\r\n"))
            first, second = read(connection, b"").split(b"HTTP/1.1 200 OK")[1:]
    assert first.endswith(large)
    assert second.endswith(small)


def test_a_client_that_does_not_read_its_reply_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with wb.Server([tmp_path, SAMPLES], exit_timeout_s=0.1) as server:
        model = server.load("m", config=IDENTITY.replace("[ 4 ]", "[ -1 ]"))
        door = server.http()
        with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
            connection.sendall(in_bytes(bytes(32 << 20)))
            wait_until(lambda: model.statistics().inference_count == 1)
            door.close()


def test_a_door_tells_how_many_connections_were_opened(server: wb.Server) -> None:
    door = server.http()
    assert door.accepted_connections == 0
    ready = b"GET /v2/health/ready HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as kept:
        for _ in range(3):
            kept.sendall(ready)
            assert b"200 OK" in read(kept, b"\r\n\r\n")
    assert door.accepted_connections == 1
    for _ in range(3):
        exchange(door, ready, until=b"\r\n\r\n")
    assert door.accepted_connections == 4
