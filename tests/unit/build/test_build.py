# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from pathlib import Path

import psutil
import pytest

from tests.unit.build.cells import BODY_LINE, WITH_HEADER, cell
from workbench.build import BuildCache, build_backend, registry
from workbench.build.compiler import find_compiler
from workbench.build.flags import compile_command
from workbench.build.source import Source
from workbench.errors import BuildError, CompileError, InvalidArgumentError, PreflightError

pytestmark = pytest.mark.usefixtures("core")


def exported(path: Path) -> set[str]:
    library = ctypes.CDLL(str(path), mode=ctypes.RTLD_LOCAL)
    names = ("TRITONBACKEND_Initialize", "TRITONBACKEND_ModelInstanceExecute", "helper")
    return {name for name in names if hasattr(library, name)}


def commands_of(source: Source) -> list[str]:
    """The compiler's command line for a source."""
    return compile_command(find_compiler(), source, headers=Path("include"), folder=Path())


class TestGoodCell:
    def test_becomes_a_library_that_exports_entry_points_alone(self) -> None:
        library = build_backend("good", cell(before="int helper() { return 1; }"))
        assert exported(library.path) == {"TRITONBACKEND_Initialize", "TRITONBACKEND_ModelInstanceExecute"}

    def test_is_offered_to_servers(self) -> None:
        library = build_backend("offered", cell())
        assert registry.built("offered") is library

    def test_builds_with_the_short_header(self) -> None:
        library = build_backend("short", WITH_HEADER)
        assert library.name == "short"
        assert library.path.name.startswith("libtriton_short.")

    def test_links_what_the_short_header_defines(self) -> None:
        assert "-DWORKBENCH_BACKEND_LINKED" in commands_of(Source("short", WITH_HEADER))

    @pytest.mark.parametrize("flag", ["-D_GLIBCXX_DEBUG", "-fno-signed-char", "-std=c++20"])
    def test_compiles_the_definitions_anew_under_flags_that_could_change_a_layout(self, flag: str) -> None:
        source = Source("own", WITH_HEADER, flags=(flag,))
        assert "-DWORKBENCH_BACKEND_LINKED" not in commands_of(source)
        assert build_backend("own", WITH_HEADER, flags=[flag]).path.exists()

    @pytest.mark.parametrize("known", [float("inf"), 999])
    def test_compiles_the_definitions_anew_where_the_wheel_was_built_by_a_newer_compiler(
        self, known: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # A newer libstdc++ has functions that this one lacks: a cell that linked them would not link.
        monkeypatch.setattr("workbench.build.flags.oldest_release_of_gcc", lambda: known)
        assert "-DWORKBENCH_BACKEND_LINKED" not in commands_of(Source("own", WITH_HEADER))
        assert build_backend("own", WITH_HEADER).path.exists()

    def test_tells_its_warnings_with_their_lines(self) -> None:
        library = build_backend("warned", cell("  int unused = 1;"))
        assert [(warning.severity, warning.line) for warning in library.diagnostics] == [("warning", BODY_LINE)]
        assert "1 warning" in repr(library)

    def test_finds_files_given_with_it(self) -> None:
        source = cell("  if (kAnswer != 42) abort();", before='#include "parts/answer.h"')
        build_backend("with_files", source, files={"parts/answer.h": "constexpr int kAnswer = 42;"})

    def test_finds_headers_of_include_folders_and_flags(self, tmp_path: Path) -> None:
        (tmp_path / "answer.h").write_text("constexpr int kAnswer = ANSWER;")
        source = cell("  if (kAnswer != 42) abort();", before="#include <answer.h>")
        build_backend("with_folders", source, include_dirs=[tmp_path], flags=["-DANSWER=42"])

    def test_links_libraries_by_name(self) -> None:
        source = cell(
            "  void* stream = nullptr; (void)inflateEnd_(stream);", before='extern "C" int inflateEnd_(void*);'
        )
        with pytest.raises(CompileError, match=r"nothing defines inflateEnd_; name the library"):
            build_backend("unlinked", source)

    def test_reports_its_steps(self) -> None:
        steps: list[str] = []
        build_backend("stepwise", cell(), progress=lambda step, _: steps.append(step))
        assert list(dict.fromkeys(steps)) == ["compiling", "linking", "trying"]


class TestSameSourceAgain:
    def test_is_found_in_the_cache_within_50_ms(self) -> None:
        built = build_backend("again", cell())
        start = time.perf_counter()
        found = build_backend("again", cell())
        elapsed = time.perf_counter() - start
        assert (built.is_cached, found.is_cached, found.path) == (False, True, built.path)
        assert elapsed < 0.05

    def test_keeps_its_warnings(self) -> None:
        source = cell("  int unused = 1;")
        assert build_backend("warned", source).diagnostics == build_backend("warned", source).diagnostics

    def test_counts_lines_from_where_the_cell_stands_now(self) -> None:
        source = cell("  int unused = 1;")
        build_backend("moved", source)
        assert [warning.line for warning in build_backend("moved", source, first_line=2).diagnostics] == [BODY_LINE + 1]

    def test_is_built_anew_once_a_header_changed(self, tmp_path: Path) -> None:
        header = tmp_path / "answer.h"
        header.write_text("constexpr int kAnswer = 1;")
        source = cell("  (void)kAnswer;", before="#include <answer.h>")
        before = build_backend("changing", source, include_dirs=[tmp_path])
        header.write_text("constexpr int kAnswer = 2;")
        after = build_backend("changing", source, include_dirs=[tmp_path])
        assert not after.is_cached
        assert after.path != before.path


def test_another_source_of_the_same_name_gets_another_file() -> None:
    first = build_backend("twice", cell("  int version = 1; (void)version;"))
    second = build_backend("twice", cell("  int version = 2; (void)version;"))
    assert first.path != second.path
    assert first.path.exists()
    assert registry.built("twice") is second


def test_a_compiler_that_is_killed_is_not_said_to_refuse_the_source() -> None:
    def kill(step: str, seconds: float) -> None:
        del step, seconds
        for child in psutil.Process().children(recursive=True):
            if child.name() == "cc1plus":
                child.kill()

    with pytest.raises(BuildError, match="was killed"):
        build_backend("killed", cell("#include <workbench/backend.hpp>"), compiler="g++", progress=kill)


class TestBadCell:
    def test_syntax_error_names_line_and_column(self) -> None:
        with pytest.raises(CompileError) as caught:
            build_backend("bad", cell("  int x = ;"))
        (diagnostic,) = (d for d in caught.value.diagnostics if d.severity == "error")
        assert (diagnostic.line, diagnostic.column, diagnostic.source_line) == (BODY_LINE, 11, "  int x = ;")

    def test_lines_count_from_where_the_cell_begins(self) -> None:
        with pytest.raises(CompileError) as caught:
            build_backend("bad", cell("  int x = ;"), first_line=2)
        assert caught.value.diagnostics[0].line == BODY_LINE + 1

    def test_name_that_circulates_is_answered_by_the_real_one(self) -> None:
        with pytest.raises(CompileError, match="there is no such function: write TRITONBACKEND_Initialize") as caught:
            build_backend("bad", cell("  TRITONBACKEND_BackendCreate(nullptr);"))
        assert caught.value.diagnostics[0].line == BODY_LINE

    def test_misspelt_declarations_are_found_all_at_once(self) -> None:
        before = 'extern "C" { void TRITONBACKEND_ModelNam(void*); void TRITONSERVER_ErrorNu(); }'
        with pytest.raises(CompileError) as caught:
            build_backend("bad", cell("  TRITONBACKEND_ModelNam(0);\n  TRITONSERVER_ErrorNu();", before=before))
        found = [(d.line, d.message, d.suggestion) for d in caught.value.diagnostics]
        assert found == [
            (BODY_LINE, "nothing defines TRITONBACKEND_ModelNam", "did you mean TRITONBACKEND_ModelName?"),
            (BODY_LINE + 1, "nothing defines TRITONSERVER_ErrorNu", "did you mean TRITONSERVER_ErrorNew?"),
        ]

    def test_mistake_that_shows_in_a_header_names_the_line_that_led_there(self) -> None:
        source = cell("  std::vector<void> none;\n  (void)none;", before="#include <vector>")
        with pytest.raises(CompileError) as caught:
            build_backend("bad", source)
        assert caught.value.diagnostics[0].line == BODY_LINE

    def test_missing_header_is_an_error_at_its_line(self) -> None:
        with pytest.raises(CompileError, match=r"line 3, column \d+: error: absent\.h: No such file") as caught:
            build_backend("bad", cell(before="#include <absent.h>"))
        assert caught.value.diagnostics[0].line == 3

    def test_leaves_the_last_good_library_in_place(self) -> None:
        good = build_backend("kept", cell())
        with pytest.raises(CompileError):
            build_backend("kept", cell("  int x = ;"))
        with pytest.raises(PreflightError):
            build_backend("kept", cell("  abort();"))
        assert registry.built("kept") is good


@pytest.mark.parametrize("name", ["", "with space", "../up", "a/b", "-flag"])
def test_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(BuildError, match="cannot name a backend"):
        build_backend(name, cell())


def test_errors_are_errors_of_what_was_asked() -> None:
    with pytest.raises(InvalidArgumentError):
        build_backend("bad", cell(), language="fortran")  # type: ignore[arg-type]


def test_interrupt_ends_the_compiler_within_200_ms(tmp_path: Path, cache: BuildCache) -> None:
    os.mkfifo(tmp_path / "endless.h")  # the compiler waits for its first line
    is_compiling = threading.Event()
    interrupted_at: list[float] = []

    def interrupt() -> None:
        is_compiling.wait(10)
        interrupted_at.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        build_backend(
            "endless", cell(before="#include <endless.h>"), include_dirs=[tmp_path], cache=cache,
            progress=lambda _, elapsed_s: is_compiling.set() if elapsed_s > 0.1 else None,
        )  # fmt: skip
    assert time.perf_counter() - interrupted_at[0] < 0.2
    assert not [p for p in psutil.Process().children(recursive=True) if "cc1plus" in p.name()]
    assert not list((cache.folder / "staging").iterdir())
