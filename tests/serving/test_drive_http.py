# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load over HTTP, on this process's own door and on servers that misbehave."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.serving.test_drive_doors import drive
from workbench.load import Sample
from workbench.load.http_wire import HttpWire
from workbench.load.remote_target import RemoteTarget


@pytest.fixture
def remote(server: wb.Server) -> Callable[..., wb.RemoteModel]:
    door = server.http()
    return lambda name="echo": wb.RemoteModel(f"http://localhost:{door.port}", name)


@pytest.fixture
def broken_server() -> Iterator[Callable[[bytes], int]]:
    """Listens, and answers each connection's first bytes with those given, then hangs up; gives its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    answers: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(client,), daemon=True).start()

    def answer(client: socket.socket) -> None:
        with client:
            if client.recv(1 << 16):
                client.sendall(answers[0])

    def arm(reply: bytes) -> int:
        answers.append(reply)
        thread.start()
        return int(listener.getsockname()[1])

    thread = threading.Thread(target=serve, daemon=True)
    yield arm
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def test_the_server_s_statistics_split_the_latency(synthetic: Any, remote: Any) -> None:
    synthetic(2)
    measured = drive(remote("slow"), rate=50, duration_s=0.3)
    assert sum(size * count for size, count in measured.batches.items()) >= 15
    assert measured.split.compute_infer_ns > 1.9e6


def test_more_connections_are_opened_where_all_are_busy(synthetic: Any, remote: Any) -> None:
    synthetic(60, extra="dynamic_batching { max_queue_delay_microseconds: 50000 }", max_batch_size=64)
    measured = drive(remote("slow"), arrivals=[0.01] * 64, warmup=0.0)
    assert measured.errors == {}
    assert max(measured.batches) > 20


def test_at_the_limit_of_connections_requests_wait(synthetic: Any, remote: Any) -> None:
    synthetic(5)
    one = RemoteTarget(
        remote("slow"),
        wire=HttpWire(connection_limit=1),
    )
    measured = drive(one, arrivals=[0.0] * 10)
    assert measured.errors == {}
    assert measured.latency.p99.value > 45e6


def test_several_models_of_one_server_make_a_mix(identity: Any, remote: Any) -> None:
    first, second = identity(name="first"), identity(name="second")
    inputs = [Sample(), Sample(model=remote("second"), weight=1)]
    assert drive(remote("first"), inputs=inputs, concurrency=2, requests=100).errors == {}
    # One more each: samples are tried before the run.
    assert [model.statistics().success.count for model in (first, second)] == [51, 51]


def test_failures_are_counted_by_the_status_that_they_stand_for(synthetic: Any, remote: Any) -> None:
    policy = "dynamic_batching { default_queue_policy { max_queue_size: 1 } }"
    synthetic(50, extra=policy, max_batch_size=1)
    measured = drive(remote("slow"), rate=500, duration_s=0.2)
    assert measured.errors.get("UNAVAILABLE", 0) > 50


@pytest.mark.parametrize("reply", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", b"no HTTP\r\n\r\n"])
def test_replies_that_break_off_are_unavailable(
    reply: bytes, broken_server: Callable[[bytes], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = drive_raw(broken_server(reply), monkeypatch)
    assert records["status"].tolist() == [5] * 20


def test_a_server_that_closes_after_each_reply_is_driven_on_new_connections(
    broken_server: Callable[[bytes], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = drive_raw(
        broken_server(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), monkeypatch
    )
    assert records["status"].tolist() == [0] * 20


def drive_raw(port: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Twenty requests to a server that has no models."""
    model = wb.RemoteModel(f"http://127.0.0.1:{port}", "m")
    monkeypatch.setattr(model, "config", lambda: wb.parse_config('name: "m" backend: "b"'), raising=False)
    monkeypatch.setattr(HttpWire, "try_once", lambda *_: None)
    target = RemoteTarget(model, inputs={"X": np.ones(1, np.float32)})
    workload = wb.Workload.closed(concurrency=2, requests=20)
    run = target.start(workload, workload.schedule_ns())
    assert run.wait(20)
    return run.records()
