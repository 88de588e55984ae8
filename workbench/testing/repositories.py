# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Small repositories for tests: a model folder, and backends that are found wherever a test says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

ECHO_CONFIG: Final = """
name: "{name}"
backend: "echo"
max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 4 ] } ]
"""
"""A model that answers with its input; `{name}` is the model's name."""


def write_model(
    repository: Path, name: str, *, text: str = ECHO_CONFIG, extra: str = "", versions: Sequence[int] = (1,)
) -> Path:
    """Write the folder of a model, `text` and `extra` being its configuration; returns the folder."""
    folder = repository / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.pbtxt").write_text(text.replace("{name}", name) + extra)
    for version in versions:
        (folder / str(version)).mkdir(exist_ok=True)
    return folder


class FakeFinder:
    """Finds the same library for every backend; a test may replace it by another."""

    def __init__(self, library: Path = Path("/backends/libtriton_echo.so")) -> None:
        self.library = library

    def __call__(self, backend: str, folders: tuple[Path, ...], *, file_name: str = "") -> Path:
        """The library, whatever is asked for."""
        del backend, folders, file_name
        return self.library


class FakePreflight:
    """Notes what it was asked to try; raises `refusals` by version."""

    def __init__(self) -> None:
        self.tried: list[int] = []
        self.refusals: dict[int, Exception] = {}

    def __call__(self, library: Path, *, model_config_json: str, version: int, folder: Path) -> None:
        """Try one version."""
        del library, model_config_json, folder
        self.tried.append(version)
        if version in self.refusals:
            raise self.refusals[version]
