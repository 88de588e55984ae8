# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the checks of the architecture read: the repository's own files."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """Top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def tracked() -> Callable[..., list[Path]]:
    """`tracked("*.py", "native/*.h")`: the files under version control that match, as absolute paths."""

    def matching(*patterns: str) -> list[Path]:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
        return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]

    return matching


@pytest.fixture(scope="session")
def native_path() -> Path:
    """The built extension module; its test is skipped where there is none."""
    try:
        found = importlib.util.find_spec("workbench._native")
    except ModuleNotFoundError:
        found = None
    if found is None or found.origin is None:
        pytest.skip("workbench is not built")
    return Path(found.origin)
