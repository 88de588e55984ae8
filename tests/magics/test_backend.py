# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from workbench.build import Library, cell_of, registry
from workbench.build.installation import core_library
from workbench.errors import CompileError, PreflightError, UnavailableError

CELL = """\
#include "triton/core/tritonbackend.h"
#include <stdlib.h>
extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request**, const uint32_t) { return nullptr; }
extern "C" TRITONSERVER_Error* TRITONBACKEND_Initialize(TRITONBACKEND_Backend*) {
  BODY
  return nullptr; }
"""
# The magic's own line is the first.
BODY_LINE = 7


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps what tests build out of the user's cache; skips where nothing could be tried."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    try:
        core_library()
    except UnavailableError as exc:
        pytest.skip(str(exc))


def build(shell: Any, line: str, body: str = "") -> Library:
    library: Library = shell.run_cell_magic("backend", line, CELL.replace("BODY", body))
    return library


def test_cell_becomes_a_library_that_servers_find(shell: Any) -> None:
    library = build(shell, "cell_backend")
    assert registry.built("cell_backend") is library
    assert "cell_backend" in library._repr_html_()


def test_mistake_is_at_the_line_that_the_notebook_shows(shell: Any) -> None:
    with pytest.raises(CompileError) as caught:
        build(shell, "bad", "int x = ;")
    assert caught.value.diagnostics[0].line == BODY_LINE  # type: ignore[attr-defined]


def test_crash_is_at_the_line_that_the_notebook_shows(shell: Any) -> None:
    with pytest.raises(PreflightError) as caught:
        build(shell, "bad", "abort();")
    assert caught.value.cell_line == BODY_LINE


def test_flags_folders_and_files_reach_the_compiler(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "one.h").write_text("constexpr int kOne = 1;")
    (tmp_path / "two.h").write_text("constexpr int kTwo = 2;")
    shell.user_ns["three"] = "constexpr int kThree = 3;"
    head = '#include <one.h>\n#include "two.h"\n#include "three.h"\n'
    line = f'opts --flags "-DFOUR=4 -O3" -I {tmp_path}/inc --file {tmp_path}/two.h --file three.h=three'
    body = "if (kOne + kTwo + kThree + FOUR != 10) abort();"
    assert isinstance(shell.run_cell_magic("backend", line, head + CELL.replace("BODY", body)), Library)


def test_traceback_in_a_notebook_is_the_message_alone(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%%backend bad\n" + CELL.replace("BODY", "int x = ;"))
    shown = capsys.readouterr().out
    assert "line 7, column 11: error:" in shown
    assert "build.py" not in shown


def test_what_a_cell_built_leads_back_to_the_cell(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = {"metadata": {"cellId": "c-7"}}
    monkeypatch.setattr(shell, "kernel", SimpleNamespace(get_parent=lambda _: parent), raising=False)
    assert cell_of(build(shell, "linked").path) == "c-7"
    assert cell_of(Path("elsewhere")) == ""
