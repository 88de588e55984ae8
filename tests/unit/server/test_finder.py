# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import LoadError
from workbench.server.finder import BackendFinder


def make_library(folder: Path, name: str = "libtriton_b.so") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).touch()
    return folder / name


def test_backend_is_looked_for_from_the_model_outwards(tmp_path: Path) -> None:
    version, model, folder = tmp_path / "m" / "1", tmp_path / "m", tmp_path / "backends"
    built = make_library(tmp_path / "cache", "b-123.so")
    finder = BackendFinder(built=lambda _: built if built.exists() else None, folders=[folder])
    places = [make_library(version), make_library(model), built, make_library(folder / "b")]
    found = []
    for place in places:
        found.append(finder("b", (version, model)))
        place.unlink()
    assert found == places
    with pytest.raises(LoadError, match="no backend 'b'"):
        finder("b", (version, model))


def test_runtime_names_another_file(tmp_path: Path) -> None:
    library = make_library(tmp_path / "b", "other.so")
    finder = BackendFinder(built=lambda _: None, folders=[tmp_path])
    assert finder("b", (), file_name="other.so") == library
