# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a server does with its models: load, unload, find, list; and with the folders where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from workbench.errors import UnavailableError, UnsupportedError
from workbench.repository import ConfigOverride, Poll
from workbench.server.index import ModelIndex
from workbench.server.model import Model
from workbench.server.options import ServerOptions
from workbench.server.parts import ServerParts
from workbench.server.python_cell import load_source, write_source

_NONE: Final[Mapping[str, Any]] = {}


class ManagedServer:
    """The half of a server that manages models.

    Threads: any.
    """

    options: ServerOptions
    _parts: ServerParts
    _poll: Poll
    _is_closed: bool

    def load(self, name: str, *, config: ConfigOverride | None = None, files: Mapping[str, bytes] = _NONE) -> Model:
        """Make a model ready, or replace it by one of a changed configuration or changed files.

        What serves goes on until the new one is ready; nothing happens where nothing changed.

        Args:
            name: the model; its folder in the repository. With `config` no folder is needed.
            config: replaces the configuration of the file wholly: text, JSON, a mapping or a message.
            files: with `config`, replace all files of the model for this load, by `<version>/<path>`.

        Raises:
            NotFoundError: no repository has the model.
            ConfigError: the configuration is not legal.
            LoadError, PreflightError: the model can not be made ready.
            UnavailableError: the control mode is not "explicit".
        """
        self._require_explicit("load", name)
        self._parts.repository.load(name, config=config, files=files)
        return Model(self._parts, name)

    def load_model_py(
        self,
        name: str,
        source: str,
        *,
        config: ConfigOverride | None = None,
        files: Mapping[str, bytes] = _NONE,
        first_line: int = 1,
    ) -> Model:
        """Make a Python model of this source ready, or replace the one of that name.

        What serves goes on until the new one is ready. Messages call the source `<cell NAME>`.

        Args:
            name: the model; no folder is needed.
            source: the text of a model.py, with a class TritonPythonModel.
            config: the configuration; where None the repository's for that name, and else what the class completes.
            files: further files of the model, by `<version>/<path>`.
            first_line: the number of the source's first line in messages.

        Raises:
            ConfigError: the configuration is not legal.
            LoadError: the source is no model, or does not initialize.
            UnavailableError: the control mode is not "explicit".
        """
        self._require_explicit("load", name)
        load_source(self._parts.repository, name, source, config=config, files=files, first_line=first_line)
        return Model(self._parts, name)

    def unload(self, name: str, *, unload_dependents: bool = False) -> None:
        """Take no more requests for a model; those in flight are answered. An unknown name is fine.

        Ensembles that run on the model become unavailable until it is loaded again.

        Args:
            name: the model.
            unload_dependents: unload the models of an ensemble's steps, too, unless they were loaded by name or
                another ensemble needs them.

        Raises:
            UnavailableError: the control mode is not "explicit".
        """
        self._require_explicit("unload", name)
        self._parts.repository.unload(name, dependents=unload_dependents)

    def model(self, name: str, *, version: int = -1) -> Model:
        """A model that is ready.

        Args:
            name: the model.
            version: its version; -1 stands for the highest, whatever that is when it is called.

        Raises:
            NotFoundError: no such model, or no such version.
            UnavailableError: it is not ready.
        """
        self._parts.repository.version(name, version)
        return Model(self._parts, name, version=version)

    def index(self, *, ready: bool = False) -> ModelIndex:
        """Every version of every model with its state; with `ready` only those that take requests."""
        return ModelIndex(self._parts.repository.index(ready=ready))

    def write_config(self, name: str, text: str) -> Path:
        """Write a model's config.pbtxt into the repository; loads nothing.

        Args:
            name: the model, which may be new.
            text: of the file; it is not judged before it is loaded.

        Returns:
            The file.
        """
        return self._parts.repository.sources.write_config(name, text)

    def write_model_py(self, name: str, source: str) -> Path:
        """Write a Python model's source into the repository; loads nothing.

        Args:
            name: the model, which may be new.
            source: of its `model.py`.

        Returns:
            The file.
        """
        return write_source(self._parts.repository, name, source)

    def poll(self) -> None:
        """Look at the repository now, and follow what changed.

        Raises:
            UnavailableError: the control mode is not "poll".
        """
        if self.options.control != "poll":
            message = f"the server {self.options.name!r} does not poll: control is {self.options.control!r}, not 'poll'"
            raise UnavailableError(message)
        self._poll.look()

    def register_repository(self, path: str | Path, *, names: Mapping[str, str] = _NONE) -> None:
        """Serve models of a further folder, which are loaded by name like the others.

        Args:
            path: the folder.
            names: the subfolders of models that are not called like their folders, by the models' names.

        Raises:
            InvalidArgumentError: there is no such folder.
            AlreadyExistsError: it is served from already, or one of the names is taken.
            UnsupportedError: the control mode is not "explicit".
        """
        self._require_registration()
        self._parts.repository.register(path, names)

    def unregister_repository(self, path: str | Path) -> None:
        """Load no more models from a folder; those that run go on.

        Raises:
            InvalidArgumentError: it is not served from.
            UnsupportedError: the control mode is not "explicit".
        """
        self._require_registration()
        self._parts.repository.unregister(path)

    def wait_settled(self, timeout_s: float = 30.0) -> bool:
        """Wait until replaced models are closed and moves to new backends done; False where that took too long."""
        return self._parts.repository.wait_settled(timeout_s)

    def _require_registration(self) -> None:
        if self.options.control != "explicit":
            message = f"repositories come and go with control='explicit' alone; control is {self.options.control!r}"
            raise UnsupportedError(message)

    def _require_explicit(self, verb: str, name: str) -> None:
        if self._is_closed:
            message = f"{verb} of {name!r}: the server {self.options.name!r} is closed"
            raise UnavailableError(message)
        if self.options.control != "explicit":
            message = f"{verb} of {name!r} is not allowed with control={self.options.control!r}: use control='explicit'"
            raise UnavailableError(message)
