# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A server with the real core in this process, and models whose behaviour tests choose."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import workbench as wb
from tests.flow import build_flow
from tests.python_models import Load, loader
from tests.serving.http_door import IDENTITY
from tests.stand_ins.cuda import CudaStandIn, compiled
from workbench.endpoints import Door
from workbench.server.devices import DRIVER_VARIABLE

SAMPLES = Path(__file__).parents[2] / "model_repository"


def why_no_core() -> str:
    """Why the core can not be used here; "" where it can."""
    try:
        importlib.import_module("workbench._native")
    except ImportError as exc:
        return f"no core, make build: {exc}"
    return ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = why_no_core()
    for item in items:
        if reason and "serving" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[wb.Server]:
    """A server on the samples, with one empty repository before them."""
    with wb.Server([tmp_path, SAMPLES], name="serving") as server:
        yield server


@pytest.fixture(params=["kernel", "process"])
def isolation(request: pytest.FixtureRequest) -> str:
    """Where a Python model runs."""
    return str(request.param)


@pytest.fixture
def load(isolation: str, server: wb.Server, tmp_path: Path) -> Load:
    """Writes a Python model of the server and loads it: `load(code, config)`."""
    return loader(server, tmp_path, isolation)


@pytest.fixture
def door(server: wb.Server) -> Door:
    """An open HTTP door of the server, which has the model `m`."""
    server.load("m", config=IDENTITY)
    return server.http()


@pytest.fixture(scope="session")
def cuda_stand_in_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in for the CUDA driver."""
    return compiled(tmp_path_factory.mktemp("stand_in"))


@pytest.fixture
def cuda_stand_in(cuda_stand_in_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CudaStandIn]:
    """One device of the stand-in, for servers that the test makes; afterwards nothing was done wrong with it."""
    monkeypatch.setenv(DRIVER_VARIABLE, str(cuda_stand_in_path))
    gc.collect()  # servers of tests before keep their pools until they are gone
    stand_in = CudaStandIn(cuda_stand_in_path)
    stand_in.set(devices=1, delay_us=200)
    yield stand_in
    assert stand_in.violations() == 0
    stand_in.clear()


@pytest.fixture
def identity(server: wb.Server) -> Callable[..., object]:
    """Loads a model that answers with its input: `identity(datatype, dims, extra=...)`."""

    def load(
        datatype: str = "FP32", dims: str = "4", *, extra: str = "max_batch_size: 8", name: str = "echo"
    ) -> object:
        return server.load(
            name,
            config=f"""
            backend: "identity"
            input [ {{ name: "INPUT0" data_type: TYPE_{datatype} dims: [ {dims} ] }} ]
            output [ {{ name: "OUTPUT0" data_type: TYPE_{datatype} dims: [ {dims} ] }} ]
            {extra}
            """,
        )

    return load


@pytest.fixture
def synthetic(server: wb.Server) -> Callable[..., object]:
    """Loads a model that takes its time: `synthetic(milliseconds, extra=...)`."""

    def load(milliseconds: float, *, extra: str = "", name: str = "slow", max_batch_size: int = 8) -> object:
        return server.load(
            name,
            config=f"""
            backend: "synthetic" max_batch_size: {max_batch_size}
            input [ {{ name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
            output [ {{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] }} ]
            parameters [ {{ key: "tau0_us" value: {{ string_value: "{milliseconds * 1000:.0f}" }} }} ]
            {extra}
            """,
        )

    return load


@pytest.fixture(scope="session")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the backend `flow`, of which ensembles are made."""
    return build_flow(tmp_path_factory.mktemp("flow"))
