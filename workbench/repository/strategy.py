# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the shared object that decides which requests of a model share a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from workbench.config import ModelConfig
from workbench.errors import LoadError
from workbench.repository.source import ModelFolder

PARAMETER: Final = "TRITON_BATCH_STRATEGY_PATH"
FILE_NAME: Final = "batchstrategy.so"


def find_strategy(config: ModelConfig, folder: ModelFolder, version: int, library: Path) -> Path | None:
    """The batching strategy of one version; None where it batches as the server does.

    Args:
        config: the completed configuration.
        folder: the model's.
        version: which version.
        library: the shared object of the backend; its folder is looked into last.

    Raises:
        LoadError: the path of the parameter leads nowhere or out of the model's folder, or the model is served by
            sequences.
    """
    if PARAMETER in config.parameters:
        return _named(config, folder)
    if config.HasField("sequence_batching"):
        return None
    places = (folder.path / str(version), folder.path, library.parent)
    return next((path for place in places if (path := place / FILE_NAME).is_file()), None)


def _named(config: ModelConfig, folder: ModelFolder) -> Path:
    if config.HasField("sequence_batching"):
        message = f"parameter {PARAMETER} does not go with sequence_batching: the sequence batcher has rules of its own"
        raise LoadError(message)
    value = config.parameters[PARAMETER].string_value
    path = (folder.path / value).resolve()
    if not path.is_relative_to(folder.path.resolve()):
        message = f"parameter {PARAMETER}: {value!r} leads out of the model's folder {folder.path}"
        raise LoadError(message)
    if not path.is_file():
        message = f"parameter {PARAMETER}: there is no file {path}"
        raise LoadError(message)
    return path
