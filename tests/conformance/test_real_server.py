# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The real server as oracle: it starts, and runs what was compiled with our headers."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest

from tests.conformance import peer
from tests.conformance.conftest import StartRealTriton
from tests.conformance.peer import PeerFailed, PeerUnavailable, RealTriton

CONFIG = """
backend: "echo"
max_batch_size: 8
input [ { name: "INPUT0", data_type: TYPE_FP32, dims: [ 16 ] } ]
output [ { name: "OUTPUT0", data_type: TYPE_FP32, dims: [ 16 ] } ]
instance_group [ { kind: KIND_CPU } ]
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    (folder / "echo_model" / "1").mkdir(parents=True)
    (folder / "echo_model" / "config.pbtxt").write_text(CONFIG)
    return folder


@pytest.fixture(scope="module")
def server(real_triton: StartRealTriton, repository: Path, echo_backends: Path) -> RealTriton:
    return real_triton(repository, echo_backends)


def _fetch(server: RealTriton, path: str, body: object = None) -> dict:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(f"{server.url}{path}", data, timeout=10) as reply:
        return json.load(reply)


def test_backend_compiled_with_our_headers_answers_in_the_real_server(server: RealTriton) -> None:
    values = [float(i) for i in range(32)]
    tensor = {"name": "INPUT0", "datatype": "FP32", "shape": [2, 16], "data": values}
    reply = _fetch(server, "/v2/models/echo_model/infer", {"inputs": [tensor]})
    assert reply["outputs"] == [{**tensor, "name": "OUTPUT0"}]


def test_its_statistics_are_real(server: RealTriton) -> None:
    tensor = {"name": "INPUT0", "datatype": "FP32", "shape": [3, 16], "data": [0.0] * 48}
    before = _fetch(server, "/v2/models/echo_model/stats")["model_stats"][0]
    _fetch(server, "/v2/models/echo_model/infer", {"inputs": [tensor]})
    after = _fetch(server, "/v2/models/echo_model/stats")["model_stats"][0]
    assert after["inference_count"] - before["inference_count"] == 3
    assert after["execution_count"] - before["execution_count"] == 1
    assert 0 < after["inference_stats"]["queue"]["ns"] < 10**9


def test_server_that_can_not_start_shows_its_log(real_wheel: Path, repository: Path, echo_backends: Path) -> None:
    with (
        pytest.raises(PeerFailed, match="no-such-option"),
        RealTriton(repository, echo_backends, args=["--no-such-option"]),
    ):
        pass


def test_wheel_that_can_not_be_had_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(peer, "WHEEL", "workbench-serving==0.0.0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(PeerUnavailable, match=r"pip can not fetch workbench-serving==0\.0\.0"):
        peer.unpacked_wheel()


def test_closed_server_is_not_alive(server: RealTriton, real_triton: StartRealTriton) -> None:
    with RealTriton(server.repository, server.backends) as other:
        assert other.is_alive()
        assert other.http != server.http
    assert not other.is_alive()
    assert server.is_alive()
