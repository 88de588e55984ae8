# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from workbench.config import parse_config
from workbench.errors import LoadError
from workbench.repository import ModelFolder, ModelRepository
from workbench.repository.strategy import FILE_NAME, PARAMETER, find_strategy
from workbench.testing import FakeEngine, write_model


def named(path: str, extra: str = "") -> str:
    return f'parameters [ {{ key: "{PARAMETER}" value: {{ string_value: "{path}" }} }} ] {extra}'


def found(folder: Path, text: str = "", library: Path = Path("/backends/libtriton_echo.so")) -> Path | None:
    return find_strategy(parse_config(text), ModelFolder(folder), 1, library)


def test_strategy_is_looked_for_in_version_model_and_backend_folder(tmp_path: Path) -> None:
    model, backend = write_model(tmp_path, "m"), tmp_path / "backend"
    backend.mkdir()
    library = backend / "libtriton_echo.so"
    assert found(model, library=library) is None
    for place in (backend, model, model / "1"):
        (place / FILE_NAME).touch()
        assert found(model, library=library) == place / FILE_NAME


def test_parameter_names_the_strategy_within_the_models_folder(tmp_path: Path) -> None:
    model = write_model(tmp_path, "m")
    (model / "mine.so").touch()
    assert found(model, named("mine.so")) == model / "mine.so"
    assert found(model, named(str(model / "mine.so"))) == model / "mine.so"


@pytest.mark.parametrize("path", ["../other.so", "/usr/lib/other.so"])
def test_path_out_of_the_models_folder_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(LoadError, match="leads out of the model's folder"):
        found(write_model(tmp_path, "m"), named(path))


def test_strategy_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"no file .*mine\.so"):
        found(write_model(tmp_path, "m"), named("mine.so"))


def test_strategy_does_not_go_with_sequences(tmp_path: Path) -> None:
    model = write_model(tmp_path, "m")
    (model / FILE_NAME).touch()
    assert found(model, "sequence_batching { direct { } }") is None
    with pytest.raises(LoadError, match="sequence_batching"):
        found(model, named(FILE_NAME, "sequence_batching { direct { } }"))


def test_core_is_told_of_the_strategy(repository: ModelRepository, engine: FakeEngine, folder: Path) -> None:
    repository.load("m")
    assert repository.version("m").spec.batch_strategy == ""
    (folder / "m" / FILE_NAME).touch()
    repository.load("m")
    assert repository.version("m").spec.batch_strategy == str(folder / "m" / FILE_NAME)
