# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Python floors: the import contracts of pyproject.toml hold, and subpackages are used by their public names."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

Tracked = Callable[..., list[Path]]


def test_import_contracts_hold(root: Path) -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """Absolute names of the modules that a source file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def foreign_files(path: Path, package: Path) -> list[str]:
    """Modules inside other subpackages that `path` names; a subpackage is to be named itself."""
    subpackage = path.relative_to(package).parts[0]
    names = (name.split(".") for name in imported_modules(ast.parse(path.read_text())))
    return [".".join(parts) for parts in names if parts[0] == "workbench" and len(parts) > 2 and parts[1] != subpackage]


def test_files_inside_a_subpackage_are_its_own(root: Path, tracked: Tracked) -> None:
    package = root / "workbench"
    found = {str(path.relative_to(root)): foreign_files(path, package) for path in tracked("workbench/*.py")}
    assert not {path: names for path, names in found.items() if names}


def test_test_tools_are_used_by_no_floor(root: Path, tracked: Tracked) -> None:
    users = [
        str(path.relative_to(root))
        for path in tracked("workbench/*.py")
        if "testing" not in path.parts
        for name in imported_modules(ast.parse(path.read_text()))
        if name.startswith("workbench.testing")
    ]
    assert not users


def test_the_top_module_stays_short(root: Path) -> None:
    assert len((root / "workbench/__init__.py").read_text().splitlines()) <= 100
