# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How doors open, close, and whom they let in."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.serving.http_door import SLOW, SLOW_BODY, exchange, read, request
from tests.waiting import wait_until

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")


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


LONG = SLOW.replace("200000", "1500000")


@pytest.fixture
def closing(tmp_path: Path) -> Iterator[Callable[..., tuple[wb.Server, Any]]]:
    """Makes servers with a slow model, and a door, that are closed at the end."""
    made: list[wb.Server] = []

    def start(exit_timeout_s: float) -> tuple[wb.Server, Any]:
        server = wb.Server(tmp_path, name="impatient", exit_timeout_s=exit_timeout_s)
        made.append(server)
        server.load("slow", config=LONG)
        return server, server.http()

    yield start
    for server in made:
        server.close()


@pytest.mark.parametrize("verb", ["infer", "generate", "generate_stream"])
def test_who_is_not_waited_for_is_told_while_the_model_still_computes(closing: Any, verb: str) -> None:
    server, door = closing(0)
    body = SLOW_BODY if verb == "infer" else '{"INPUT0": 1.0}'
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(request(f"/v2/models/slow/{verb}", body))
        wait_until(lambda: server.engine.in_flight() == 1)
        ending = threading.Thread(target=server.close)
        ending.start()
        got = read(connection, b"")
        assert server.engine.in_flight() == 1
    ending.join(20)
    assert b"503 Service Unavailable" in got and b"the server closes" in got


def test_a_server_that_closes_can_be_hurried(closing: Any) -> None:
    server, door = closing(600)
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(request("/v2/models/slow/infer", SLOW_BODY))
        wait_until(lambda: server.engine.in_flight() == 1)
        ending = threading.Thread(target=server.close)
        ending.start()
        wait_until(lambda: door.is_closed)
        server.hurry()
        assert b"503" in read(connection, b"")
    ending.join(20)
    assert not ending.is_alive()


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


@pytest.mark.parametrize("kind", ["http", "grpc", "metrics_endpoint"])
@pytest.mark.parametrize("port", ["8000", 1.5, 70000])
def test_what_is_no_port_is_refused_in_words(server: wb.Server, kind: str, port: object) -> None:
    with pytest.raises(wb.InvalidArgumentError, match=r"port is .*; it must be one of 0 to 65535"):
        getattr(server, kind)(port=port)
