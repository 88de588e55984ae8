# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Errors carry their status, say where, and survive the trip from one process to another."""

import pickle

import pytest

from workbench import errors


@pytest.mark.parametrize("code", errors.STATUS_CODES)
def test_each_status_code_has_its_own_class(code: str) -> None:
    error = errors.error_for(code, "no room")
    assert error.code == error.wire_code == code
    assert str(error) == "no room"
    assert type(error).__mro__[1] is errors.WorkbenchError


def test_status_codes_follow_the_order_of_the_c_interface() -> None:
    assert errors.STATUS_CODES == (
        "UNKNOWN",
        "INTERNAL",
        "NOT_FOUND",
        "INVALID_ARG",
        "UNAVAILABLE",
        "UNSUPPORTED",
        "ALREADY_EXISTS",
        "CANCELLED",
    )


def test_unheard_of_code_becomes_unknown_and_is_named() -> None:
    error = errors.error_for("TEAPOT", "short and stout")
    assert isinstance(error, errors.UnknownError)
    assert "TEAPOT" in str(error)


def test_config_error_says_file_line_column_and_what_was_meant() -> None:
    error = errors.ConfigError(
        "no data type TYPE_BYTES", line=3, column=7, suggestion="TYPE_STRING", source="config.pbtxt"
    )
    assert str(error) == "config.pbtxt:3:7: no data type TYPE_BYTES; did you mean TYPE_STRING?"


def test_config_error_offers_several_names_as_a_question_and_advice_as_a_clause() -> None:
    assert str(errors.ConfigError("x", suggestion="REJECT or DELAY")) == "x; did you mean REJECT or DELAY?"
    assert str(errors.ConfigError("x", suggestion="remove the comma")) == "x; remove the comma"


def test_config_error_marks_the_column_below_the_excerpt_even_after_tabs() -> None:
    error = errors.ConfigError("x", line=1, column=3, excerpt="\tab: 1")
    assert str(error).splitlines()[1:] == ["    \tab: 1", "    \t ^"]


def test_config_error_answers_as_the_real_server_does_at_each_stage() -> None:
    assert errors.ConfigError("x", stage="read").wire_code == "INTERNAL"
    assert errors.ConfigError("x", stage="load").wire_code == "INVALID_ARG"
    assert errors.ConfigError("x", stage="read").code == "INVALID_ARG"


def test_preflight_error_shows_line_and_report() -> None:
    error = errors.PreflightError("Execute crashed", stage="Execute", signal=11, cell_line=12, report="#0 f()\n")
    assert str(error) == "Execute crashed (line 12 of the cell)\n#0 f()"


def test_missing_extra_says_what_to_install() -> None:
    error = errors.MissingExtraError("the dashboard", extra="views")
    assert "pip install 'workbench-serving[views]'" in str(error)
    assert error.code == "UNAVAILABLE"


@pytest.mark.parametrize(
    "error",
    [
        errors.ConfigError("x", line=2, column=3, suggestion="y", path="a.b", stage="load", excerpt="abc"),
        errors.PreflightError("x", stage="dlopen", signal=6, cell_line=2, report="r"),
        errors.CompileError("x", diagnostics=("a", "b")),
        errors.MissingExtraError("x", extra="views"),
        errors.LoadError("x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: errors.WorkbenchError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
