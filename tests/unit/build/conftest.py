# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.build import BuildCache
from workbench.build.installation import core_library
from workbench.errors import UnavailableError


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keeps what tests build out of the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "workbench"


@pytest.fixture
def cache(cache_folder: Path) -> BuildCache:
    return BuildCache(cache_folder)


@pytest.fixture
def core() -> Iterator[Path]:
    """The installed core; what is built is tried with it."""
    try:
        yield core_library()
    except UnavailableError as exc:
        pytest.skip(str(exc))
