# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The command lines: how each family of compilers makes an object of which two versions can live in one process.

Hidden visibility and the version script keep everything but the entry points inside; g++ must besides be told not to
make symbols unique in the process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.build.compiler import Compiler, Family, release_of_gcc
from workbench.build.installation import linked_definitions, oldest_release_of_gcc
from workbench.build.source import Source

VERSION_SCRIPT: Final = "{ global: TRITONBACKEND_*; local: *; };\n"
"""What a backend exports."""

# DWARF 5 makes addr2line print the wrong file name. Level 1 is line numbers alone.
_DEBUG: Final = ("-g1", "-gdwarf-4")
_CODE: Final = ("-fPIC", "-fvisibility=hidden")
_SANITIZERS: Final = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer")

_EVERY_GPU: Final = "-arch=all-major"
_GPUS: Final = ("-arch", "-gencode", "--gpu-architecture", "--generate-code")

_COMPILE: Final[Mapping[Family, tuple[str, ...]]] = {
    "gcc": (
        "-O2", "-Wall", *_CODE, *_DEBUG, "-fno-gnu-unique", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
        "-fdiagnostics-parseable-fixits",
    ),
    "clang": (
        "-O2", "-Wall", *_CODE, *_DEBUG, "-fno-caret-diagnostics", "-fdiagnostics-color=never",
        "-fdiagnostics-print-source-range-info", "-fdiagnostics-parseable-fixits",
    ),
    # One fixed set: other optimizations or a strip would compile zig's run-time libraries anew.
    "zig": (
        "-O2", "-Wall", *_CODE, *_DEBUG, "-fno-caret-diagnostics", "-fdiagnostics-color=never",
        "-fdiagnostics-print-source-range-info", "-fdiagnostics-parseable-fixits", "-Wno-nullability-completeness",
    ),
    "nvcc": ("-O2", _EVERY_GPU, "-t0", "-Xcompiler", ",".join((*_CODE, *_DEBUG, "-fno-gnu-unique"))),
}  # fmt: skip


# Flags of a cell's author that leave the layout of what backend.hpp passes around as it is.
_HARMLESS: Final = ("-O", "-W", "-I", "-D", "-g", "-march=", "-mtune=", "-fopenmp", "-ffast-math", "-funroll")
_LAYOUT: Final = "-D_GLIBCXX_"
_LINKED: Final = "-DWORKBENCH_BACKEND_LINKED"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one compilation, relative to its folder."""

    object: str = "cell.o"
    dependencies: str = "cell.d"
    check: str = "check.so"
    script: str = "cell.map"


FILES: Final = Files()


def environment(compiler: Compiler, cache: Path) -> dict[str, str]:
    """Variables that the compiler needs; zig keeps its compiled run-time libraries where we keep our objects."""
    if compiler.family != "zig":
        return {}
    return {"ZIG_GLOBAL_CACHE_DIR": str(cache / "zig"), "ZIG_LOCAL_CACHE_DIR": str(cache / "zig")}


def own_flags(compiler: Compiler, source: Source) -> tuple[str, ...]:
    """The flags that we add, without paths: part of what decides the outcome."""
    sanitizers = (*_SANITIZERS, "-O1") if source.is_sanitized else ()
    linked = (_LINKED,) if links_definitions(compiler, source) else ()
    flags = _COMPILE[compiler.family]
    if any(flag.startswith(_GPUS) for flag in source.flags):  # the author says which; nvcc takes one answer
        flags = tuple(flag for flag in flags if flag != _EVERY_GPU)
    return ("-std=c++17", *flags, *linked, *sanitizers)


def links_definitions(compiler: Compiler, source: Source) -> bool:
    """Whether what backend.hpp defines is linked, compiled, which halves the time that a cell takes.

    That needs the compilers' usual standard library and layout, and one that is not older than what compiled them; else
    the cell compiles the definitions itself.
    """
    harmless = all(flag.startswith(_HARMLESS) and not flag.startswith(_LAYOUT) for flag in source.flags)
    return not source.is_sanitized and harmless and release_of_gcc(compiler) >= oldest_release_of_gcc()


def linked_digest(compiler: Compiler, source: Source) -> str:
    """Hash of what is linked besides the source's own libraries."""
    if not links_definitions(compiler, source):
        return ""
    return hashlib.sha256(linked_definitions().read_bytes()).hexdigest()


def compile_command(compiler: Compiler, source: Source, *, headers: Path, folder: Path) -> list[str]:
    """Compiles the cell in `folder` to an object and a list of the headers it read."""
    mapping = f"-ffile-prefix-map={folder}=."
    return [
        *compiler.command,
        *own_flags(compiler, source),
        *(("-Xcompiler", mapping) if compiler.family == "nvcc" else (mapping,)),
        "-isystem", str(headers),
        "-I", ".",
        *(word for path in source.include_dirs for word in ("-I", path)),
        *source.flags,
        "-MD", "-MF", FILES.dependencies,
        "-c", source.file_name, "-o", FILES.object,
    ]  # fmt: skip


def link_command(compiler: Compiler, source: Source, *, output: str) -> list[str]:
    """Links the object, and not against the core: the server that opens it offers the interface, be it ours or not."""
    return _link(compiler, source, output, ("-Wl,--version-script=" + FILES.script,), ())


def check_command(compiler: Compiler, source: Source, *, core: Path) -> list[str]:
    """A link to throw away: with the core, and with all that is missing an error."""
    return _link(compiler, source, FILES.check, ("-Wl,-z,defs",), (str(core),))


def _link(
    compiler: Compiler, source: Source, output: str, options: tuple[str, ...], extra: tuple[str, ...]
) -> list[str]:
    optimization = {"zig": ("-O2", "-g1")}.get(compiler.family, ())
    sanitizers = ("-fsanitize=address,undefined",) if source.is_sanitized else ()
    if compiler.family == "clang" and source.is_sanitized:
        sanitizers = (*sanitizers, "-shared-libsan")
    if compiler.family == "nvcc":
        options = tuple(word for option in options for word in ("-Xlinker", option.removeprefix("-Wl,")))
    definitions = (str(linked_definitions()),) if links_definitions(compiler, source) else ()
    return [
        *compiler.command, "-shared", *optimization, *sanitizers, *_link_flags(source), FILES.object, *options,
        *definitions, *(name if "/" in name else f"-l{name}" for name in source.libraries), *extra, "-o", output,
    ]  # fmt: skip


def _link_flags(source: Source) -> tuple[str, ...]:
    """Those of the author's flags that a link may need, such as -fopenmp."""
    return tuple(flag for flag in source.flags if not flag.startswith(("-O", "-D", "-I", "-W", "-std")))
