# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's load tool measures our server as it does the real one, in each of its modes that concerns a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import workbench as wb
from tests.conformance.peer import PeerUnavailable
from tests.conformance.perf_analyzer import measure, perf_analyzer

pytest.importorskip("workbench._endpoints", reason="no front doors in this build")

CONFIG: Final = """
backend: "identity" max_batch_size: 64 dynamic_batching { }
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] } ]
"""
SEQUENCES: Final = CONFIG.replace("dynamic_batching { }", "sequence_batching { oldest { max_candidate_sequences: 8 } }")
SHARED: Final = ["--shared-memory", "system", "--output-shared-memory-size", "1024", "--concurrency-range", "2"]
MODES: Final = {
    "requests at a rate": ("http", ["--request-rate-range", "200", "--request-distribution", "poisson"]),
    "requests at a rate over gRPC": ("grpc", ["--request-rate-range", "200", "--request-distribution", "constant"]),
    "requests at intervals": ("http", ["--request-intervals", "FOLDER/intervals"]),
    "shared memory": ("http", SHARED),
    "shared memory over gRPC": ("grpc", SHARED),
    "a stream": ("grpc", ["--streaming", "--concurrency-range", "4"]),
    "sequences": ("grpc", ["--streaming", "--concurrency-range", "2", "--sequence-length", "5"]),
    "JSON both ways": ("http", ["--input-tensor-format", "json", "--output-tensor-format", "json"]),
    "batches and inputs of a file": ("http", ["--input-data", "FOLDER/inputs.json"]),
    "batches": ("grpc", ["-b", "4", "--concurrency-range", "2"]),
    "metrics collected": ("http", ["--collect-metrics", "--metrics-url", "METRICS", "--metrics-interval", "100"]),
    "packed messages": ("grpc", ["--grpc-compression-algorithm", "gzip", "--concurrency-range", "2"]),
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    try:
        perf_analyzer()
    except PeerUnavailable as error:
        pytest.skip(str(error))
    with wb.Server(tmp_path, name="measured") as server:
        yield server


@pytest.mark.peer
@pytest.mark.parametrize("protocol", ["http", "grpc"])
@pytest.mark.parametrize("concurrency", [1, 8])
def test_it_measures_through_the_door(server: wb.Server, protocol: str, concurrency: int) -> None:
    model = server.load("m", config=CONFIG)
    door = server.http() if protocol == "http" else server.grpc()
    url = f"127.0.0.1:{door.port}"
    measured = measure(url, model="m", protocol=protocol, concurrency=concurrency, window_ms=200)
    assert measured.requests_per_s > 0 and measured.p99_us >= measured.p50_us > 0
    assert model.statistics().inference_count > 0


@pytest.mark.peer
@pytest.mark.parametrize("mode", MODES)
def test_its_modes_are_served(server: wb.Server, tmp_path: Path, mode: str) -> None:
    protocol, flags = MODES[mode]
    model = server.load("m", config=SEQUENCES if mode == "sequences" else CONFIG)
    (tmp_path / "intervals").write_text("2000\n3000\n1000\n")
    (tmp_path / "inputs.json").write_text(json.dumps({"data": [{"INPUT0": {"content": [1.5] * 16, "shape": [16]}}]}))
    metrics = f"127.0.0.1:{server.metrics_endpoint().port}/metrics"
    told = [flag.replace("FOLDER", str(tmp_path)).replace("METRICS", metrics) for flag in flags]
    door = server.http() if protocol == "http" else server.grpc()
    measured = measure(f"127.0.0.1:{door.port}", model="m", protocol=protocol, window_ms=200, flags=told)
    assert measured.requests_per_s > 0
    assert model.statistics().inference_count > 0
    assert model.statistics().fail.count == 0
