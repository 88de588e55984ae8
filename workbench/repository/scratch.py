# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Folders for models that lie in no repository: a configuration alone, or files that came with the load."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from workbench.errors import InvalidArgumentError
from workbench.repository.source import ModelFolder, plain_name
from workbench.repository.versions import version_of


class Scratch:
    """Makes model folders; they vanish with `close`."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None

    def folder(self, name: str) -> ModelFolder:
        """The folder of the model `name`, with an empty version 1.

        Raises:
            InvalidArgumentError: the name can not be that of a folder.
        """
        path = Path(self._root()) / plain_name(name)
        (path / "1").mkdir(parents=True, exist_ok=True)
        return ModelFolder(path)

    def folder_of(self, name: str, files: Mapping[str, bytes]) -> ModelFolder:
        """The folder of the model `name` with these files and no others; the same files give the same folder.

        Args:
            name: the model.
            files: their contents by `<version>/<path>`.

        Raises:
            InvalidArgumentError: a path that leads out of the model's folder, or not into a version.
        """
        contents = {_checked(path): content for path, content in files.items()}
        path = Path(self._root()) / f".{_digest(contents)}" / plain_name(name)
        for file, content in contents.items():
            target = path / file
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        return ModelFolder(path)

    def close(self) -> None:
        """Remove the folders."""
        if self._folder is not None:
            self._folder.cleanup()

    def _root(self) -> str:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="workbench-models-")
        return self._folder.name


def _checked(path: str) -> PurePosixPath:
    checked = PurePosixPath(path)
    if checked.is_absolute() or ".." in checked.parts or "\0" in path:
        message = f"file {path!r} would lie outside of the model's folder: name it <version>/<path>"
        raise InvalidArgumentError(message)
    if len(checked.parts) < 2 or version_of(checked.parts[0]) is None:
        message = f"file {path!r} belongs to no version: name it <version>/<path>, such as 1/model.onnx"
        raise InvalidArgumentError(message)
    return checked


def _digest(contents: Mapping[PurePosixPath, bytes]) -> str:
    digest = sha256()
    for path in sorted(contents):
        name = str(path).encode()
        digest.update(b"%d %s %d " % (len(name), name, len(contents[path])))
        digest.update(contents[path])
    return digest.hexdigest()
