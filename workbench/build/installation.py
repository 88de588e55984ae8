# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where the parts lie that a build needs: interface headers, the core, the child that tries backends."""

from __future__ import annotations

import math
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from workbench.errors import UnavailableError

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_SOURCE_TREE: Final = _PACKAGE.parent


@cache
def _installed() -> Path:
    """The folder beside the extension module; that of the Python files where nothing native is installed."""
    module = find_spec("workbench._native")
    return Path(module.origin).parent if module is not None and module.origin else _PACKAGE


def _first(candidates: tuple[Path, ...], what: str) -> Path:
    for path in candidates:
        if path.exists():
            return path
    places = ", ".join(map(str, candidates))
    raise UnavailableError(f"{what} is not installed; looked for it at {places}")


def include_dir() -> Path:
    """The folder of `triton/core/*.h` and `workbench/backend.hpp`. Raises UnavailableError where it is missing."""
    return _first((_installed() / "include", _SOURCE_TREE / "native/include"), "the folder of the interface headers")


def get_include() -> str:
    """The folder of the interface headers, for those who compile elsewhere: `-I{workbench.get_include()}`."""
    return str(include_dir())


def core_library() -> Path:
    """The core, `libtritonserver.so`. Raises UnavailableError where it is missing."""
    return _first((_installed() / "libtritonserver.so",), "the core")


def linked_definitions() -> Path:
    """What backend.hpp defines, as a static library. Raises UnavailableError where it is missing."""
    return _first((_installed() / "lib/libworkbench_backend.a",), "the library of what backend.hpp defines")


def oldest_release_of_gcc() -> float:
    """The first release of GCC whose library has what `linked_definitions` calls; infinite if none is known."""
    try:
        family, _, version = (linked_definitions().parent / "compiled_by.txt").read_text().partition(" ")
        return int(version.split(".")[0]) if family == "GNU" else math.inf
    except (OSError, UnavailableError, ValueError):
        return math.inf


def preflight_helper() -> Path:
    """The program that tries a backend in a process of its own. Raises UnavailableError where it is missing."""
    return _first((_installed() / "bin/preflight",), "the program that tries backends")
