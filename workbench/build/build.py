# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""From a cell's text to a backend that was tried: compile, check the names, link, keep, try in a child, tell."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from workbench.build import flags as command_lines
from workbench.build import preflight, registry, sanitizers
from workbench.build.cache import BuildCache, CachedObject
from workbench.build.compiler import Compiler, find_compiler
from workbench.build.diagnostics import Diagnostic, as_text
from workbench.build.flags import FILES
from workbench.build.installation import core_library, include_dir
from workbench.build.interface_names import suggestion_for, unknown_calls
from workbench.build.library import Library
from workbench.build.parsing import parse
from workbench.build.process import Outcome, Progress, run
from workbench.build.source import Language, Source
from workbench.errors import BuildError, CompileError

_KILLED = ("Killed signal terminated program", "unable to execute command: Killed")
"""What g++ and clang++ say of a child that ended by SIGKILL."""


def build_backend(
    name: str,
    source: str,
    *,
    language: Language = "c++",
    flags: Sequence[str] = (),
    include_dirs: Sequence[str | Path] = (),
    libraries: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
    sanitize: bool = False,
    compiler: str = "",
    first_line: int = 1,
    progress: Progress | None = None,
    cache: BuildCache | None = None,
) -> Library:
    """Compile a backend, try it in a child process, and offer it to the servers of this process.

    The same source again, with the same headers, flags and compiler, is found in the cache. An interrupt stops the
    compiler at once.

    Args:
        name: the backend's name; the object is `libtriton_<name>...so`.
        source: C++ or CUDA text. `#include <workbench/backend.hpp>` or the interface's own headers.
        language: `c++` or `cuda`.
        flags: further options for the compiler; they come after ours, so they win.
        include_dirs: folders with headers.
        libraries: names (`m`) or paths of libraries to link.
        files: further texts by relative name, for `#include`.
        sanitize: build a twin with address and undefined-behaviour checks and try that too.
        compiler: `g++`, `clang++`, `zig`, `nvcc` or a path; by default the first that works.
        first_line: number of the source's first line where its author sees it.
        progress: called some ten times a second with the step's name and its seconds so far.
        cache: where objects are kept; by default in the user's cache folder.

    Raises:
        CompileError: the compiler or linker refused; `diagnostics` says where in the source.
        PreflightError: the object opens, initializes or ends badly.
        BuildError: something else is in the way: a name, the disk, a missing compiler by that name.
        MissingExtraError: there is no compiler for the language.
    """
    wanted = Source(
        name, source, language, tuple(flags), tuple(str(Path(path).absolute()) for path in include_dirs),
        tuple(str(Path(library).absolute()) if "/" in library else library for library in libraries),
        dict(files or {}), first_line=first_line,
    )  # fmt: skip
    chosen = find_compiler(language, compiler)
    if sanitize and not sanitizers.can_check(chosen):
        raise BuildError(f"{chosen.name} has no checks that work in a trial; sanitize with g++ or clang++")
    builder = _Builder(chosen, cache or BuildCache(), progress)
    library = builder.tried(wanted)
    if sanitize:
        environment = sanitizers.trial_environment(chosen)
        checked = builder.tried_under_sanitizers(wanted, environment)
        library = replace(library, sanitized_path=checked, sanitized_environment=environment)
    registry.publish(library)
    return library


class _Builder:
    """One build: its compiler, its cache, and who watches."""

    def __init__(self, compiler: Compiler, cache: BuildCache, progress: Progress | None) -> None:
        self._compiler = compiler
        self._cache = cache
        self._progress = progress

    def tried(self, source: Source) -> Library:
        """The library of `source`, built or found, that passed its trial."""
        library = self._library(source)
        self._try(library, {})
        return library

    def tried_under_sanitizers(self, source: Source, environment: Mapping[str, str]) -> Path:
        """The path of the twin with checks, after its trial."""
        library = self._library(replace(source, is_sanitized=True))
        self._try(library, environment)
        return library.path

    def _try(self, library: Library, environment: Mapping[str, str]) -> None:
        if self._progress is not None:
            self._progress("trying", 0.0)
        preflight.try_library(library, environment=environment)

    def _library(self, source: Source) -> Library:
        kept, is_cached = self._object(source)
        warnings = [Diagnostic(**{**fields, "notes": tuple(fields["notes"])}) for fields in kept.record["warnings"]]
        return Library(
            name=source.name,
            path=kept.path,
            digest=kept.digest,
            language=source.language,
            compiler=str(self._compiler),
            compile_s=float(kept.record["compile_s"]),
            is_cached=is_cached,
            diagnostics=tuple(_moved(warning, source.first_line - 1) for warning in warnings),
            source=source.text,
            first_line=source.first_line,
        )

    def _object(self, source: Source) -> tuple[CachedObject, bool]:
        """The object of `source`, and whether it was there already."""
        compiler = self._compiler
        flags = command_lines.own_flags(compiler, source)
        key = source.key(*compiler.command, compiler.version, *flags, command_lines.linked_digest(compiler, source))
        found = self._cache.find(key)
        if found is not None:
            return found, True
        start = time.monotonic()
        with self._cache.staging() as folder:
            stem = f"libtriton_{source.name}"
            warnings = self._compile(source, folder, stem)
            fields = [asdict(_moved(warning, 1 - source.first_line)) for warning in warnings]
            record = {"warnings": fields, "compile_s": time.monotonic() - start, "compiler": str(compiler)}
            return self._cache.store(key, folder, file_stem=stem, record=record), False

    def _compile(self, source: Source, folder: Path, output: str) -> tuple[Diagnostic, ...]:
        """Compile and link in `folder`; returns the warnings."""
        source.write(folder)
        (folder / FILES.script).write_text(command_lines.VERSION_SCRIPT)
        command = command_lines.compile_command(self._compiler, source, headers=include_dir(), folder=folder)
        compiled = self._run("compiling", command, folder)
        warnings = self._accept(compiled, source)
        if not source.is_sanitized:
            check = command_lines.check_command(self._compiler, source, core=core_library())
            self._accept(self._run("linking", check, folder), source)
        link = command_lines.link_command(self._compiler, source, output=output)
        self._accept(self._run("linking", link, folder), source)
        return (*warnings, *_unknown_names(source))

    def _run(self, step: str, command: Sequence[str], folder: Path) -> Outcome:
        environment = command_lines.environment(self._compiler, self._cache.folder)
        return run(command, cwd=folder, step=step, progress=self._progress, environment=environment)

    def _accept(self, outcome: Outcome, source: Source) -> tuple[Diagnostic, ...]:
        """The diagnostics of a step that went well; raises CompileError of one that did not."""
        if outcome.status != 0 and "No space left on device" in outcome.text:
            raise self._cache.full()
        if outcome.status != 0 and any(words in outcome.text for words in _KILLED):
            message = (
                f"{source.name}: {self._compiler.name} was killed, perhaps since memory ran out: build it once more"
            )
            raise BuildError(message)
        found = parse(outcome.text, file_name=source.file_name, source=source.text, first_line=source.first_line)
        if outcome.status == 0:
            return found
        found = found or (Diagnostic(0, 0, "error", _tail(outcome)),)
        raise CompileError(
            f"{source.name}: {self._compiler.name} refused the source\n{as_text(found)}", diagnostics=found
        )


def _tail(outcome: Outcome) -> str:
    return "\n".join(outcome.text.splitlines()[-10:]) or f"the compiler ended with status {outcome.status}"


def _moved(diagnostic: Diagnostic, lines: int) -> Diagnostic:
    return replace(diagnostic, line=diagnostic.line + lines) if diagnostic.line else diagnostic


def _unknown_names(source: Source) -> tuple[Diagnostic, ...]:
    """Warnings about functions of the cell's own that look like the interface's: nobody would call them."""
    lines = source.text.splitlines()
    return tuple(
        Diagnostic(
            line + source.first_line - 1, 0, "warning", f"{name} is no function of the interface",
            suggestion=suggestion_for(name), source_line=lines[line - 1],
        )
        for line, name in unknown_calls(source.text)
    )  # fmt: skip
