# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from workbench.build.report import Frame, Verdict, read_verdict


def verdict(*lines: str, status: int = 0, is_late: bool = False) -> Verdict:
    return read_verdict(lines, status=status, is_late=is_late, output="")


def test_ok_needs_the_last_line() -> None:
    assert verdict("stage dlopen", "stage Initialize", "ok") == Verdict("ok", "Initialize")


def test_end_without_a_word_is_no_success() -> None:
    assert verdict("stage Initialize") == Verdict("vanished", "Initialize", message="status 0")


def test_signal_that_cannot_be_caught_shows_in_the_status() -> None:
    assert verdict("stage Execute", status=-9) == Verdict("signal", "Execute", signal=9)


def test_child_that_had_to_be_ended_hangs() -> None:
    assert verdict("stage Execute", status=-9, is_late=True).ending == "timeout"


def test_signal_brings_its_frames() -> None:
    found = verdict("stage Initialize", "signal 11", "frame 0x1a /a b/lib.so", "frame 0x2b /c.so")
    assert found == Verdict(
        "signal", "Initialize", signal=11, frames=(Frame("0x1a", "/a b/lib.so"), Frame("0x2b", "/c.so"))
    )


def test_error_has_code_and_message() -> None:
    found = verdict("stage ModelInitialize", "error INVALID_ARG no vocabulary at /x")
    assert (found.ending, found.code, found.message) == ("error", "INVALID_ARG", "no vocabulary at /x")


def test_first_end_counts() -> None:
    assert verdict("stage Initialize", "exception out", "signal 6").ending == "exception"


def test_unknown_words_are_passed_over() -> None:
    assert verdict("stage Initialize", "colour blue", "ok").ending == "ok"
