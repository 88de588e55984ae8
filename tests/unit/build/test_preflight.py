# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.unit.build.cells import BODY_LINE, cell
from workbench.build import Library, build_backend, preflight
from workbench.errors import PreflightError

pytestmark = pytest.mark.usefixtures("core")


def failure_of(source: str, **options: object) -> PreflightError:
    with pytest.raises(PreflightError) as caught:
        build_backend("tried", source, **options)  # type: ignore[arg-type]
    return caught.value


class TestInitialize:
    def test_segmentation_fault_names_stage_signal_and_line(self) -> None:
        error = failure_of(cell("  *(volatile int*)nullptr = 1;"))
        assert (error.stage, error.signal, error.cell_line) == ("Initialize", signal.SIGSEGV, BODY_LINE)
        assert f"tried.cc:{BODY_LINE}" in error.report

    def test_line_counts_from_where_the_cell_begins(self) -> None:
        assert failure_of(cell("  abort();"), first_line=2).cell_line == BODY_LINE + 1

    def test_abort_names_its_signal(self) -> None:
        error = failure_of(cell("  abort();"))
        assert (error.signal, error.cell_line) == (signal.SIGABRT, BODY_LINE)

    def test_division_by_zero_names_its_signal(self) -> None:
        error = failure_of(cell("  volatile int one = 1, zero = 0;\n  one = one / zero;"))
        assert (error.signal, error.cell_line) == (signal.SIGFPE, BODY_LINE + 1)

    def test_exit_with_success_is_no_success(self) -> None:
        error = failure_of(cell("  exit(0);"))
        assert "called exit()" in str(error)
        assert (error.stage, error.cell_line) == ("Initialize", BODY_LINE)

    def test_silent_exit_is_no_success(self) -> None:
        error = failure_of(cell("  _exit(0);", before="#include <unistd.h>"))
        assert "ended the process in TRITONBACKEND_Initialize (status 0)" in str(error)

    def test_endless_loop_ends_with_its_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(preflight, "LIBRARY_TIMEOUT_S", 1.0)
        error = failure_of(cell("  volatile bool forever = true;\n  while (forever) {}"))
        assert "did not end in TRITONBACKEND_Initialize" in str(error)
        assert error.cell_line == BODY_LINE + 1

    def test_stack_overflow_is_caught(self) -> None:
        before = "int Deep(volatile char* p) { volatile char a[999]; a[0] = *p; return Deep(a) + a[0]; }"
        error = failure_of(cell("  volatile char c = 0; return Deep(&c) ? nullptr : nullptr;", before=before))
        assert (error.signal, error.cell_line) == (signal.SIGSEGV, 3)

    def test_escaping_exception_is_told_with_its_text_and_line(self) -> None:
        error = failure_of(cell('  throw std::runtime_error("out of luck");', before="#include <stdexcept>"))
        assert "out of luck" in str(error)
        assert error.cell_line == BODY_LINE

    def test_error_is_told_with_its_code(self) -> None:
        error = failure_of(cell('  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNSUPPORTED, "not on Mondays");'))
        assert "not on Mondays (UNSUPPORTED)" in str(error)

    def test_what_the_backend_printed_is_in_the_report(self) -> None:
        body = '  fputs("last words\\n", stderr);\n  abort();'
        assert "last words" in failure_of(cell(body, before="#include <stdio.h>")).report


class TestOpening:
    def test_throwing_static_constructor_names_its_line(self) -> None:
        before = '#include <stdexcept>\nstruct S { S() { throw std::runtime_error("too early"); } } s;'
        error = failure_of(cell(before=before))
        assert "too early" in str(error)
        assert (error.stage, error.cell_line) == ("dlopen", 4)

    def test_backend_without_execute_is_told_what_it_lacks(self) -> None:
        source = '#include "triton/core/tritonbackend.h"\nextern "C" void TRITONBACKEND_ModelExecute() {}\n'
        error = failure_of(source)
        assert error.stage == "symbols"
        assert "TRITONBACKEND_ModelInstanceExecute" in str(error)


class TestVerdicts:
    def test_crash_is_remembered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        source = cell("  abort();")
        first = failure_of(source)
        monkeypatch.setattr(preflight, "run_trial", lambda *_, **__: pytest.fail("tried again"))
        assert str(failure_of(source)) == str(first)

    def test_error_is_tried_again(self, tmp_path: Path) -> None:
        # What an error depends on may have changed since: here a file.
        answer = 'return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_NOT_FOUND, "no file");'
        body = f'  if (access("{tmp_path}/wanted", R_OK) != 0) {answer}'
        source = cell(body, before="#include <unistd.h>")
        failure_of(source)
        (tmp_path / "wanted").touch()
        build_backend("tried", source)


MODEL = {
    "name": "m",
    "max_batch_size": 8,
    "input": [
        {"name": "IN", "data_type": "TYPE_FP32", "dims": [-1, 4]},
        {"name": "TEXT", "data_type": "TYPE_STRING", "dims": [2]},
    ],
    "output": [{"name": "OUT", "data_type": "TYPE_FP32", "dims": [-1, 4]}],
}


def with_header(body: str, *, members: str = "") -> str:
    """The body stands on line 3."""
    return (
        f"#include <workbench/backend.hpp>\nstruct B {{ {members} void Execute(workbench::Request& request) {{\n"
        f"{body}\n}} }};\nWORKBENCH_BACKEND(B)\n"
    )


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model's folder."""
    (tmp_path / "m").mkdir()
    return tmp_path / "m"


class TestModel:
    def try_(self, library: Library, folder: Path) -> None:
        preflight.try_model(library.path, model_config_json=json.dumps(MODEL), version=1, folder=folder)

    def failure_of(self, source: str, folder: Path) -> PreflightError:
        library = build_backend("of_model", source)
        with pytest.raises(PreflightError) as caught:
            self.try_(library, folder)
        return caught.value

    def test_good_backend_answers_zeros(self, model: Path) -> None:
        body = """\
          const auto values = request.input("IN").as<float>();
          const auto texts = request.input("TEXT").strings();
          if (values.size() != 4 || values[3] != 0 || texts.size() != 2 || !texts[1].empty()) abort();
          request.output("OUT").CopyFrom(request.input("IN"));"""
        self.try_(build_backend("of_model", with_header(body)), model)

    def test_sequence_is_called_by_a_text_where_its_model_wants_one(self, model: Path) -> None:
        control = {"name": "ID", "control": [{"kind": "CONTROL_SEQUENCE_CORRID", "data_type": "TYPE_STRING"}]}
        source = """\
          #include "triton/core/tritonbackend.h"
          #include <stdlib.h>
          extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
              TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request** requests, const uint32_t) {
            const char* id = nullptr;
            if (TRITONBACKEND_RequestCorrelationIdString(requests[0], &id) != nullptr || *id == 0) abort();
            return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNSUPPORTED, "enough");
          }"""
        config = {**MODEL, "sequence_batching": {"control_input": [control]}}
        library = build_backend("of_model", source)
        preflight.try_model(library.path, model_config_json=json.dumps(config), version=1, folder=model)

    def test_answer_that_is_an_error_is_no_failure(self, model: Path) -> None:
        self.try_(build_backend("of_model", with_header('throw workbench::InvalidArgument("zeros");')), model)

    def test_crash_in_execute_names_stage_and_line(self, model: Path) -> None:
        error = self.failure_of(with_header("abort();"), model)
        assert (error.stage, error.signal, error.cell_line) == ("Execute", signal.SIGABRT, 3)

    def test_crash_in_the_instance_names_stage_and_line(self, model: Path) -> None:
        error = self.failure_of(with_header("", members="B() { abort(); }"), model)
        assert (error.stage, error.cell_line) == ("ModelInstanceInitialize", 2)

    def test_crash_at_the_end_names_its_stage(self, model: Path) -> None:
        error = self.failure_of(with_header("request.Send();", members="~B() { abort(); }"), model)
        assert (error.stage, error.cell_line) == ("Finalize", 2)

    def test_hanging_execute_ends_with_its_line(self, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(preflight, "MODEL_TIMEOUT_S", 1.0)
        error = self.failure_of(with_header("for (volatile bool forever = true; forever;) {}"), model)
        assert (error.stage, error.cell_line) == ("Execute", 3)

    def test_good_verdict_holds_until_a_file_of_the_model_changes(
        self, model: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        library = build_backend("of_model", with_header("request.Send();"))
        self.try_(library, model)
        tried: list[str] = []
        monkeypatch.setattr(preflight, "run_trial", lambda *_, **__: tried.append("again") or preflight.Verdict("ok"))
        self.try_(library, model)
        assert tried == []
        (model / "weights").write_text("new")
        self.try_(library, model)
        assert tried == ["again"]
