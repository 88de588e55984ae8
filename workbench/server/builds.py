# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the server takes from `build`: backends made in this process, and trials in a child process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path

from workbench.build import Library, preflight, registry
from workbench.server.finder import BackendFinder


def built_library(name: str) -> Path | None:
    """The shared object of a backend that was built in this process."""
    library = registry.built(name)
    return None if library is None else Path(library.path)


def on_build(move: Callable[[str], Iterable[Future[None]]]) -> Callable[[], None]:
    """Call `move` with the name of every backend that is built from now on; returns what ends that.

    Whoever builds waits for the moves: the next request is answered by the new object, or the build tells why not.
    """

    def moved(library: Library) -> None:
        for each in list(move(library.name)):
            each.result()

    return registry.subscribe(moved)


class Trial:
    """Tries a model in a child process before this one opens its backend; those of the wheel need none."""

    def __init__(self, finder: BackendFinder) -> None:
        self._finder = finder

    def __call__(self, library: Path, *, model_config_json: str, version: int, folder: Path) -> None:
        """Raise PreflightError where the backend does not survive the model."""
        if not self._finder.is_own(library):
            preflight.try_model(library, model_config_json=model_config_json, version=version, folder=folder)
