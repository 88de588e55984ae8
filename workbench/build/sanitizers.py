# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Trials under address and undefined-behaviour checks: what the child's environment needs, and reading the report."""

from __future__ import annotations

import platform
import re
import subprocess
from typing import Final

from workbench.build.compiler import Compiler

# 2: the checks' own handlers stay, since their report of a signal says more than ours.
_SIGNALS: Final = ":".join(f"handle_{name}=2" for name in ("segv", "abort", "sigfpe", "sigbus", "sigill"))
_OPTIONS: Final = {
    "ASAN_OPTIONS": f"detect_leaks=0:color=never:{_SIGNALS}",
    "UBSAN_OPTIONS": "print_stacktrace=1:color=never",
}
_SUMMARY: Final = re.compile(
    r"(?:ERROR: AddressSanitizer: (?P<address>.*?)(?: on address.*| \(pc.*)?$|runtime error: (?P<undefined>.*)$)",
    re.MULTILINE,
)


def trial_environment(compiler: Compiler) -> dict[str, str]:
    """The checks' run-time library must be first in the child; g++'s needs libstdc++ beside it, else a throw dies."""
    return {**_OPTIONS, "LD_PRELOAD": " ".join(_path(compiler, name) for name in _names(compiler))}


def finding(output: str) -> str:
    """What the checks found, in one line; empty where they said nothing."""
    found = _SUMMARY.search(output)
    return (found["address"] or found["undefined"]) if found else ""


def line_in(output: str, file_name: str) -> int:
    """The innermost line of the cell in a report's first stack, 0 where there is none."""
    found = re.search(rf"{re.escape(file_name)}:(\d+)", output)
    return int(found[1]) if found else 0


def can_check(compiler: Compiler) -> bool:
    """Whether this compiler's checks work with a child that is not built by it."""
    return compiler.family in {"gcc", "clang"}


def runtime(compiler: Compiler) -> str:
    """The path of the address checks' run-time library, empty where the compiler has none."""
    path = _path(compiler, _names(compiler)[0])
    return path if "/" in path else ""


def _names(compiler: Compiler) -> list[str]:
    if compiler.family == "clang":
        return [f"libclang_rt.asan-{platform.machine()}.so"]
    return ["libasan.so", "libstdc++.so.6"]


def _path(compiler: Compiler, name: str) -> str:
    answer = subprocess.run([*compiler.command, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return answer.stdout.strip()
