# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Folders for models that have a configuration and no files: a configuration cell and a backend cell make a model."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from workbench.repository.source import ModelFolder, plain_name


class Scratch:
    """Makes model folders with an empty version 1; they vanish with `close`."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None

    def folder(self, name: str) -> ModelFolder:
        """The folder of the model `name`.

        Raises:
            InvalidArgumentError: the name can not be that of a folder.
        """
        path = Path(self._root()) / plain_name(name)
        (path / "1").mkdir(parents=True, exist_ok=True)
        return ModelFolder(path)

    def close(self) -> None:
        """Remove the folders."""
        if self._folder is not None:
            self._folder.cleanup()

    def _root(self) -> str:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="workbench-models-")
        return self._folder.name
