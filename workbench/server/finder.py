# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the shared object of a backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from workbench.errors import LoadError
from workbench.server.python_backends import BACKEND, FILE


def _wheel_backends() -> Path:
    # They lie beside the core, which an editable installation keeps elsewhere than the Python files.
    core = find_spec("workbench._native")
    home = Path(core.origin).parent if core is not None and core.origin else Path(__file__).parent.parent
    return (home / "backends").resolve()


WHEEL_BACKENDS: Final = _wheel_backends()
"""The backends that come with workbench."""


class BackendFinder:
    """Looks for a backend in the model's folders, among those built in this process, in folders, in the wheel.

    Args:
        built: the shared object of a backend that was built in this process, None where there is none.
        folders: folders of backends, `<folder>/<name>/libtriton_<name>.so`.
    """

    def __init__(self, *, built: Callable[[str], Path | None], folders: Sequence[Path] = ()) -> None:
        self._built = built
        self._folders = tuple(folders)

    def __call__(self, backend: str, folders: tuple[Path, ...], *, file_name: str = "") -> Path:
        """The shared object that serves `backend`; raises LoadError that tells where it was looked for."""
        wanted = file_name if file_name.endswith(".so") else f"libtriton_{backend}.so"
        for path in self._candidates(backend, folders, wanted):
            if path.is_file():
                return path.resolve()
        raise LoadError(self._not_found(backend, folders, wanted))

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where backends lie, in the order in which they are looked for."""
        return (*self._folders, WHEEL_BACKENDS)

    def is_own(self, path: Path) -> bool:
        """True for a backend of the wheel, which was tried when it was built."""
        return path.is_relative_to(WHEEL_BACKENDS)

    def _candidates(self, backend: str, folders: tuple[Path, ...], wanted: str) -> Iterator[Path]:
        yield from (folder / wanted for folder in folders)
        if built := self._built(backend):
            yield built
        for folder in self.folders:
            yield folder / backend / wanted
            if (folder / backend / FILE).is_file():
                yield WHEEL_BACKENDS / BACKEND / f"libtriton_{BACKEND}.so"

    def _not_found(self, backend: str, folders: tuple[Path, ...], wanted: str) -> str:
        places = [*map(str, folders), *(str(folder / backend) for folder in self.folders)]
        own = sorted(path.name for path in WHEEL_BACKENDS.glob("*") if path.is_dir())
        return (
            f"no backend {backend!r}: {wanted} is not in {', '.join(places)}, and none of that name was built here; "
            f"build it (%%backend {backend}), name its folder (backends=[...]), "
            f"or use one that comes with workbench: {', '.join(own) or 'none'}"
        )
