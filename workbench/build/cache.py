# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Built objects on disk, found again by what went into them.

`keys/<key>.json` says for a source which headers it read and which object came out; `objects/<digest>/` holds the
object under a name of its own, so that a loaded file is never overwritten. The least recently used objects go when the
limit is reached. Several processes may share one folder: what is written is written aside and renamed.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from workbench.build.dependencies import Dependency, joint_digest, read_dependencies
from workbench.build.flags import FILES
from workbench.errors import BuildError

DEFAULT_LIMIT_BYTE_SIZE: Final = 1 << 30
_RECORD: Final = "build.json"
_DIGITS: Final = 16
_IN_USE: Final[set[Path]] = set()
"""Objects that this process built or found, whichever cache object it asked: they may be loaded."""


def default_folder() -> Path:
    """`$XDG_CACHE_HOME/workbench` or `~/.cache/workbench`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "workbench"


@dataclass(frozen=True, slots=True)
class CachedObject:
    """An object in the cache: its file, the digest of all that went into it, and what was written down about it."""

    path: Path
    digest: str
    record: Mapping[str, Any]


class BuildCache:
    """The folder of built objects.

    Args:
        folder: made when it is first needed.
        limit_byte_size: above this the least recently used objects are removed.
        in_use: folders of objects that are never removed; added to.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        limit_byte_size: int = DEFAULT_LIMIT_BYTE_SIZE,
        in_use: set[Path] = _IN_USE,
    ) -> None:
        self.folder: Final = folder or default_folder()
        self._limit_byte_size = limit_byte_size
        self._in_use = in_use

    def __repr__(self) -> str:
        return f"<BuildCache {self.folder}, {len(self._objects())} objects, {self.byte_size()} bytes>"

    def find(self, key: str) -> CachedObject | None:
        """The object built for `key`, unless a header that it read has changed."""
        entry = _read_json(self._key_path(key))
        if entry is None or not all(Dependency(*fields).is_unchanged() for fields in entry["dependencies"]):
            return None
        return self._open(str(entry["digest"]))

    def store(self, key: str, staged: Path, *, file_stem: str, record: Mapping[str, Any]) -> CachedObject:
        """Keep the object that a compilation left in `staged`, with `record`, under a name that bears its digest.

        Raises BuildError where the disk is full.
        """
        with self.guarded():
            dependencies = read_dependencies((staged / FILES.dependencies).read_text(), staged)
            digest = joint_digest(key, dependencies)
            self._keep(digest, staged / file_stem, {**record, "file": f"{file_stem}.{digest[:12]}.so"})
            fields = [list(asdict(dependency).values()) for dependency in dependencies]
            _write_json(self._key_path(key), {"digest": digest, "dependencies": fields})
        kept = self._open(digest)
        if kept is None:
            raise BuildError(f"the object that was just built vanished from {self.folder}")
        self.evict()
        return kept

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A folder for one compilation, removed afterwards. Raises BuildError where the disk is full."""
        with self.guarded():
            (self.folder / "staging").mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=self.folder / "staging"))
        try:
            with self.guarded():
                yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turns a full or unwritable disk into a BuildError that names the folder and the way out."""
        try:
            yield
        except OSError as exc:
            if exc.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise self.full() from exc
            if exc.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
                advice = "set XDG_CACHE_HOME to a folder that can be written"
                raise BuildError(f"cannot write to {self.folder} ({exc.strerror}); {advice}") from exc
            raise

    def full(self) -> BuildError:
        """What to say when the disk is full."""
        return BuildError(
            f"no space left on the disk of {self.folder}, where built backends are kept; free some, "
            "or set XDG_CACHE_HOME to a folder on another disk"
        )

    def byte_size(self) -> int:
        """Bytes of all objects."""
        return sum(_byte_size(folder) for folder in self._objects())

    def evict(self) -> None:
        """Remove the least recently used objects until the rest fits; never one that this process built or found."""
        by_age = sorted(self._objects(), key=_last_use)
        excess = sum(map(_byte_size, by_age)) - self._limit_byte_size
        for folder in by_age:
            if excess <= 0:
                return
            if folder not in self._in_use:
                excess -= _byte_size(folder)
                shutil.rmtree(folder, ignore_errors=True)

    def _keep(self, digest: str, built: Path, record: Mapping[str, Any]) -> None:
        goal = self._object_path(digest)
        if goal.exists():
            return
        aside = Path(tempfile.mkdtemp(dir=self.folder / "staging"))
        try:
            shutil.copy2(built, aside / str(record["file"]))
            _write_json(aside / _RECORD, record)
            goal.parent.mkdir(parents=True, exist_ok=True)
            aside.rename(goal)
        except OSError as exc:
            shutil.rmtree(aside, ignore_errors=True)
            # Another process was quicker: its object is as good.
            if exc.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
                raise

    def _open(self, digest: str) -> CachedObject | None:
        folder = self._object_path(digest)
        record = _read_json(folder / _RECORD)
        if record is None or not (folder / str(record["file"])).is_file():
            return None
        self._in_use.add(folder)
        os.utime(folder / _RECORD)
        return CachedObject(folder / str(record["file"]), digest, record)

    def _object_path(self, digest: str) -> Path:
        return self.folder / "objects" / digest[:_DIGITS]

    def _key_path(self, key: str) -> Path:
        return self.folder / "keys" / f"{key[:_DIGITS]}.json"

    def _objects(self) -> list[Path]:
        objects = self.folder / "objects"
        return [path for path in objects.iterdir() if path.is_dir()] if objects.is_dir() else []


def _byte_size(folder: Path) -> int:
    try:
        return sum(path.stat().st_size for path in folder.iterdir())
    except FileNotFoundError:  # another process removed it
        return 0


def _last_use(folder: Path) -> float:
    try:
        return (folder / _RECORD).stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # absent, or cut short by a crash
        return None
    return content if isinstance(content, dict) else None


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    aside.write_text(json.dumps(content), encoding="utf-8")
    aside.replace(path)
