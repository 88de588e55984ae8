# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""From offsets in a shared object to functions and lines of a cell, by addr2line."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

_PROGRAMS: Final = ("addr2line", "llvm-addr2line", "llvm-addr2line-14")
_PLACE: Final = re.compile(
    r"(?: \(inlined by\) )?(?P<function>.*) at (?P<file>.+):(?P<line>\d+|\?)(?: \(discriminator \d+\))?"
)
_LIMIT_S: Final = 20
_HEADERS: Final = ("workbench/backend/", "/c++/", "/libcxx/")


@dataclass(frozen=True, slots=True)
class Place:
    """A function, and the line of the file that holds it; line 0 where it is not known."""

    function: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.function} at {PurePath(self.file).name}:{self.line}" if self.line else self.function


def addr2line() -> str | None:
    """The program that knows, None where this machine has none."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


def places(library: Path, offsets: Sequence[str]) -> tuple[Place, ...]:
    """The places of `offsets` in `library`, each followed by what it was inlined into; empty without addr2line."""
    program = addr2line()
    if program is None or not offsets:
        return ()
    try:
        answer = subprocess.run(
            [program, "-e", str(library), "-Cfpi", *offsets],
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    found = (_PLACE.fullmatch(line) for line in answer.splitlines())
    return tuple(Place(f["function"], f["file"], int(f["line"]) if f["line"].isdigit() else 0) for f in found if f)


def of_the_author(trace: Sequence[Place]) -> tuple[Place, ...]:
    """The places outside the headers of the language and of the interface; all where there are no others."""
    own = tuple(place for place in trace if not any(part in place.file for part in _HEADERS))
    return own or tuple(trace)


def first_line_in(trace: Sequence[Place], file_name: str) -> int:
    """The line of the innermost place in the file of that name, 0 where there is none."""
    return next((place.line for place in trace if PurePath(place.file).name == file_name and place.line), 0)
