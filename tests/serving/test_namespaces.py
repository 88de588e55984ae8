# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models of one name in two repositories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.flow import chain, ensemble_text, model_text, write_repository

ONE = np.zeros((1, 4), np.float32)


def answer(model: Any) -> float:
    return float(model.infer({"IN": ONE})["OUT"][0, 0])


@pytest.fixture
def repositories(tmp_path: Path) -> list[Path]:
    folders = [tmp_path / "a", tmp_path / "b"]
    for number, folder in enumerate(folders, 1):
        ensemble = {f"around_{folder.name}": ensemble_text(*chain("twin"))}
        write_repository(folder, {"twin": model_text(addend=number), **ensemble})
    return folders


@pytest.fixture
def server(repositories: list[Path], flow: Path) -> Iterator[wb.Server]:
    with wb.Server(repositories, name="spaces", backends=[flow], model_namespacing=True) as server:
        yield server


def test_each_is_served_under_its_repository(server: wb.Server, repositories: list[Path]) -> None:
    server.load("twin")
    names = [f"{folder}::twin" for folder in repositories]
    assert [entry.name for entry in server.index(ready=True)] == names
    assert [answer(server.model(name)) for name in names] == [1, 2]
    with pytest.raises(wb.InvalidArgumentError, match=r"name one of .*/a::twin, .*/b::twin"):
        server.model("twin")
    server.unload("twin")
    assert len(server.index(ready=True)) == 0


def test_steps_of_an_ensemble_mean_the_models_of_its_repository(server: wb.Server) -> None:
    for name, value in {"around_a": 1, "around_b": 2}.items():
        assert answer(server.load(name)) == value


def test_one_of_them_can_be_loaded_and_changed_alone(server: wb.Server, repositories: list[Path]) -> None:
    second = f"{repositories[1]}::twin"
    model = server.load(second)
    model.reconfigure(max_batch_size=2)
    assert (answer(model), len(server.index(ready=True))) == (2, 1)


def test_a_name_that_is_one_alone_is_as_without_namespaces(server: wb.Server, repositories: list[Path]) -> None:
    rmtree(repositories[0] / "twin")
    assert answer(server.load("twin")) == 2


def test_all_are_followed_by_polling(repositories: list[Path], flow: Path) -> None:
    options: dict[str, Any] = {"control": "poll", "poll_s": 1000, "backends": [flow], "model_namespacing": True}
    with wb.Server(repositories, name="polled spaces", **options) as server:
        assert len(server.index(ready=True)) == 4
        rmtree(repositories[0] / "twin")
        server.poll()
        assert answer(server.model("twin")) == 2


def test_without_namespaces_neither_is_served(repositories: list[Path], flow: Path) -> None:
    with (
        wb.Server(repositories, name="one space", backends=[flow]) as server,
        pytest.raises(wb.UnavailableError, match="in 2 repositories"),
    ):
        server.load("twin")
