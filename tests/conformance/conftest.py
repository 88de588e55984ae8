# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the conformance tests share: the real server, and a backend for both servers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conformance.peer import PeerUnavailable, RealTriton, unpacked_wheel
from tests.flow import build_data_backend, build_flow

NATIVE = Path(__file__).resolve().parents[2] / "native"
PEER_FIXTURES = {"real_wheel", "real_triton"}

StartRealTriton = Callable[..., RealTriton]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that uses the real server is marked `peer` without having to say so."""
    for item in items:
        if PEER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.peer)


@pytest.fixture(scope="session")
def real_wheel() -> Path:
    """Folder of the real server; skips where it can not be had."""
    try:
        return unpacked_wheel()
    except PeerUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def real_triton(real_wheel: Path) -> Iterator[StartRealTriton]:
    """Starts real servers: `real_triton(repository, backends, args=...)`; they end with the module."""
    with ExitStack() as running:

        def start(repository: Path, backends: Path, **options: object) -> RealTriton:
            return running.enter_context(RealTriton(repository, backends, **options))

        yield start


@pytest.fixture(scope="session")
def echo_backends(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the backend `echo` (OUTPUT0 is INPUT0, FP32[16]), for both servers."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    folder = tmp_path_factory.mktemp("backends")
    library = folder / "echo" / "libtriton_echo.so"
    library.parent.mkdir()
    flags = ["-std=c++17", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{NATIVE}/include"]
    subprocess.run(["g++", *flags, f"{NATIVE}/bench/echo_backend.cc", "-o", str(library)], check=True)
    return folder


@pytest.fixture(scope="session")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the backend `flow`, of which ensembles are made."""
    return build_flow(tmp_path_factory.mktemp("flow"))


@pytest.fixture(scope="session")
def test_backends(flow: Path) -> Path:
    """The same folder, with the backend `witness` that tells where and how it runs."""
    return build_data_backend("witness", flow)
