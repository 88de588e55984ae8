# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.repository import Loader, ModelRepository, Sources
from workbench.testing import FakeEngine, FakeFinder, FakePreflight, write_model


@pytest.fixture
def finder() -> FakeFinder:
    return FakeFinder()


@pytest.fixture
def preflight() -> FakePreflight:
    return FakePreflight()


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model(tmp_path, "m")
    return tmp_path


@pytest.fixture
def repository(
    folder: Path, engine: FakeEngine, finder: FakeFinder, preflight: FakePreflight
) -> Iterator[ModelRepository]:
    loader = Loader(engine, finder=finder, preflight=preflight, gpu_count=0)
    repository = ModelRepository(Sources.of(folder), engine=engine, loader=loader)
    yield repository
    for call in engine.in_flight_calls():
        engine.answer(call)
    assert repository.close(5.0)
    assert {model.state for model in engine.models if model.state != "created"} <= {"closed"}
