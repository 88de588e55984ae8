# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where models lie: folders of models, `<repository>/<model>/[config.pbtxt]/<version>/...`."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from workbench.errors import AlreadyExistsError, ConfigError, InvalidArgumentError, NotFoundError, UnavailableError
from workbench.repository.namespaces import SEPARATOR, full_name
from workbench.repository.versions import version_of

LOG: Final = logging.getLogger("workbench.repository")

CONFIG_FILE: Final = "config.pbtxt"
_OTHER_FOLDERS: Final = frozenset({"configs", "initial_state", "warmup", "__pycache__"})

Fingerprint: TypeAlias = tuple[tuple[str, int, int], ...]
"""Relative path, modification time and size of each file; `<version>/` for each version."""


def is_plain_name(name: str) -> bool:
    """True for the name of one folder; anything else could lead out of the repository."""
    return name not in {"", ".", ".."} and Path(name).name == name


def plain_name(name: str) -> str:
    """`name`, where it can be that of a model; else InvalidArgumentError."""
    if not is_plain_name(name):
        message = f"{name!r} can not name a model: a model's name is one folder's name"
        raise InvalidArgumentError(message)
    return name


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The folder of one model."""

    path: Path
    alias: str = ""
    config_name: str = ""
    """Of `configs/<config_name>.pbtxt`, which is read in place of config.pbtxt where it is there."""

    @property
    def name(self) -> str:
        """The model's name: that of its folder, where it was given no other."""
        return self.alias or self.path.name

    @property
    def config_path(self) -> Path:
        """Where the configuration is, or would be."""
        chosen = self.path / "configs" / f"{self.config_name}.pbtxt"
        return chosen if self.config_name and chosen.is_file() else self.path / CONFIG_FILE

    def config_text(self) -> str | None:
        """The configuration's text, None where the model has no configuration file.

        Raises:
            ConfigError: the file can not be read as text.
        """
        try:
            return self.config_path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as exc:
            message = f"the configuration can not be read: {exc}"
            raise ConfigError(message, source=str(self.config_path)) from exc

    def versions(self) -> tuple[int, ...]:
        """Versions that have a folder, lowest first; says in the log which folders are ignored."""
        folders = [entry.name for entry in self.path.iterdir() if entry.is_dir()]
        for folder in sorted(folders):
            if version_of(folder) is None and folder not in _OTHER_FOLDERS and not folder.startswith("."):
                LOG.warning("%s: folder %r is ignored: a version is a positive integer such as 1", self.path, folder)
        return tuple(sorted(version for folder in folders if (version := version_of(folder)) is not None))

    def fingerprint(self) -> Fingerprint:
        """What a reload compares: every file with its modification time and size, and which versions there are."""
        return tuple(sorted(self._stamps()))

    def _stamps(self) -> Iterator[tuple[str, int, int]]:
        for path in self.path.iterdir():
            # A version that needs no files is a version.
            if version_of(path.name) is not None and path.is_dir():
                yield f"{path.name}/", 0, 0
        for path in self.path.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                status = path.stat()
                yield str(path.relative_to(self.path)), status.st_mtime_ns, status.st_size


@dataclass(frozen=True, slots=True)
class Sources:
    """The model repositories of one server, in the order in which they are searched."""

    paths: tuple[Path, ...]
    aliases: Mapping[str, Path] = field(default_factory=dict)
    """Folders of models that are not called like them; what is named here is looked for nowhere else."""
    config_name: str = ""
    has_namespaces: bool = False
    """A name may be that of a model in each of several repositories."""

    @classmethod
    def of(
        cls, repository: str | Path | Iterable[str | Path], *, config_name: str = "", has_namespaces: bool = False
    ) -> Sources:
        """The repositories of one path or several; `config_name` chooses among the configurations of a model.

        Raises:
            NotFoundError: a path is no folder.
        """
        several = (repository,) if isinstance(repository, (str, Path)) else tuple(repository)
        paths = tuple(Path(path).expanduser().resolve() for path in several)
        for path in paths:
            if not path.is_dir():
                message = f"no model repository at {path}: make the folder, one subfolder for each model"
                raise NotFoundError(message)
        return cls(paths, config_name=config_name, has_namespaces=has_namespaces)

    def with_path(self, path: str | Path, names: Mapping[str, str]) -> Sources:
        """The same with a further folder; `names` tell the subfolders of models that are called otherwise.

        Raises:
            InvalidArgumentError: there is no such folder.
            AlreadyExistsError: it is there already, or one of the names is taken.
        """
        added = Path(path).expanduser().resolve()
        if not added.is_dir():
            message = f"no folder at {added} that could be a model repository"
            raise InvalidArgumentError(message)
        if added in self.paths:
            message = f"{added} is a model repository of this server already"
            raise AlreadyExistsError(message)
        if taken := set(names) & set(self.aliases):
            message = f"a folder of another repository is called {', '.join(sorted(taken))} already"
            raise AlreadyExistsError(message)
        aliases = {name: added / plain_name(folder) for name, folder in names.items()}
        return replace(self, paths=(*self.paths, added), aliases={**self.aliases, **aliases})

    def without_path(self, path: str | Path) -> Sources:
        """The same without one of its folders.

        Raises:
            InvalidArgumentError: it has no such folder.
        """
        gone = Path(path).expanduser().resolve()
        if gone not in self.paths:
            message = f"{gone} is no model repository of this server; it has {self}"
            raise InvalidArgumentError(message)
        aliases = {name: folder for name, folder in self.aliases.items() if folder.parent != gone}
        return replace(self, paths=tuple(kept for kept in self.paths if kept != gone), aliases=aliases)

    def names(self) -> tuple[str, ...]:
        """Names of all models, sorted.

        Raises:
            UnavailableError: a folder is no longer there, or can not be read.
        """
        entries = (entry for path in self.paths for entry in _listed(path))
        folders = {entry for entry in entries if entry.is_dir() and not entry.name.startswith(".")}
        plain = {*self.aliases, *(folder.name for folder in folders - set(self.aliases.values()))}
        return tuple(sorted(full for name in plain for full in self.full_names(name)))

    def full_names(self, name: str) -> tuple[str, ...]:
        """The name; with namespaces that of each model that it may mean, where these are several."""
        if not self.has_namespaces or len(found := list(self._folders(name))) < 2:
            return (name,)
        return tuple(full_name(folder.parent, name) for folder in found)

    def find(self, name: str) -> ModelFolder:
        """The folder of a model.

        Raises:
            NotFoundError: no repository has it.
            UnavailableError: two repositories have it, so neither can serve it.
        """
        found = list(self._folders(name) if SEPARATOR not in name else self._folder_of(name))
        if not found:
            message = f"no model {name!r} in {self}; there {self._inventory()}"
            raise NotFoundError(message)
        if len(found) > 1:
            message = f"model {name!r} is in {len(found)} repositories, {' and '.join(map(str, found))}: keep one"
            raise UnavailableError(message)
        return ModelFolder(found[0], "" if found[0].name == name else name, self.config_name)

    def write_config(self, name: str, text: str) -> Path:
        """Write the configuration file of a model, in a new folder of the first repository where it has none.

        Returns:
            The file.

        Raises:
            InvalidArgumentError: the name can not be that of a folder.
            UnavailableError: two repositories have the model.
        """
        try:
            folder = self.find(name)
        except NotFoundError:
            folder = ModelFolder(self.paths[0] / plain_name(name))
            (folder.path / "1").mkdir(parents=True)
        folder.config_path.write_text(text, encoding="utf-8")
        return folder.config_path

    def _folders(self, name: str) -> Iterator[Path]:
        """Folders in which a model of that name lies."""
        if name in self.aliases:
            candidates = [self.aliases[name]]
        elif is_plain_name(name):
            candidates = [path / name for path in self.paths]
        else:
            candidates = []
        renamed = set(self.aliases.values()) if name not in self.aliases else set()
        yield from (folder for folder in candidates if folder.is_dir() and folder not in renamed)

    def _folder_of(self, full: str) -> Iterator[Path]:
        path, _, name = full.rpartition(SEPARATOR)
        folder = Path(path) / name
        if self.has_namespaces and folder.parent in self.paths and is_plain_name(name) and folder.is_dir():
            yield folder

    def _inventory(self) -> str:
        names = self.names()
        return f"are {', '.join(names)}" if names else "is none yet"

    def __str__(self) -> str:
        return ", ".join(str(path) for path in self.paths)


def _listed(path: Path) -> list[Path]:
    try:
        return list(path.iterdir())
    except OSError as exc:
        message = (
            f"the model repository {path} can not be read: {exc.strerror}; put it back, or start a server elsewhere"
        )
        raise UnavailableError(message) from exc
