# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The samples of `model_repository/`, fetched and built, on a server with the real core."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import workbench as wb
from model_repository import fetch
from workbench.server.model import Model

REPOSITORY = Path(__file__).parents[2] / "model_repository"


@pytest.fixture
def server() -> Iterator[wb.Server]:
    pytest.importorskip("workbench._native", reason="no core: make build")
    pytest.importorskip("onnxruntime")
    with wb.Server(REPOSITORY, name="samples") as server:
        yield server


Sample = Callable[[str], Model]


@pytest.fixture
def sample(server: wb.Server) -> Sample:
    """Loads a sample after it was fetched and built: `sample("magika")`."""

    def load(name: str) -> Model:
        names = fetch.with_steps([name])
        try:
            fetch.fetch(names)
        except subprocess.CalledProcessError as exc:
            pytest.skip(f"the wheel of {name} can not be downloaded: {exc}")
        fetch.build(names)
        return server.load(name)

    return load
