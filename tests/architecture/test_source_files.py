# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Every source file is short, says its licence, and speaks of the product alone."""

from __future__ import annotations

import re
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Tracked = Callable[..., list[Path]]

PYTHON = ("workbench/*.py", "tests/*.py", "tools/*.py", "benchmarks/*.py")
NATIVE = ("native/*.h", "native/*.hpp", "native/*.cc", "native/*.cu", "tests/*.cc")
SCRIPTS = ("workbench/*.js", "workbench/*.mjs", "workbench/*.css", "tests/*.mjs", "tests/*.js")
OTHERS = ("Makefile", ".ci/run", "*CMakeLists.txt", "*.cmake", "*.sh", "workbench/*.pyi", "binder/postBuild")
# One declaration after the other, in the order of the original: splitting them would help nobody.
WHOLE = re.compile(r"native/include/triton/core/\w+\.h$|native/src/capi/unsupported\.cc$")
LIMITS = {PYTHON: 300, NATIVE: 500, SCRIPTS: 300}

_LICENCE = re.compile(
    r"SPDX-FileCopyrightText: 2026 The workbench authors.*\n.*SPDX-License-Identifier: Apache-2\.0", re.MULTILINE
)
# A path of the machine where a line was written, or a word about how it was written.
_PRIVATE = re.compile(r"(?<![\w.}])/(?:work|home/\w+|Users/\w+)/|\b(?:the lead|[Ii]ssue #?\d+)\b")


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


@pytest.mark.parametrize("patterns", LIMITS, ids=("python", "native", "scripts"))
def test_files_are_short(
    patterns: tuple[str, ...], root: Path, tracked: Tracked, record_property: Callable[[str, object], None]
) -> None:
    sizes = {str(path.relative_to(root)): lines(path) for path in tracked(*patterns)}
    sizes = {name: size for name, size in sizes.items() if not WHOLE.search(name)}
    record_property("files", len(sizes))
    record_property("median_lines", statistics.median(sizes.values()) if sizes else 0)
    assert not {name: size for name, size in sizes.items() if size > LIMITS[patterns]}


def test_source_files_say_their_licence(root: Path, tracked: Tracked) -> None:
    files = tracked(*PYTHON, *NATIVE, *SCRIPTS, *OTHERS)
    silent = [
        str(path.relative_to(root))
        for path in files
        if (text := path.read_text()).strip() and not _LICENCE.search("\n".join(text.splitlines()[:5]))
    ]
    assert not silent


def test_text_speaks_of_the_product_alone(root: Path, tracked: Tracked) -> None:
    spoken = [
        f"{path.relative_to(root)}:{number}: {line.strip()[:80]}"
        for path in tracked("*")
        if path.name not in {"LICENSE", Path(__file__).name} and path.suffix not in {".png", ".svg"}
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if _PRIVATE.search(line)
    ]
    assert not spoken


def test_nothing_under_version_control_is_ignored(root: Path) -> None:
    command = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert not subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
