# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from tests.unit.build.cells import BODY_LINE, cell
from workbench.build import build_backend
from workbench.build.compiler import probe
from workbench.build.sanitizers import finding, line_in, runtime
from workbench.errors import BuildError, PreflightError

GCC = probe("g++")
needs_runtime = pytest.mark.skipif(GCC is None or not runtime(GCC), reason="g++ has no address checks here")


@pytest.mark.usefixtures("core")
@needs_runtime
class TestTrial:
    def test_good_cell_has_a_checked_twin(self) -> None:
        library = build_backend("checked", cell(), sanitize=True, compiler="g++")
        assert library.sanitized_path is not None
        assert library.sanitized_path != library.path

    def test_use_after_free_names_its_line(self) -> None:
        body = "  volatile char* a = new char[2];\n  delete[] a;\n  a[1] = 1;"
        build_backend("unchecked", cell(body))  # unseen without checks
        with pytest.raises(PreflightError, match="heap-use-after-free") as caught:
            build_backend("checked", cell(body), sanitize=True, compiler="g++")
        assert caught.value.cell_line == BODY_LINE + 2

    def test_undefined_behaviour_names_its_line(self) -> None:
        body = "  volatile int big = 2147483647;\n  big = big + 1;"
        with pytest.raises(PreflightError, match="signed integer overflow") as caught:
            build_backend("checked", cell(body), sanitize=True, compiler="g++")
        assert caught.value.cell_line == BODY_LINE + 1

    def test_caught_exception_is_fine(self) -> None:
        body = "  try { throw 1; } catch (int) {}"
        build_backend("checked", cell(body), sanitize=True, compiler="g++")


def test_compiler_without_checks_says_so() -> None:
    if probe("zig") is None:
        pytest.skip("zig is not on this machine")
    with pytest.raises(BuildError, match="zig has no checks"):
        build_backend("checked", cell(), sanitize=True, compiler="zig")


def test_summary_of_a_report_is_one_line() -> None:
    assert finding("==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n") == "heap-use-after-free"
    assert finding("x.cc:3:7: runtime error: division by zero\n") == "division by zero"
    assert finding("nothing\n") == ""


def test_line_of_a_report_is_the_innermost_of_the_cell() -> None:
    assert line_in("#0 0x1 in f /usr/x.h:9\n#1 0x2 in g ./x.cc:12\n#2 0x3 in h ./x.cc:20\n", "x.cc") == 12
