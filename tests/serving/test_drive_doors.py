# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load over the network, on this process's own doors: what holds over HTTP and gRPC alike."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.errors import InvalidArgumentError, NotFoundError, UnavailableError
from workbench.load import Sequences
from workbench.load.remote_target import RemoteTarget

ENDPOINTS = pytest.importorskip("workbench._endpoints")


def drive(model: Any, **options: Any) -> Any:
    """One short run, measured from its begin."""
    return wb.drive(model, **{"repeats": 0, "warmup": 0.0} | options)


@pytest.fixture(params=["http", "grpc"])
def protocol(request: pytest.FixtureRequest) -> str:
    """What the door speaks."""
    if request.param == "grpc" and not hasattr(ENDPOINTS, "grpc_target"):
        pytest.skip("built without nghttp2")
    return str(request.param)


@pytest.fixture
def remote(server: wb.Server, protocol: str) -> Callable[..., wb.RemoteModel]:
    """A model by its name, behind an open door."""
    port = getattr(server, protocol)().port
    return lambda name="echo": wb.RemoteModel(f"{protocol}://localhost:{port}", name)


def test_an_open_loop_sends_every_request(identity: Any, remote: Any, protocol: str) -> None:
    identity()
    measured = drive(remote(), rate=1000, duration_s=0.3)
    assert len(measured.records) == 300
    assert (measured.errors, measured.unanswered) == ({}, 0)
    assert measured.model.startswith(f"echo at {protocol}://")


def test_a_closed_loop_keeps_its_requests_in_flight(synthetic: Any, remote: Any) -> None:
    synthetic(5, extra="dynamic_batching { }")
    measured = drive(remote("slow"), concurrency=16, duration_s=0.4)
    assert measured.errors == {}
    assert measured.mean_batch_size > 6
    assert measured.split.compute_infer_ns > 4.9e6
    assert 4 < measured.observations["in_flight"].mean() <= 16


def test_sequences_keep_their_order_and_end(identity: Any, remote: Any) -> None:
    identity(extra="max_batch_size: 8 sequence_batching { max_sequence_idle_microseconds: 60000000 }")
    measured = drive(remote(), concurrency=1, requests=100, sequences=Sequences(in_flight=3, length=5))
    assert measured.errors == {}


def test_large_tensors_arrive_whole(identity: Any, remote: Any) -> None:
    identity(dims="-1")
    inputs = {"INPUT0": np.ones((1, 1 << 20), np.float32)}
    measured = drive(remote(), inputs=inputs, concurrency=4, requests=40)
    assert (measured.errors, measured.unanswered, measured.requests) == ({}, 0, 40)


def test_a_sample_that_the_server_refuses_is_refused_before_the_run(identity: Any, remote: Any) -> None:
    identity()
    with pytest.raises(InvalidArgumentError, match="INPUT0"):
        drive(remote(), inputs={"INPUT0": np.ones((1, 7), np.float32)}, rate=10)
    with pytest.raises(NotFoundError):
        drive(remote("nobody"), rate=10)


def test_where_nobody_listens_nothing_is_driven(protocol: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(UnavailableError, match="does not answer"):
        drive(wb.RemoteModel(f"{protocol}://127.0.0.1:{port}", "m"), rate=10)


def test_a_run_that_is_stopped_cancels_what_is_in_flight(synthetic: Any, remote: Any) -> None:
    synthetic(300, max_batch_size=1)
    target = RemoteTarget(remote("slow"))
    workload = wb.Workload.closed(concurrency=4, duration_s=60)
    run = target.start(workload, workload.schedule_ns())
    while run.progress().sent < 4:
        run.wait(0.01)
    run.stop()
    assert run.wait(5)
    while run.progress().answered < run.progress().sent:
        run.wait(0.01)
    assert 8 in run.records()["status"].tolist()
