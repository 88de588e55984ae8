# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shells import notebook_shell
from workbench.server import Server
from workbench.testing import FakeEngine, write_model


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """The core of every server that a magic starts."""
    engine = FakeEngine()
    monkeypatch.setattr("workbench.server.server.new_engine", lambda _: engine)
    monkeypatch.setattr("workbench.server.builds.preflight.try_model", lambda *_, **__: None)
    return engine


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    library = tmp_path / "backends" / "echo" / "libtriton_echo.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"echo")
    write_model(tmp_path / "models", "m")
    return tmp_path / "models"


@pytest.fixture
def shell() -> Iterator[Any]:
    """A notebook's shell with the magics loaded."""
    with notebook_shell() as shell:
        yield shell


@pytest.fixture
def server(shell: Any, repository: Path, engine: FakeEngine) -> Server:
    server: Server = shell.run_line_magic("serve", f"{repository} --backends {repository.parent / 'backends'}")
    return server
