# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Errors as a model tells them: thrown, or inside of a response."""

from __future__ import annotations

from typing import Final

CODES: Final = (
    "UNKNOWN",
    "INTERNAL",
    "NOT_FOUND",
    "INVALID_ARG",
    "UNAVAILABLE",
    "UNSUPPORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
)
"""Status codes by their number."""


class TritonModelException(Exception):  # noqa: N818 - the name that models use
    """An error of a model, or of what it asked for."""


class TritonError:
    """The error of a response.

    Args:
        message: what is wrong.
        code: one of the class's constants.
    """

    UNKNOWN: Final = 0
    INTERNAL: Final = 1
    NOT_FOUND: Final = 2
    INVALID_ARG: Final = 3
    UNAVAILABLE: Final = 4
    UNSUPPORTED: Final = 5
    ALREADY_EXISTS: Final = 6
    CANCELLED: Final = 7

    __slots__ = ("_code", "_message")

    def __init__(self, message: str, code: int = INTERNAL) -> None:
        if not isinstance(message, str):
            raise TritonModelException(f"the message of a TritonError is a str, and {type(message).__name__} was given")
        if code not in range(len(CODES)):
            raise TritonModelException(f"no error code {code!r}; there are TritonError.{', TritonError.'.join(CODES)}")
        self._message = message
        self._code = code

    def message(self) -> str:
        """What is wrong."""
        return self._message

    def code(self) -> int:
        """The status code."""
        return self._code

    def __repr__(self) -> str:
        return f"<TritonError {CODES[self._code]}: {self._message}>"
