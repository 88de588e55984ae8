# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Prints what the package and the named extras require, one requirement a line, without building the package."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def requirements(extras: list[str]) -> list[str]:
    """Requirements of the package and of `extras`, as pyproject.toml lists them."""
    project = tomllib.loads(PROJECT.read_text())["project"]
    listed = list(project["dependencies"])
    for extra in extras:
        listed += project["optional-dependencies"][extra]
    return sorted(set(listed))


if __name__ == "__main__":
    print(" ".join(requirement.replace(" ", "") for requirement in requirements(sys.argv[1:])))
