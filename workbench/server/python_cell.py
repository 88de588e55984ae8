# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model whose `model.py` is a text at hand, such as a cell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from workbench.errors import NotFoundError
from workbench.python_backend import register_cell
from workbench.repository import ConfigOverride, ModelRepository

FILE: Final = "1/model.py"
_ALONE: Final = 'backend: "python"'


def load_source(
    models: ModelRepository,
    name: str,
    source: str,
    *,
    config: ConfigOverride | None,
    files: Mapping[str, bytes],
    first_line: int,
) -> None:
    """Load a model of this source; see `Server.load_model_py`."""
    register_cell(source, label=f"<cell {name}>", first_line=first_line)
    told = _repository_config(models, name) if config is None else config
    models.load(name, config=told, files={**files, FILE: source.encode()})


def write_source(models: ModelRepository, name: str, source: str) -> Path:
    """Write the source into the repository, where the model may be new; returns the file."""
    config = models.sources.write_config(name, _repository_config(models, name))
    file = config.parent / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
    return file


def _repository_config(models: ModelRepository, name: str) -> str:
    """The configuration that the repository has for the model; else what the model's code completes."""
    try:
        return models.sources.find(name).config_text() or _ALONE
    except NotFoundError:
        return _ALONE
