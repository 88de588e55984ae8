# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.errors import InvalidArgumentError, NotFoundError, UnavailableError, WorkbenchError
from workbench.server import Server
from workbench.server.control_plane import ControlPlane
from workbench.testing import FakeEngine, write_model


def asked(server: Server, topic: str, model: str = "", version: int = -1) -> Any:
    return json.loads(ControlPlane().describe(server.engine, topic, model, version))


def test_index_has_only_the_fields_that_say_something(server: Server) -> None:
    assert asked(server, "index") == [{"name": "m"}]
    assert asked(server, "ready_index") == []
    server.load("m")
    assert asked(server, "index") == [{"name": "m", "version": "1", "state": "READY"}]
    server.unload("m")
    assert server.wait_settled(5.0)
    assert asked(server, "index") == [{"name": "m", "version": "1", "state": "UNAVAILABLE", "reason": "unloaded"}]


def test_metadata_of_a_model_shows_the_batch_dimension(server: Server) -> None:
    server.load("m")
    assert asked(server, "model_metadata", "m") == {
        "name": "m",
        "versions": ["1"],
        "platform": "echo",
        "inputs": [{"name": "INPUT0", "datatype": "FP32", "shape": [-1, 4]}],
        "outputs": [{"name": "OUTPUT0", "datatype": "FP32", "shape": [-1, 4]}],
    }


def test_config_is_the_completed_one(server: Server) -> None:
    server.load("m")
    config = asked(server, "model_config", "m")
    assert (config["name"], config["instance_group"][0]["count"], config["version_policy"]) == (
        "m",
        1,
        {"latest": {"num_versions": 1}},
    )


def test_statistics_have_the_fields_of_the_protocol(server: Server) -> None:
    server.load("m").infer({"INPUT0": np.zeros((1, 4), np.float32)})
    (stats,) = asked(server, "model_statistics", "m")["model_stats"]
    assert list(stats) == [
        "name",
        "version",
        "last_inference",
        "inference_count",
        "execution_count",
        "inference_stats",
        "response_stats",
        "batch_stats",
        "memory_usage",
    ]
    assert stats["inference_stats"]["success"]["count"] == 1
    assert stats["inference_stats"]["cache_hit"] == {"count": 0, "ns": 0}
    assert asked(server, "model_statistics")["model_stats"] == [stats]


def test_model_that_is_not_ready_is_refused(server: Server) -> None:
    with pytest.raises(NotFoundError):
        asked(server, "model_config", "x")
    server.load("m")
    server.unload("m")
    with pytest.raises(UnavailableError):
        asked(server, "model_config", "m")


def test_statistics_of_a_model_that_is_not_ready_are_an_invalid_argument(server: Server) -> None:
    with pytest.raises(InvalidArgumentError, match="'x'"):
        asked(server, "model_statistics", "x")


def test_load_is_refused_by_the_codes_of_the_original(server: Server, repository: Path) -> None:
    write_model(repository, "broken", text="max_batch_size: many")
    for name, code in {"broken": "INTERNAL", "unknown": "INTERNAL"}.items():
        with pytest.raises(WorkbenchError) as refusal:
            ControlPlane().load_model(server.engine, name)
        assert refusal.value.code == code


def test_server_metadata_lists_the_extensions(server: Server) -> None:
    metadata = asked(server, "server_metadata")
    assert metadata["name"] == "triton"
    assert "model_repository(unload_dependents)" in metadata["extensions"]


def test_unknown_topic_is_told_with_those_there_are(server: Server) -> None:
    with pytest.raises(InvalidArgumentError, match="model_config"):
        asked(server, "weather")


def test_server_made_through_the_interface_lives_until_it_is_deleted(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.server.server._new_engine", lambda _: FakeEngine())
    plane = ControlPlane()
    options = {
        "repositories": [str(repository)],
        "backend_directory": str(repository.parent / "backends"),
        "control_mode": 2,
        "server_id": "triton",
    }
    engines = [plane.server_new(options), plane.server_new(options)]
    plane.load_model(engines[0], "m")
    assert json.loads(plane.describe(engines[0], "ready_index", "", -1))
    assert json.loads(plane.describe(engines[1], "ready_index", "", -1)) == []
    plane.unload_model(engines[0], "m", True)
    for engine in engines:
        plane.server_delete(engine)
        with pytest.raises(InvalidArgumentError, match="closed"):
            plane.describe(engine, "index", "", -1)
