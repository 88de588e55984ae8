# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The same load generator drives the real server, over both of its doors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.conformance.conftest import StartRealTriton
from tests.conformance.peer import RealTriton
from workbench.errors import InvalidArgumentError, NotFoundError
from workbench.load import Sequences

MODEL = """
name: "{name}" backend: "echo" max_batch_size: 8
input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 16 ] }} ]
instance_group [ {{ count: 1 kind: KIND_CPU }} ]
{batching}
"""


@pytest.fixture(scope="module")
def peer(
    real_triton: StartRealTriton, echo_backends: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealTriton]:
    folder = tmp_path_factory.mktemp("driven")
    batching = {"dynamic": "dynamic_batching { }", "sequences": "sequence_batching { }"}
    for name, text in batching.items():
        (folder / name / "1").mkdir(parents=True)
        (folder / name / "config.pbtxt").write_text(MODEL.format(name=name, batching=text))
    return real_triton(folder, echo_backends)


@pytest.fixture(params=["http", "grpc"])
def url(request: pytest.FixtureRequest, peer: RealTriton) -> str:
    port = peer.http if request.param == "http" else peer.grpc
    return f"{request.param}://127.0.0.1:{port}"


def test_every_request_is_answered_and_counted(url: str) -> None:
    measured = wb.drive(wb.RemoteModel(url, "dynamic"), rate=500, duration_s=0.5, warmup=0.0, repeats=0)
    assert (len(measured.records), measured.errors, measured.unanswered) == (250, {}, 0)
    assert sum(size * count for size, count in measured.batches.items()) >= 250
    assert measured.split.queue_ns > 0


def test_sequences_start_and_end(url: str) -> None:
    sequences = Sequences(in_flight=3, length=5)
    model = wb.RemoteModel(url, "sequences")
    measured = wb.drive(model, concurrency=1, requests=60, sequences=sequences, warmup=0.0, repeats=0)
    assert measured.errors == {}


def test_what_it_refuses_is_refused_before_the_run(url: str) -> None:
    with pytest.raises(InvalidArgumentError):
        wb.drive(wb.RemoteModel(url, "dynamic"), inputs={"INPUT0": np.ones((1, 7), np.float32)}, rate=10)
    with pytest.raises((NotFoundError, InvalidArgumentError)):
        wb.drive(wb.RemoteModel(url, "nobody"), rate=10)
