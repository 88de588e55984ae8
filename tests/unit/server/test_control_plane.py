# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.errors import (
    AlreadyExistsError,
    InvalidArgumentError,
    NotFoundError,
    UnavailableError,
    UnsupportedError,
    WorkbenchError,
)
from workbench.server import RUNNING, Server
from workbench.server.control_plane import ControlPlane
from workbench.testing import ECHO_CONFIG, FakeEngine, write_model


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
    with pytest.raises(NotFoundError, match=r"is UN(LOADING|AVAILABLE)"):
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
    monkeypatch.setattr("workbench.server.server.new_engine", lambda _: FakeEngine())
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


@pytest.fixture
def plane(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ControlPlane]:
    monkeypatch.setattr("workbench.server.server.new_engine", lambda _: FakeEngine())
    yield ControlPlane()
    for server in RUNNING.servers():
        server.close()


def options_of(repository: Path, **more: Any) -> dict[str, Any]:
    backends = str(repository.parent / "backends")
    return {"repositories": [str(repository)], "backend_directory": backends, "control_mode": 2, **more}


def test_a_stopped_server_answers_that_it_is_until_it_is_deleted(plane: ControlPlane, repository: Path) -> None:
    engine = plane.server_new(options_of(repository))
    assert plane.describe(engine, "server_live", "", -1) == "true"
    plane.server_stop(engine)
    for topic in ("server_live", "server_ready", "index"):
        with pytest.raises(UnavailableError, match="stopped"):
            plane.describe(engine, topic, "", -1)
    plane.server_stop(engine)
    plane.server_delete(engine)


def test_server_metadata_bears_the_id_that_the_server_was_made_with(plane: ControlPlane, repository: Path) -> None:
    # The second has to be called otherwise in this process, which is nothing to its clients.
    engines = [plane.server_new(options_of(repository, server_id="ours")) for _ in range(2)]
    assert [json.loads(plane.describe(engine, "server_metadata", "", -1))["name"] for engine in engines] == ["ours"] * 2
    for engine in engines:
        plane.server_delete(engine)


def test_strict_readiness_is_that_of_every_model(plane: ControlPlane, repository: Path) -> None:
    (repository / "broken" / "1").mkdir(parents=True)
    (repository / "broken" / "config.pbtxt").write_text('backend: "nowhere"')
    for is_strict, ready in ((True, "false"), (False, "true")):
        engine = plane.server_new(options_of(repository, strict_readiness=is_strict))
        plane.load_model(engine, "m")
        assert plane.describe(engine, "server_ready", "", -1) == "true"
        with pytest.raises(WorkbenchError):
            plane.load_model(engine, "broken")
        assert plane.describe(engine, "server_ready", "", -1) == ready
        plane.server_delete(engine)


def test_repositories_come_and_go(plane: ControlPlane, repository: Path, tmp_path: Path) -> None:
    write_model(tmp_path / "more", "folder", text=ECHO_CONFIG.replace('name: "{name}"', ""))
    engine = plane.server_new(options_of(repository))
    plane.register_repository(engine, str(tmp_path / "more"), {"called": "folder", "again": "folder"})
    with pytest.raises(AlreadyExistsError):
        plane.register_repository(engine, str(tmp_path / "more"), {})
    plane.load_model_with(engine, "called", config=None)
    assert "called" in plane.describe(engine, "ready_index", "", -1)
    plane.unregister_repository(engine, str(tmp_path / "more"))
    with pytest.raises(InvalidArgumentError):
        plane.unregister_repository(engine, str(tmp_path / "more"))
    plane.server_delete(engine)


def test_repositories_of_a_server_without_explicit_control_stay(plane: ControlPlane, repository: Path) -> None:
    engine = plane.server_new(options_of(repository, control_mode=0))
    with pytest.raises(UnsupportedError, match="explicit"):
        plane.register_repository(engine, str(repository), {})
    with pytest.raises(UnavailableError, match="poll"):
        plane.poll_repositories(engine)
    plane.server_delete(engine)


def test_a_poll_follows_what_changed(plane: ControlPlane, repository: Path) -> None:
    engine = plane.server_new(options_of(repository, control_mode=1))
    write_model(repository, "later")
    plane.poll_repositories(engine)
    assert "later" in plane.describe(engine, "ready_index", "", -1)
    plane.set_exit_timeout(engine, 1)
    plane.server_delete(engine)
