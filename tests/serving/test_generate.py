# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""generate, generate_stream, and the settings that clients change through the HTTP door."""

from __future__ import annotations

import http.client
import json
import socket
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import workbench as wb
from tests.serving.http_door import exchange, read, request
from tests.serving.test_stream import CONFIG, COUNTER
from tests.waiting import wait_until

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")


@pytest.fixture(scope="module", autouse=True)
def counter() -> None:
    wb.build_backend("counter", COUNTER)


@pytest.fixture
def door(server: wb.Server) -> Any:
    server.load("counter", config=CONFIG)
    return server.http()


def ask(door: Any, path: str, told: Any = None) -> tuple[int, str]:
    body = None if told is None else json.dumps(told).encode()
    try:
        with urllib.request.urlopen(door.url + path, body, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def events(text: str) -> list[Any]:
    return [json.loads(event.removeprefix("data: ")) for event in text.strip().split("\n\n")]


def test_every_answer_is_an_event(door: Any) -> None:
    status, text = ask(door, "/v2/models/counter/generate_stream", {"INPUT0": 5, "id": "x"})
    assert status == 200
    assert [event["OUTPUT0"] for event in events(text)] == [0, 1, 2, 3, 4]
    assert {event["id"] for event in events(text)} == {"x"}


def test_no_answer_is_an_empty_stream(door: Any) -> None:
    assert ask(door, "/v2/models/counter/generate_stream", {"INPUT0": 0}) == (200, "")


def test_an_error_at_first_is_the_status(door: Any) -> None:
    status, text = ask(door, "/v2/models/counter/generate_stream", {"INPUT0": -1})
    assert status == 500
    assert "no numbers below zero" in json.loads(text)["error"]


def test_generate_wants_one_answer(door: Any) -> None:
    assert json.loads(ask(door, "/v2/models/counter/generate", {"INPUT0": 1})[1])["OUTPUT0"] == 0
    for count in (0, 2):
        status, text = ask(door, "/v2/models/counter/generate", {"INPUT0": count})
        assert status == 500 and f"answered {count} times" in text


def test_infer_refuses_a_decoupled_model(door: Any) -> None:
    told = {"inputs": [{"name": "INPUT0", "shape": [1], "datatype": "INT32", "data": [1]}]}
    status, text = ask(door, "/v2/models/counter/infer", told)
    assert status == 501 and "generate_stream" in text


def test_a_connection_goes_on_after_a_stream(door: Any) -> None:
    path = "/v2/models/counter/generate_stream"
    sent = request(path, '{"INPUT0": 2}') + request(path, '{"INPUT0": 3}', head="Connection: close\r\n")
    got = exchange(door, sent)
    assert got.count(b"data: ") == 5 and got.count(b"0\r\n\r\n") == 2


def test_a_reader_that_leaves_ends_its_stream(server: wb.Server, door: Any) -> None:
    with socket.create_connection(("127.0.0.1", door.port), timeout=20) as connection:
        connection.sendall(request("/v2/models/counter/generate_stream", '{"INPUT0": 2000}'))
        assert b"data: " in read(connection, b"data: ")
    wait_until(lambda: server.engine.in_flight() == 0)
    assert ask(door, "/v2/models/counter/generate", {"INPUT0": 1})[0] == 200


def test_clients_change_what_is_traced(server: wb.Server, door: Any) -> None:
    told = {"trace_level": ["TIMESTAMPS"], "trace_rate": "1", "trace_count": "5"}
    status, text = ask(door, "/v2/models/counter/trace/setting", told)
    assert status == 200 and json.loads(text)["trace_rate"] == "1"
    assert server.trace("counter").trace_count == 5
    ask(door, "/v2/models/counter/generate", {"INPUT0": 1})
    wait_until(server.traces)
    ask(door, "/v2/models/counter/trace/setting", {"trace_level": None})
    assert server.trace("counter").trace_level == ("OFF",)


def test_files_are_not_written_by_clients(door: Any) -> None:
    assert ask(door, "/v2/logging", {"log_file": "/tmp/x"})[0] == 501
    assert ask(door, "/v2/trace/setting", {"trace_file": "/tmp/x"})[0] == 501


def streamed(door: Any, count: int) -> set[int]:
    """How many events each of a hundred streams has, one after the other on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=20)
    counts = set()
    for _ in range(100):
        connection.request("POST", "/v2/models/counter/generate_stream", json.dumps({"INPUT0": count}))
        counts.add(connection.getresponse().read().count(b"data: "))
    connection.close()
    return counts


def test_many_short_streams_end_one_by_one(server: wb.Server, door: Any) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda count: streamed(door, count), range(4))) == [{0}, {1}, {2}, {3}]
    assert server.engine.in_flight() == 0
