# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the compilers of this machine and tells them apart."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from workbench.build.source import Language
from workbench.errors import BuildError, MissingExtraError

Family = Literal["gcc", "clang", "zig", "nvcc"]

ORDER: Final[Mapping[Language, tuple[str, ...]]] = {"c++": ("g++", "clang++", "zig"), "cuda": ("nvcc",)}
"""Compilers of each language, the preferred first."""

_GLIBC: Final = "2.28"
_WORKS_S: Final = 20


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that works: `command` starts it, `version` is what it says of itself."""

    name: str
    family: Family
    command: tuple[str, ...]
    version: str

    def __str__(self) -> str:
        return f"{self.name} ({self.version})"


def find_compiler(language: Language = "c++", wanted: str = "") -> Compiler:
    """The compiler called `wanted` (a name of ORDER or a path), or else the first of the language that works.

    Raises BuildError where the wanted one does not work, MissingExtraError where there is none at all.
    """
    if wanted:
        compiler = probe(wanted)
        if compiler is None:
            raise BuildError(f"no compiler {wanted!r} that works; there is {_listed(language)}")
        return compiler
    found = next(available(language), None)
    if found is None:
        raise MissingExtraError(f"compiling {'CUDA' if language == 'cuda' else 'C++'} cells", extra=_EXTRAS[language])
    return found


_EXTRAS: Final[Mapping[Language, str]] = {"c++": "zig", "cuda": "cuda"}


def available(language: Language) -> Iterator[Compiler]:
    """The compilers of a language that work, the preferred first."""
    yield from (compiler for name in ORDER[language] if (compiler := probe(name)) is not None)


def _listed(language: Language) -> str:
    return ", ".join(str(compiler) for compiler in available(language)) or "none"


def probe(name: str) -> Compiler | None:
    """The compiler of that name or path, if it answers when asked for its version."""
    if name in {"zig", "ziglang"}:
        return _zig()
    path = shutil.which(name) or (_nvcc_of_wheel() if name == "nvcc" else None)
    if path is None:
        return None
    return _ask(path, Path(path).stat().st_mtime_ns)


@cache
def _ask(path: str, changed_ns: int) -> Compiler | None:
    """`changed_ns` makes an exchanged compiler another one."""
    del changed_ns
    try:
        answer = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_WORKS_S, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    for family, sign in _SIGNS.items():
        if sign(answer):
            return Compiler(Path(path).name, family, (path,), _version(answer))
    return None


_SIGNS: Final[Mapping[Family, Callable[[str], bool]]] = {
    "nvcc": lambda answer: "NVIDIA" in answer,
    "clang": lambda answer: "clang version" in answer,
    "gcc": lambda answer: "Free Software Foundation" in answer,
}


def release_of_gcc(compiler: Compiler) -> int:
    """The release whose standard library the compiler uses: its own, for clang that of g++; 0 where that is another."""
    gcc = {"gcc": compiler, "clang": probe("g++")}.get(compiler.family)
    return int(gcc.version.split(".")[0]) if gcc is not None else 0


def _version(answer: str) -> str:
    found = re.search(r"V(\d+(?:\.\d+)+)", answer) or re.search(r"\b(\d+(?:\.\d+)+)", answer)
    return found[1] if found else answer.splitlines()[0]


def _zig() -> Compiler | None:
    """The compiler of the wheel `ziglang`, for a C library old enough for any machine."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "zig"
    if not program.exists():
        return None
    target = f"{platform.machine()}-linux-gnu.{_GLIBC}"
    return Compiler("zig", "zig", (str(program), "c++", "-target", target), importlib.metadata.version("ziglang"))


def _nvcc_of_wheel() -> str | None:
    """The program of the wheel `nvidia-cuda-nvcc`, which lies outside the search path."""
    spec = importlib.util.find_spec("nvidia")
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    programs = (program for folder in folders for program in sorted(Path(folder).glob("*/bin/nvcc")))
    return next(map(str, programs), None)
