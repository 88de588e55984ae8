# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's load tool measures our server as it does the real one."""

from __future__ import annotations

from pathlib import Path

import pytest

import workbench as wb
from tests.conformance.peer import PeerUnavailable
from tests.conformance.perf_analyzer import measure, perf_analyzer

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

CONFIG = """
backend: "identity" max_batch_size: 64 dynamic_batching { }
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
"""


@pytest.mark.peer
@pytest.mark.parametrize("protocol", ["http", "grpc"])
@pytest.mark.parametrize("concurrency", [1, 8])
def test_it_measures_through_the_door(tmp_path: Path, protocol: str, concurrency: int) -> None:
    try:
        perf_analyzer()
    except PeerUnavailable as error:
        pytest.skip(str(error))
    with wb.Server(tmp_path, name="measured") as server:
        model = server.load("m", config=CONFIG)
        door = server.http() if protocol == "http" else server.grpc()
        url = f"127.0.0.1:{door.port}"
        measured = measure(url, model="m", protocol=protocol, concurrency=concurrency, window_ms=200)
        assert measured.requests_per_s > 0 and measured.p99_us >= measured.p50_us > 0
        assert model.statistics().inference_count > 0
