# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.errors import LoadError
from workbench.repository import Sources
from workbench.repository.poll import Poll
from workbench.testing import write_model


class Models:
    """Notes what is loaded and unloaded; models in `broken` fail."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.broken: set[str] = set()

    def load(self, name: str) -> None:
        self.calls.append(f"load {name}")
        if name in self.broken:
            raise LoadError("broken")

    def unload(self, name: str, *, reason: str = "") -> None:
        self.calls.append(f"unload {name}{reason and ', ambiguous'}")


@pytest.fixture
def models() -> Models:
    return Models()


@pytest.fixture
def poll(tmp_path: Path, models: Models) -> Poll:
    write_model(tmp_path, "a")
    return Poll(Sources.of(tmp_path), load=models.load, unload=models.unload)


def test_each_change_is_followed_once(poll: Poll, models: Models, tmp_path: Path) -> None:
    poll.look()
    poll.look()
    write_model(tmp_path, "b")
    poll.look()
    write_model(tmp_path, "a", versions=[2])
    poll.look()
    shutil.rmtree(tmp_path / "b")
    poll.look()
    assert models.calls == ["load a", "load b", "load a", "unload b"]


def test_broken_model_keeps_no_other_from_being_seen(poll: Poll, models: Models, tmp_path: Path) -> None:
    models.broken.add("a")
    write_model(tmp_path, "b")
    poll.look()
    assert models.calls == ["load a", "load b"]
    poll.look()
    assert models.calls == ["load a", "load b"]
    models.broken.clear()
    (tmp_path / "a" / "1" / "mended").touch()
    write_model(tmp_path, "c")
    poll.look()
    assert models.calls == ["load a", "load b", "load a", "load c"]


def test_model_of_two_repositories_is_unloaded_once(models: Models, tmp_path: Path) -> None:
    for folder in ("one", "other"):
        write_model(tmp_path / folder, "a")
    write_model(tmp_path / "other", "b")
    poll = Poll(Sources.of([tmp_path / "one", tmp_path / "other"]), load=models.load, unload=models.unload)
    poll.look()
    poll.look()
    assert models.calls == ["unload a, ambiguous", "load b"]
    shutil.rmtree(tmp_path / "one" / "a")
    poll.look()
    assert models.calls[-1] == "load a"


def test_configuration_that_is_no_text_keeps_no_other_from_being_seen(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_model(tmp_path, name)
    (tmp_path / "a" / "config.pbtxt").unlink()
    (tmp_path / "a" / "config.pbtxt").mkdir()
    loaded = []

    def load(name: str) -> None:
        Sources.of(tmp_path).find(name).config_text()
        loaded.append(name)

    Poll(Sources.of(tmp_path), load=load, unload=Models().unload).look()
    assert loaded == ["b"]
