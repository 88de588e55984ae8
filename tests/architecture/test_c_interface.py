# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The C interface is complete: in the headers, on its page, and in the built library."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "native/include"
HEADERS = ("tritonserver.h", "tritonbackend.h", "tritoncache.h")
OWN = {"TRITONWORKBENCH_Bridge", "TRITONWORKBENCH_ReportCopy"}
"""For the extension module; for backends, which ask whether it is there."""
ALLOWED_LIBRARIES = re.compile(r"(libc|libm|libgcc_s|libstdc\+\+|ld-linux[-\w]*)\.so\.\d+$")


def _interface_table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("interface_table", ROOT / "tools/interface_table.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


table = _interface_table()


def _provided() -> set[str]:
    return {f.name for header in HEADERS for f in table.functions(header) if f.provided}


@pytest.fixture(scope="module")
def library() -> Path:
    """The built core, which lies beside the extension module."""
    try:
        spec = importlib.util.find_spec("workbench._native")
    except ImportError as error:
        pytest.skip(f"workbench is not built: {error}")
    if spec is None or spec.origin is None:
        pytest.skip("workbench._native is not built")
    return Path(spec.origin).parent / "libtritonserver.so"


def _output(*command: str | Path) -> str:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize(
    ("header", "declared", "entry_points"),
    [("tritonserver.h", 172, 0), ("tritonbackend.h", 105, 14), ("tritoncache.h", 10, 4)],
)
def test_header_declares_the_whole_interface(header: str, declared: int, entry_points: int) -> None:
    functions = table.functions(header)
    assert len({f.name for f in functions}) == len(functions) == declared
    assert sum(not f.provided for f in functions) == entry_points


def test_page_tells_what_the_sources_say() -> None:
    assert table.page() == table.PAGE.read_text(), "run python tools/interface_table.py"


def test_every_function_is_implemented() -> None:
    assert _provided() <= table.implemented()
    assert _provided() >= table.WITHOUT_EFFECT.keys()


@pytest.mark.parametrize("compiler", [("gcc", "-xc", "-std=c99"), ("g++", "-xc++", "-std=c++17")])
def test_headers_compile_without_a_warning(compiler: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "includes_all"
    source.write_text("".join(f'#include "triton/core/{header}"\n' for header in HEADERS) + "int defined_here;\n")
    _output(*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", source)


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_backend_with_hidden_visibility_exports_its_entry_points(compiler: str, tmp_path: Path) -> None:
    backend = tmp_path / "libtriton_echo.so"
    flags = ("-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{INCLUDE}")
    _output(compiler, *flags, ROOT / "native/bench/echo_backend.cc", "-o", backend)
    assert "TRITONBACKEND_ModelInstanceExecute" in _exported(backend)


def _exported(library: Path) -> set[str]:
    rows = _output("nm", "-D", "--defined-only", library).splitlines()
    return {row.split()[-1].split("@")[0] for row in rows}


def test_library_exports_the_interface_and_two_functions_of_its_own(library: Path) -> None:
    assert _exported(library) == _provided() | OWN


def test_library_needs_the_compilers_libraries_alone(library: Path) -> None:
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", _output("readelf", "-d", library))
    assert needed
    assert [name for name in needed if not ALLOWED_LIBRARIES.match(name)] == []


def test_library_bears_the_name_that_backends_ask_for(library: Path) -> None:
    assert "[libtritonserver.so]" in _output("readelf", "-d", library)
