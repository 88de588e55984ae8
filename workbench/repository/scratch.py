# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Folders for models that lie in no repository: a configuration alone, or files that came with the load."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path
from posixpath import isabs, normpath
from tempfile import TemporaryDirectory
from typing import Literal

from workbench.errors import ConfigError
from workbench.repository.source import ModelFolder, plain_name


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
            files: their contents by path within the folder, such as `<version>/<path>` or `labels.txt`.

        Raises:
            InvalidArgumentError: the name can not be that of a folder.
            ConfigError: a path that leads out of the model's folder, or names no file there.
        """
        contents = {_checked(path): content for path, content in files.items()}
        _check_apart(contents)
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


def _checked(path: str) -> str:
    """The path, within the folder, without detours."""
    plain = normpath(path)
    if plain.split("/")[0] == ".." or "\0" in path:
        raise _wrong(path, "would lie outside of the model's folder")
    if isabs(plain):
        raise _wrong(path, "begins at the root, not in the model's folder", stage="load")
    if plain == "." or path.endswith("/"):
        raise _wrong(path, "has no name")
    return plain


def _check_apart(paths: Collection[str]) -> None:
    """Refuse a file that another one needs as its folder."""
    for path in paths:
        folders = {path[:end] for end, letter in enumerate(path) if letter == "/"}
        for both in folders.intersection(paths):
            raise _wrong(both, f"can not be a folder, too, as {path!r} needs")


def _wrong(path: str, reason: str, *, stage: Literal["read", "load"] = "read") -> ConfigError:
    advice = "name it <version>/<path>, such as 1/model.onnx"
    return ConfigError(f"file {path!r} {reason}", suggestion=advice, stage=stage)


def _digest(contents: Mapping[str, bytes]) -> str:
    digest = sha256()
    for path in sorted(contents):
        name = path.encode()
        digest.update(b"%d %s %d " % (len(name), name, len(contents[path])))
        digest.update(contents[path])
    return digest.hexdigest()
