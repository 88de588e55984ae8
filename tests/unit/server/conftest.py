# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.server import Server
from workbench.testing import FakeEngine, write_model


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the model `m`, and beside it a folder of backends with a file for `echo`."""
    library = tmp_path / "backends" / "echo" / "libtriton_echo.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"echo")
    write_model(tmp_path / "models", "m")
    return tmp_path / "models"


@pytest.fixture(autouse=True)
def no_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """No child process is started: the backends of these tests are no shared objects."""
    monkeypatch.setattr("workbench.server.builds.preflight.try_model", lambda *_, **__: None)


@pytest.fixture
def server(repository: Path, engine: FakeEngine) -> Iterator[Server]:
    server = Server(repository, name="test", backends=[repository.parent / "backends"], engine=engine)
    yield server
    engine.is_held = False
    for call in engine.in_flight_calls():
        engine.answer(call)
    assert server.close()
