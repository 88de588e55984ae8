# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.build.cells import cell
from workbench.build import build_backend, compiler
from workbench.errors import BuildError, CompileError, MissingExtraError


def fake(folder: Path, name: str, answer: str, status: int = 0) -> Path:
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{answer}'\nexit {status}\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(compiler, "_zig", lambda: None)
    monkeypatch.setattr(compiler, "_nvcc_of_wheel", lambda: None)
    return tmp_path


GCC = "g++ (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc."
CLANG = "Debian clang version 14.0.6"


def test_gcc_is_preferred(path: Path) -> None:
    fake(path, "g++", GCC)
    fake(path, "clang++", CLANG)
    found = compiler.find_compiler()
    assert (found.name, found.family, found.version) == ("g++", "gcc", "12.2.0")


def test_compiler_that_does_not_answer_is_passed_over(path: Path) -> None:
    fake(path, "g++", GCC, status=1)
    fake(path, "clang++", CLANG)
    assert compiler.find_compiler().family == "clang"


def test_wanted_one_is_taken_by_path(path: Path) -> None:
    fake(path, "g++", GCC)
    program = fake(path, "mine", CLANG)
    assert compiler.find_compiler(wanted=str(program)).command == (str(program),)


def test_wanted_one_that_is_not_there_is_an_error_that_lists_what_is(path: Path) -> None:
    fake(path, "g++", GCC)
    with pytest.raises(BuildError, match=r"no compiler 'icc' that works; there is g\+\+ \(12\.2\.0\)"):
        compiler.find_compiler(wanted="icc")


@pytest.mark.usefixtures("path")
def test_machine_without_compilers_is_told_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match=r"workbench-serving\[zig\]"):
        compiler.find_compiler()


@pytest.mark.usefixtures("path")
def test_cuda_without_nvcc_is_told_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match="compiling CUDA cells"):
        build_backend("cuda", "", language="cuda")


def needs(name: str) -> None:
    if compiler.probe(name) is None:
        pytest.skip(f"{name} is not on this machine")


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("name", ["g++", "clang++"])
class TestEachCompiler:
    def test_builds_what_passes_its_trial(self, name: str) -> None:
        needs(name)
        assert name in build_backend("each", cell(), compiler=name).compiler

    def test_finds_the_line_of_a_mistake(self, name: str) -> None:
        needs(name)
        with pytest.raises(CompileError) as caught:
            build_backend("each", cell("  int x = ;"), compiler=name)
        assert (caught.value.diagnostics[0].line, caught.value.diagnostics[0].column) == (5, 11)  # type: ignore[attr-defined]

    def test_names_what_is_misspelt(self, name: str) -> None:
        needs(name)
        source = cell("  TRITONBACKEND_ModelNam(0);", before='extern "C" void TRITONBACKEND_ModelNam(void*);')
        with pytest.raises(CompileError, match=r"did you mean TRITONBACKEND_ModelName\?"):
            build_backend("each", source, compiler=name)


def test_same_source_by_another_compiler_is_another_object() -> None:
    needs("g++")
    needs("clang++")
    assert build_backend("both", cell(), compiler="g++").path != build_backend("both", cell(), compiler="clang++").path
