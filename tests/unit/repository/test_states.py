# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is said of models that do not serve."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest

from workbench.errors import ConfigError, UnavailableError
from workbench.repository import Loader, ModelRepository, Sources
from workbench.testing import FakeEngine, FakeFinder, FakePreflight, write_model


def test_index_forgets_what_was_unloaded_and_lies_nowhere(repository: ModelRepository, folder: Path) -> None:
    repository.load("m")
    rmtree(folder / "m")
    repository.unload("m")
    assert repository.wait_settled(5.0)
    assert repository.index() == ()


def test_model_of_two_repositories_says_so_in_the_index(
    tmp_path: Path, engine: FakeEngine, finder: FakeFinder, preflight: FakePreflight
) -> None:
    for place in ("one", "other"):
        write_model(tmp_path / place, "m")
    loader = Loader(engine, finder=finder, preflight=preflight, gpu_count=0)
    repository = ModelRepository(Sources.of([tmp_path / "one", tmp_path / "other"]), engine=engine, loader=loader)
    with pytest.raises(UnavailableError, match="keep one"):
        repository.load("m")
    (entry,) = repository.index()
    assert (entry.state, "keep one" in entry.reason) == ("UNAVAILABLE", True)
    repository.close(5.0)


def test_model_without_configuration_or_known_file_says_what_it_lacks(
    repository: ModelRepository, folder: Path
) -> None:
    (folder / "bare" / "1").mkdir(parents=True)
    with pytest.raises(ConfigError, match="no backend is named") as caught:
        repository.load("bare")
    assert caught.value.wire_code == "INTERNAL"


def test_a_version_that_is_asked_for_is_unavailable_where_it_is_known_and_else_not_there(
    repository: ModelRepository, folder: Path
) -> None:
    write_model(folder, "m", extra="version_policy { specific { versions: [ 2 ] } }", versions=[1, 2])
    repository.load("m")
    repository.unload("m")
    for version, code in {-1: "NOT_FOUND", 1: "NOT_FOUND", 2: "UNAVAILABLE"}.items():
        with pytest.raises(UnavailableError) as caught:
            repository.version("m", version)
        assert caught.value.wire_code == code
