# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""C++ floors: includes and link edges go downward only, and floors of one level do not know each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Tracked = Callable[..., list[Path]]

LEVELS = (
    ("base",),
    ("device", "metrics", "events"),
    ("memory",),
    ("inference",),
    ("scheduling",),
    ("model", "load", "sim"),
    ("engine",),
    ("capi", "endpoints"),
    ("python",),
)
LEVEL_OF = {floor: level for level, floors in enumerate(LEVELS) for floor in floors}
SHARED_TARGETS = {"wb_flags", "wb_testing"}

_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)/[^"]+"', re.MULTILINE)
_COMMAND = re.compile(r"^\s*(wb_library|target_link_libraries)\s*\((\w+)([^)]*)\)", re.MULTILINE)


def may_use(user: str, used: str) -> bool:
    """Whether a floor may name another: itself, or one on a lower level."""
    return user == used or LEVEL_OF[used] < LEVEL_OF[user]


def included_floors(source: str) -> Iterator[str]:
    yield from (name for name in _INCLUDE.findall(source) if name in LEVEL_OF)


def linked_floors(cmake: str) -> Iterator[tuple[str, str]]:
    """Pairs (floor, floor it links) of every target named wb_<floor>."""
    for _, target, arguments in _COMMAND.findall(cmake):
        user = target.removeprefix("wb_")
        used = (name.removeprefix("wb_") for name in re.findall(r"\bwb_\w+", arguments) if name not in SHARED_TARGETS)
        if user in LEVEL_OF:
            yield from ((user, name) for name in used if name in LEVEL_OF)


def floor_of(path: Path, root: Path) -> str:
    return path.relative_to(root / "native/src").parts[0]


def test_every_folder_is_a_floor(root: Path, tracked: Tracked) -> None:
    folders = {floor_of(path, root) for path in tracked("native/src/*")}
    assert folders - LEVEL_OF.keys() <= {"testing"}


def test_includes_go_downward_only(root: Path, tracked: Tracked) -> None:
    upward = [
        f"{path.relative_to(root)} includes {used}/"
        for path in tracked("native/src/*.h", "native/src/*.cc")
        if (floor := floor_of(path, root)) in LEVEL_OF
        for used in included_floors(path.read_text())
        if not may_use(floor, used)
    ]
    assert not upward


def test_link_edges_go_downward_only(root: Path, tracked: Tracked) -> None:
    upward = [
        f"{path.relative_to(root)}: wb_{user} links wb_{used}"
        for path in tracked("native/src/*CMakeLists.txt")
        for user, used in linked_floors(path.read_text())
        if not may_use(user, used)
    ]
    assert not upward


def test_test_tools_stay_in_tests(root: Path, tracked: Tracked) -> None:
    users = [
        str(path.relative_to(root))
        for path in tracked("native/src/*.h", "native/src/*.cc")
        if '#include "testing/' in path.read_text()
        and not re.search(r"(_test\.cc|_test_\w+\.h|_contract\.h|_fixture\.h|^testing\.h)$", path.name)
        and floor_of(path, root) != "testing"
    ]
    assert not users


def test_backends_know_the_public_headers_alone(root: Path, tracked: Tracked) -> None:
    insiders = [
        f"{path.relative_to(root)} includes {used}/"
        for path in tracked("native/backends/*.h", "native/backends/*.cc", "native/include/*")
        for used in included_floors(path.read_text())
    ]
    assert not insiders


def test_the_cuda_toolkit_is_needed_nowhere(root: Path, tracked: Tracked) -> None:
    users = [
        str(path.relative_to(root))
        for path in tracked("native/*.h", "native/*.cc", "native/*.hpp")
        if re.search(r"#\s*include\s*<(cuda|cublas|cudnn|nvtx)\w*\.h>|#\s*if.*\bCUDA", path.read_text())
    ]
    assert not users


@pytest.mark.parametrize(
    ("user", "used", "allowed"),
    [("memory", "base", True), ("memory", "memory", True), ("base", "memory", False), ("load", "model", False)],
)
def test_the_rule_itself(user: str, used: str, allowed: bool) -> None:
    assert may_use(user, used) is allowed


def test_the_readers_see_what_is_there() -> None:
    assert list(included_floors('#include "base/status.h"\n#include <vector>\n#include "triton/core/x.h"')) == ["base"]
    assert list(linked_floors("wb_library(wb_memory SOURCES a.cc DEPENDS wb_base wb_flags)")) == [("memory", "base")]
