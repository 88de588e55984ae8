# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load over gRPC, on this process's own door and on servers that misbehave."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.serving.test_drive_doors import drive
from workbench.load import Sample
from workbench.load.grpc_wire import GrpcWire
from workbench.load.remote_target import RemoteTarget

ENDPOINTS = pytest.importorskip("workbench._endpoints")
pytestmark = pytest.mark.skipif(not hasattr(ENDPOINTS, "grpc_target"), reason="built without nghttp2")


@pytest.fixture
def remote(server: wb.Server) -> Callable[..., wb.RemoteModel]:
    door = server.grpc()
    return lambda name="echo": wb.RemoteModel(f"grpc://localhost:{door.port}", name)


def test_calls_share_their_connections(synthetic: Any, remote: Any) -> None:
    synthetic(60, extra="dynamic_batching { max_queue_delay_microseconds: 50000 }", max_batch_size=64)
    measured = drive(remote("slow"), arrivals=[0.01] * 64)
    assert measured.errors == {}
    assert max(measured.batches) > 20


def test_priority_and_parameters_are_sent(synthetic: Any, remote: Any) -> None:
    policy = """dynamic_batching { priority_levels: 2 default_priority_level: 1
        priority_queue_policy [ { key: 2 value { max_queue_size: 1 } } ] }"""
    synthetic(20, extra=policy, max_batch_size=1)
    samples = [Sample(priority=2, parameters={"a": 1, "b": True, "c": "text", "d": 0.5})]
    assert drive(remote("slow"), inputs=samples, rate=500, duration_s=0.1).errors["UNAVAILABLE"] > 20


def test_failures_are_counted_by_the_status_that_they_stand_for(
    identity: Any, remote: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity()
    monkeypatch.setattr(GrpcWire, "try_once", lambda *_: None)
    measured = drive(remote(), inputs={"INPUT0": np.ones((1, 7), np.float32)}, rate=500, duration_s=0.1)
    assert measured.errors == {"INVALID_ARG": 50}


@pytest.mark.parametrize("reply", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_a_server_that_speaks_no_http_2_is_unavailable(reply: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(listener: socket.socket) -> None:
        client, _ = listener.accept()
        with client:
            client.recv(1 << 16)
            client.sendall(reply)

    monkeypatch.setattr(GrpcWire, "try_once", lambda *_: None)
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        served = pool.submit(answer, listener)
        model = wb.RemoteModel(f"grpc://127.0.0.1:{listener.getsockname()[1]}", "m")
        monkeypatch.setattr(model, "config", lambda: wb.parse_config('name: "m" backend: "b"'), raising=False)
        workload = wb.Workload.closed(concurrency=1, requests=5)
        run = RemoteTarget(model, inputs={"X": np.ones(1, np.float32)}).start(workload, workload.schedule_ns())
        assert run.wait(20)
        served.result()
    assert run.records()["status"].tolist() == [5] * 5


def test_a_server_that_closes_its_door_leaves_no_request_without_an_end(synthetic: Any, server: wb.Server) -> None:
    synthetic(20, max_batch_size=1)
    door = server.grpc()
    target = RemoteTarget(wb.RemoteModel(f"grpc://localhost:{door.port}", "slow"))
    workload = wb.Workload.poisson(rate=100, duration_s=0.5)
    run = target.start(workload, workload.schedule_ns())
    while run.progress().answered < 5:
        run.wait(0.01)
    closing = threading.Thread(target=door.close)
    closing.start()
    assert run.wait(20)
    closing.join()
    assert run.progress().answered == run.progress().sent
    assert set(run.records()["status"].tolist()) <= {0, 5, 8}
