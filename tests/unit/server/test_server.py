# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from workbench.errors import (
    InvalidArgumentError,
    LoadError,
    NotFoundError,
    UnavailableError,
)
from workbench.server import RUNNING, Server, current
from workbench.testing import FakeEngine, StatusError, write_model

X = np.zeros((1, 4), np.float32)


def test_loaded_model_answers(server: Server) -> None:
    assert server.load("m").infer({"INPUT0": X})["OUTPUT0"].shape == (1, 4)
    assert server.model("m").infer({"INPUT0": X})["OUTPUT0"].shape == (1, 4)


def test_index_shows_state_and_the_object_that_runs(server: Server) -> None:
    assert [(entry.name, entry.state) for entry in server.index()] == [("m", "")]
    server.load("m")
    (entry,) = server.index(ready=True)
    assert (entry.library.name if entry.library else "", len(entry.digest)) == ("libtriton_echo.so", 12)
    assert "libtriton_echo.so" in str(server.index())
    assert "READY" in server.index()._repr_html_()


def test_unknown_model_is_told_with_those_that_are_ready(server: Server) -> None:
    server.load("m")
    with pytest.raises(NotFoundError, match="ready are: m"):
        server.model("x")
    with pytest.raises(NotFoundError, match="no version 3"):
        server.model("m", version=3)


def test_backend_that_is_nowhere_is_told_with_the_places(server: Server) -> None:
    with pytest.raises(LoadError, match=r"no backend 'nope'.*%%backend nope"):
        server.load("n", config='backend: "nope"')


def test_repr_tells_the_state(server: Server) -> None:
    assert repr(server) == "<Server test ready, 0 models, 0 in flight>"
    server.load("m")
    assert repr(server) == "<Server test ready, 1 model, 0 in flight>"
    server.close()
    assert repr(server) == "<Server test closed>"


def test_closed_server_refuses(server: Server) -> None:
    model = server.load("m")
    server.close()
    with pytest.raises(UnavailableError, match="closed"):
        server.load("m")
    with pytest.raises(UnavailableError):
        model.infer({"INPUT0": X})


def test_close_waits_for_requests_in_flight(server: Server, engine: FakeEngine) -> None:
    engine.is_held = True
    server.load("m")
    call = engine.submit("m", -1, [("INPUT0", "FP32", (1, 4), X)])
    engine.answer_soon(call)
    assert server.close()
    assert call.wait(0.0)
    assert engine.models[0].state == "closed"


def test_new_server_of_a_name_replaces_the_old_which_drains(
    server: Server, engine: FakeEngine, repository: Path
) -> None:
    engine.is_held = True
    server.load("m")
    call = engine.submit("m", -1, [("INPUT0", "FP32", (1, 4), X)])
    with Server(repository, name="test", engine=FakeEngine()) as new:
        assert current("test") is new
        assert not call.wait(0.0)
        engine.answer(call)
        RUNNING.wait_drained(5.0)
        assert repr(server) == "<Server test closed>"
        assert engine.models[0].state == "closed"


def test_context_manager_closes(repository: Path) -> None:
    with Server(repository, name="brief", engine=FakeEngine()):
        assert "brief" in RUNNING.names()
    with pytest.raises(NotFoundError, match="no server 'brief' runs"):
        current("brief")


def test_control_none_loads_every_model_and_then_refuses(repository: Path) -> None:
    write_model(repository, "n")
    backends = [repository.parent / "backends"]
    with Server(repository, name="none", control="none", backends=backends, engine=FakeEngine()) as server:
        assert [entry.name for entry in server.index(ready=True)] == ["m", "n"]
        with pytest.raises(UnavailableError, match="control='explicit'"):
            server.load("m")
        with pytest.raises(UnavailableError, match="control='explicit'"):
            server.unload("m")


def test_control_poll_follows_the_files(repository: Path) -> None:
    backends = [repository.parent / "backends"]
    with Server(repository, name="poll", control="poll", poll_s=0.01, backends=backends, engine=FakeEngine()) as server:
        assert [entry.name for entry in server.index(ready=True)] == ["m"]
        write_model(repository, "n")
        deadline = time.monotonic() + 10
        while len(server.index(ready=True)) < 2 and time.monotonic() < deadline:
            time.sleep(0.001)
        assert [entry.name for entry in server.index(ready=True)] == ["m", "n"]
        with pytest.raises(UnavailableError, match="control='explicit'"):
            server.load("m")


def test_model_that_fails_at_the_start_stops_the_server_unless_told_otherwise(repository: Path) -> None:
    write_model(repository, "n")
    backends = [repository.parent / "backends"]

    def engine() -> FakeEngine:
        return FakeEngine(refusals={"n": StatusError("INTERNAL", "no luck")})

    with pytest.raises(LoadError, match=r"1 of its models can not be loaded:\n- n: .*no luck"):
        Server(repository, name="start", control="none", backends=backends, engine=engine())
    with Server(
        repository, name="start", control="none", backends=backends, exit_on_error=False, engine=engine()
    ) as server:
        assert [entry.name for entry in server.index(ready=True)] == ["m"]


def test_startup_models_are_loaded_with_explicit_control(repository: Path) -> None:
    write_model(repository, "n")
    backends = [repository.parent / "backends"]
    for wanted, ready in ((["n"], ["n"]), (["*"], ["m", "n"])):
        with Server(repository, name="start", startup_models=wanted, backends=backends, engine=FakeEngine()) as server:
            assert [entry.name for entry in server.index(ready=True)] == ready


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"control": "sometimes"}, InvalidArgumentError),
        ({"backends": ["/nowhere"]}, NotFoundError),
    ],
)
def test_wrong_option_is_refused(repository: Path, options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Server(repository, engine=FakeEngine(), **options)  # type: ignore[arg-type]


def test_memory_shows_the_pools(server: Server) -> None:
    assert server.memory().pool("system").live_byte_size == 0
    assert "system" in server.memory()._repr_html_()


def test_statistics_of_all_models(server: Server) -> None:
    server.load("m").infer({"INPUT0": X})
    assert [(one.name, one.inference_count) for one in server.statistics()] == [("m", 1)]
