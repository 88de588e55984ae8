# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where the model of a load lies: in a repository, or in a folder that is made of what came with the load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workbench.errors import NotFoundError
from workbench.repository.configuration import Override
from workbench.repository.scratch import Scratch
from workbench.repository.source import ModelFolder, Sources


class Places:
    """The sources of a server's models, and the folders of models that lie in none.

    Threads: any; the loads of one model come one after the other.
    """

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._scratch = Scratch()

    def register(self, path: str | Path, names: Mapping[str, str]) -> None:
        """Look in a further folder; `names` tell the subfolders of models that are called otherwise.

        Raises:
            InvalidArgumentError: there is no such folder.
            AlreadyExistsError: it is among the sources, or one of the names is taken.
        """
        self.sources = self.sources.with_path(path, names)

    def unregister(self, path: str | Path) -> None:
        """Look in a folder no more.

        Raises:
            InvalidArgumentError: it is not among the sources.
        """
        self.sources = self.sources.without_path(path)

    def find(self, name: str, override: Override | None) -> ModelFolder:
        """The folder that a load takes the model from.

        Raises:
            NotFoundError: no repository has the model, and nothing came with the load.
            UnavailableError: two repositories have it.
            InvalidArgumentError: the name can not be that of a folder, or a file's not that of one in it.
        """
        if override is not None and override.files:
            return self._scratch.folder_of(name, override.files)
        try:
            return self.sources.find(name)
        except NotFoundError:
            # A configuration without files is enough for a backend that reads none.
            if override is None:
                raise
            return self._scratch.folder(name)

    def close(self) -> None:
        """Remove the folders that were made."""
        self._scratch.close()
