# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where backend `onnxruntime` finds the library: in the wheel of that name, which is not imported for it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

BACKEND: Final = "onnxruntime"
_SETTING: Final = "library"


def with_library(settings: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """The settings of backends, with the library of the installed wheel where they name none."""
    own = settings.get(BACKEND, {})
    library = None if _SETTING in own else _library()
    return dict(settings) if library is None else {**settings, BACKEND: {_SETTING: str(library), **own}}


def _library() -> Path | None:
    wheel = find_spec("onnxruntime")
    folders = [] if wheel is None else wheel.submodule_search_locations or []
    found = [path for folder in folders for path in Path(folder, "capi").glob("libonnxruntime.so*")]
    return found[0] if found else None
