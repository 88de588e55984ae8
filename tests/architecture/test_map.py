# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""ARCHITECTURE.md is true: every folder is on it, every floor it draws is there, every folder says what it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

Tracked = Callable[..., list[Path]]

WHOLE = re.compile(
    r"model_repository/.+|native/src/\w+/.+|native/backends/.+|native/include/workbench/.+|workbench/\w+/.+|tests/unit/.+|tests/\w+/\w+"
)
"""Folders that the folder above explains: samples, parts of a floor, backends, what mirrors the package."""


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "ARCHITECTURE.md").read_text()


@pytest.fixture(scope="module")
def folders(root: Path, tracked: Tracked) -> list[str]:
    """Every folder with files under version control, relative to the repository."""
    found = {parent for path in tracked("*") for parent in path.relative_to(root).parents}
    return sorted(str(folder) for folder in found if folder != Path())


def drawn_floors(page: str) -> tuple[set[str], set[str]]:
    """Native and Python floors as the picture of the floors has them, column by column."""
    (picture,) = re.findall(r"```text\nC\+\+.*?```", page, re.DOTALL)
    lines = picture.splitlines()[1:-1]
    begin = lines[0].index("Python")
    native = {line[4:begin].split()[0] for line in lines[1:] if line[4:5].strip()}
    python = {
        name
        for line in lines[1:]
        for name in re.split(r",\s*", re.split(r"\s{2,}", line[begin + 4 :].strip())[0])
        if name
    }
    return native, python


def test_every_folder_is_on_the_map(page: str, folders: list[str]) -> None:
    native, python = drawn_floors(page)
    known = {f"native/src/{floor}" for floor in native} | {f"workbench/{floor}" for floor in python}
    known |= {name.rstrip("/") for name in re.findall(r"`([\w./-]+/)`", page)}
    above = {str(parent) for name in known for parent in Path(name).parents}
    assert [folder for folder in folders if folder not in known | above and not WHOLE.fullmatch(folder)] == []


def test_every_floor_of_the_picture_is_there(page: str, root: Path) -> None:
    native, python = drawn_floors(page)
    assert {floor for floor in native if not (root / "native/src" / floor / "CMakeLists.txt").exists()} == set()
    modules = {floor for floor in python if not floor.startswith("_") and not (root / f"workbench/{floor}.py").exists()}
    assert {floor for floor in modules if not (root / "workbench" / floor / "__init__.py").exists()} == set()


def test_every_folder_of_the_map_is_there(page: str, root: Path) -> None:
    named = re.findall(r"`((?:\.?[a-z_]+/)(?:[\w.-]+/)*)`", page)
    in_place = ("", "native/include/workbench/", "native/backends/", "native/include/workbench/backend/")
    assert [name for name in named if not any((root / place / name).is_dir() for place in in_place)] == []


def test_every_folder_says_what_it_is(root: Path, folders: list[str], page: str) -> None:
    on_the_map = {name.rstrip("/") for name in re.findall(r"`([\w./-]+/)`", page)}
    above = {str(parent) for name in on_the_map for parent in Path(name).parents}
    silent = [name for name in folders if name not in on_the_map | above and not explained(root / name, root)]
    assert [name for name in silent if not any(str(parent) in on_the_map for parent in Path(name).parents)] == []


def explained(folder: Path, root: Path) -> bool:
    """A README, a package's docstring, the comment at the head of a CMakeLists.txt; or the folder above has one."""
    if (folder / "README.md").exists():
        return True
    if (package := folder / "__init__.py").exists():
        return bool(ast.get_docstring(ast.parse(package.read_text())))
    if (cmake := folder / "CMakeLists.txt").exists():
        return re.search(r"^# (?!SPDX)\w", cmake.read_text(), re.MULTILINE) is not None
    return folder.parent != root and explained(folder.parent, root)


@pytest.mark.parametrize("map_page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_file_that_is_named_without_its_folder_is_there(map_page: str, root: Path, tracked: Tracked) -> None:
    named = re.findall(r"`([\w*/]+\.(?:cc|hpp|h|py|js|md|sh|json))`", (root / map_page).read_text())
    paths = [path.relative_to(root) for path in tracked("*")]
    assert [name for name in named if not any(path.match(name) for path in paths)] == []
