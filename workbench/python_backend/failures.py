# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What went wrong in a model's code, and on which line of it."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from types import TracebackType
from typing import Final

import workbench.python_backend
from workbench.errors import STATUS_CODES, WorkbenchError
from workbench.python_backend.exceptions import CODES

LOG: Final = logging.getLogger("workbench.python_backend")
_OWN: Final = str(Path(workbench.python_backend.__file__).parent)
_READ_ONLY: Final = ' (inputs are not to be written: copy them, or set the parameter zero_copy to "never")'
_INTERNAL: Final = CODES.index("INTERNAL")


class Misuse(Exception):  # noqa: N818 - the model's, and told without this name
    """The model answered in a way that is none."""


def describe(error: BaseException, stage: str) -> tuple[int, str]:
    """Status code and one line: what was raised, where in the model's code, and in which stage of its life.

    The whole traceback goes to the log `workbench.python_backend`.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return _INTERNAL, f"{stage}: {type(error).__name__}: {error.msg} ({error.filename}, line {error.lineno})"
    if isinstance(error, Misuse):
        return _INTERNAL, f"{stage} {error}"
    if isinstance(error, WorkbenchError):
        return _code_of(error), f"{stage}: {error}"
    LOG.error("%s\n%s", stage, "".join(traceback.format_exception(error)).rstrip())
    told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ValueError) and "read-only" in told:
        told += _READ_ONLY
    return _code_of(error), f"{stage}: {told}{_place(error.__traceback__)}"


def _code_of(error: BaseException) -> int:
    code = error.code if isinstance(error, WorkbenchError) else "INTERNAL"
    return CODES.index(code) if code in STATUS_CODES else _INTERNAL


def _place(trace: TracebackType | None) -> str:
    frames = [frame for frame in traceback.extract_tb(trace) if not _is_own(frame.filename)]
    models = [frame for frame in frames if not _is_installed(frame.filename)] or frames
    if not models:
        return ""
    last = models[-1]
    where = f" ({last.filename}, line {last.lineno}, in {last.name}"
    return f"{where}: {last.line})" if last.line else f"{where})"


def _is_own(filename: str) -> bool:
    return filename.startswith((_OWN, "<frozen"))


def _is_installed(filename: str) -> bool:
    return "site-packages" in filename or "/lib/python" in filename
