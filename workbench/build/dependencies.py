# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The headers that a compilation read: a changed one makes the kept object stale."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_RULE: Final = re.compile(r"^[^:]*:\s*", re.DOTALL)
_WORD: Final = re.compile(r"(?:\\.|[^\s\\])+")


@dataclass(frozen=True, slots=True)
class Dependency:
    """A header as it was when it was read. Size and time tell quickly that it is the same, its hash tells surely."""

    path: str
    byte_size: int
    changed_ns: int
    digest: str

    def is_unchanged(self) -> bool:
        """Whether the file still holds what was read."""
        try:
            status = Path(self.path).stat()
            if (status.st_size, status.st_mtime_ns) == (self.byte_size, self.changed_ns):
                return True
            return status.st_size == self.byte_size and _digest(Path(self.path)) == self.digest
        except OSError:
            return False


def read_dependencies(rule: str, folder: Path) -> tuple[Dependency, ...]:
    """The files of a make rule as compilers write it, without those inside `folder`, which are the source itself."""
    words = (re.sub(r"\\(.)", r"\1", word) for word in _WORD.findall(_RULE.sub("", rule.replace("\\\n", " "), count=1)))
    paths = (Path(os.path.normpath(folder / word)) for word in words)
    return tuple(_record(path) for path in dict.fromkeys(paths) if not path.is_relative_to(folder))


def joint_digest(key: str, dependencies: Iterable[Dependency]) -> str:
    """Names an object by all that went into it."""
    together = hashlib.sha256(key.encode())
    for dependency in dependencies:
        together.update(dependency.digest.encode())
    return together.hexdigest()


def _record(path: Path) -> Dependency:
    status = path.stat()
    return Dependency(str(path), status.st_size, status.st_mtime_ns, _digest(path))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
