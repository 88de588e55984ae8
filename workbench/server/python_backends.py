# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Backends that are a `model.py` in a folder of backends: backend `python` runs it for each of their models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

BACKEND: Final = "python"
FILE: Final = "model.py"
_SETTING: Final = "model_file"


def with_model_files(
    settings: Mapping[str, Mapping[str, str]], folders: Iterable[Path]
) -> dict[str, Mapping[str, str]]:
    """The settings of backends, with the file of each one in Python, out of the first folder that has it."""
    found: dict[str, Mapping[str, str]] = {}
    for folder in folders:
        for file in sorted(folder.glob(f"*/{FILE}")):
            found.setdefault(file.parent.name, {_SETTING: str(file)})
    return {**settings, **{name: {**told, **settings.get(name, {})} for name, told in found.items()}}
