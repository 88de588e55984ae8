# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What of this machine a build can use, and what to do about the rest."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from workbench.build import sanitizers
from workbench.build.addresses import addr2line
from workbench.build.cache import BuildCache
from workbench.build.compiler import Compiler, available, probe
from workbench.build.installation import core_library, include_dir, preflight_helper
from workbench.errors import UnavailableError

State = Literal["ok", "missing", "broken"]

_PROGRAM: Final = "#include <string>\n#include <vector>\nint size(std::vector<std::string>& v) { return v.size(); }\n"
_LIMIT_S: Final = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, whether it is well, and what there is or what to do."""

    subject: str
    state: State
    detail: str


def toolchain_report() -> tuple[Finding, ...]:
    """Compilers, what tells lines of crashes, checks, and where built backends are kept."""
    return (*_compilers(), _cuda(), *_tools(), _sanitizers(), *_parts(), _cache())


def _compilers() -> Iterator[Finding]:
    found = False
    for name in ("g++", "clang++"):
        compiler = probe(name)
        if compiler is None:
            continue
        found = True
        failure = _failure(compiler)
        yield Finding(
            f"C++ compiler {name}",
            "broken" if failure else "ok",
            failure or f"{compiler.version}, {compiler.command[0]}",
        )
    zig = probe("zig")
    if zig is not None:
        yield Finding(
            "C++ compiler zig", "ok", f"{zig.version}, from the wheel ziglang; its first build takes a minute"
        )
    elif not found:
        yield Finding(
            "C++ compiler", "missing", "for %%backend: apt install g++, or pip install 'workbench-serving[zig]'"
        )


def _failure(compiler: Compiler) -> str:
    """Why a compiler that answers cannot compile, empty where it can: often its library's headers are missing."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "trial.cc"
        source.write_text(_PROGRAM)
        command = [*compiler.command, "-std=c++17", "-fPIC", "-shared", str(source), "-o", f"{folder}/trial.so"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=False)
        except (OSError, subprocess.SubprocessError) as exc:
            return str(exc)
    return "" if done.returncode == 0 else f"cannot compile: {done.stderr.strip().splitlines()[0]}"


def _cuda() -> Finding:
    nvcc = probe("nvcc")
    if nvcc is not None:
        return Finding("CUDA compiler", "ok", f"nvcc {nvcc.version}, {nvcc.command[0]}")
    return Finding(
        "CUDA compiler",
        "missing",
        "for %%backend --cuda: the CUDA toolkit; for drivers of CUDA 13 pip install 'workbench-serving[cuda13]' brings "
        "nvcc, for CUDA 12 no wheel does",
    )


def _tools() -> Iterator[Finding]:
    program = addr2line()
    if program:
        yield Finding("addr2line", "ok", f"{program}: crashes in a trial lead to the cell's line")
    else:
        yield Finding("addr2line", "missing", "crashes in a trial will not lead to a line: apt install binutils")
    gdb = shutil.which("gdb")
    yield Finding("gdb", "ok" if gdb else "missing", gdb or "not needed; to step through a backend: apt install gdb")


def _sanitizers() -> Finding:
    for compiler in available("c++"):
        if sanitizers.can_check(compiler) and (library := sanitizers.runtime(compiler)):
            return Finding("sanitizers", "ok", f"of {compiler.name}, {library}")
    return Finding("sanitizers", "missing", "for %%backend --sanitize: apt install g++ (its libasan)")


def _parts() -> Iterator[Finding]:
    for subject, find in (
        ("interface headers", include_dir),
        ("core library", core_library),
        ("preflight", preflight_helper),
    ):
        try:
            yield Finding(subject, "ok", str(find()))
        except UnavailableError as exc:
            yield Finding(subject, "broken", str(exc))


def _cache() -> Finding:
    cache = BuildCache()
    free = shutil.disk_usage(next(path for path in (cache.folder, *cache.folder.parents) if path.exists())).free
    used = f"{cache.byte_size() / 1e6:.0f} MB in {cache.folder}, {free / 1e9:.1f} GB free"
    return Finding("built backends", "ok" if free > 200e6 else "broken", used)
