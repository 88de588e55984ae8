# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is to be built: a cell's text and all that decides what becomes of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from workbench.errors import BuildError

Language = Literal["c++", "cuda"]

_LEGAL_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
_SUFFIXES: Final[Mapping[str, str]] = {"c++": ".cc", "cuda": ".cu"}


def file_name_of(name: str, language: Language) -> str:
    """The name under which the compiler sees the text of backend `name`."""
    return f"{name}{_SUFFIXES[language]}"


@dataclass(frozen=True, slots=True)
class Source:
    """A backend's source text and how it is compiled.

    `files` are further texts by relative name, for `#include`; `libraries` are names (`m`) or paths;
    `first_line` is the number that the text's first line bears where its author sees it.
    """

    name: str
    text: str
    language: Language = "c++"
    flags: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    is_sanitized: bool = False
    first_line: int = 1

    def __post_init__(self) -> None:
        if not _LEGAL_NAME.fullmatch(self.name):
            raise BuildError(
                f"{self.name!r} cannot name a backend: a name is letters, digits, '_', '-', '.' and '+', "
                "and becomes libtriton_<name>.so"
            )
        if self.language not in _SUFFIXES:
            raise BuildError(f"unknown language {self.language!r}: it is {' or '.join(_SUFFIXES)}")
        for name in self.files:
            if Path(name).is_absolute() or ".." in Path(name).parts:
                raise BuildError(f"file {name!r} would lie outside the build: its name must be relative, without '..'")

    @property
    def file_name(self) -> str:
        """The name under which the compiler sees the text."""
        return file_name_of(self.name, self.language)

    def write(self, folder: Path) -> None:
        """Lay the texts out in `folder` for the compiler."""
        for name, text in {**self.files, self.file_name: self.text}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def key(self, *environment: str) -> str:
        """Hash of everything that decides the outcome, but for the contents of headers outside the source.

        Args:
            environment: what the source does not know: the compiler, its version, our own flags.
        """
        parts = (
            self.name, self.text, self.language, self.flags, self.include_dirs, self.libraries,
            sorted(self.files.items()), self.is_sanitized, environment,
        )  # fmt: skip
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
