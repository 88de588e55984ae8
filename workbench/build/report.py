# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the child that tries a backend reports (native/tools/preflight/report.h), as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

Ending = Literal["ok", "error", "exception", "signal", "exit", "timeout", "vanished"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A place on the stack: an offset in a loaded file."""

    offset: str
    path: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a trial went.

    Attributes:
        ending: `ok`, or what ended it; `vanished` is an end without a word, such as `_exit`.
        stage: the step that ran last.
        code: name of the status code of an `error`.
        message: the text of an error or exception, for `vanished` the process's status.
        signal: the number of a signal, else 0.
        frames: the stack at the end, innermost first.
        output: what the child wrote to standard output and error.
    """

    ending: Ending
    stage: str = ""
    code: str = ""
    message: str = ""
    signal: int = 0
    frames: tuple[Frame, ...] = ()
    output: str = ""


def read_verdict(lines: Sequence[str], *, status: int, is_late: bool, output: str) -> Verdict:
    """The verdict that the lines of a report amount to.

    Args:
        lines: the report; the first line that tells of an end counts.
        status: the process's, negative for a signal.
        is_late: whether it had to be ended from outside.
        output: what it wrote besides.
    """
    stage = "start"
    frames: list[Frame] = []
    end: tuple[str, str] | None = None
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "stage":
            stage = rest
        elif word == "frame":
            frames.append(Frame(*rest.split(" ", 1)))
        elif end is None and word in _FIELDS:
            end = word, rest
    word, rest = end or _silent_end(status, is_late=is_late)
    return Verdict(cast("Ending", word), stage, frames=tuple(frames), output=output, **_FIELDS[word](rest))


def _code_and_message(rest: str) -> Mapping[str, Any]:
    code, _, message = rest.partition(" ")
    return {"code": code, "message": message}


_FIELDS: Final[Mapping[str, Callable[[str], Mapping[str, Any]]]] = {
    "ok": lambda _: {},
    "error": _code_and_message,
    "exception": lambda rest: {"message": rest},
    "signal": lambda rest: {"signal": int(rest)},
    "exit": lambda _: {},
    "timeout": lambda _: {},
    "vanished": lambda rest: {"message": rest},
}
"""What each ending tells besides the stage."""


def _silent_end(status: int, *, is_late: bool) -> tuple[str, str]:
    """A child that said nothing of its end: killed by us, by a signal that cannot be caught, or ended by `_exit`."""
    if is_late:
        return "timeout", ""
    return ("signal", str(-status)) if status < 0 else ("vanished", f"status {status}")
