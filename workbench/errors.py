# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The errors of workbench: one class per status code of the server, one per stage of its work.

`code` is the name of the status (`TRITONSERVER_ERROR_<code>` without the prefix), the same on every error of a class.
`wire_code` is the status that an endpoint answers with; it differs only where the real server answers otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final, Literal

__all__ = [
    "STATUS_CODES",
    "AlreadyExistsError",
    "BuildError",
    "CancelledError",
    "CompileError",
    "ConfigError",
    "InternalError",
    "InvalidArgumentError",
    "LoadError",
    "MissingExtraError",
    "NotFoundError",
    "NotReadyError",
    "PreflightError",
    "UnavailableError",
    "UnknownError",
    "UnsupportedError",
    "WorkbenchError",
    "error_for",
]

Stage = Literal["read", "load"]


class WorkbenchError(Exception):
    """Base of all errors that workbench raises on purpose; `code` names its status."""

    code: ClassVar[str] = "UNKNOWN"

    @property
    def wire_code(self) -> str:
        """The status code that an endpoint answers with."""
        return self.code


class UnknownError(WorkbenchError):
    """The cause has no status of its own."""

    code = "UNKNOWN"


class InternalError(WorkbenchError):
    """Something that cannot happen happened."""

    code = "INTERNAL"


class NotFoundError(WorkbenchError):
    """The named thing does not exist."""

    code = "NOT_FOUND"


class InvalidArgumentError(WorkbenchError):
    """What was asked cannot be right whatever the state of the server."""

    code = "INVALID_ARG"


class UnavailableError(WorkbenchError):
    """Not now: a queue is full, a model is not ready, a part is not installed."""

    code = "UNAVAILABLE"


class NotReadyError(UnavailableError):
    """A model that is known and does not serve."""

    @property
    def wire_code(self) -> str:
        """NOT_FOUND: the real server knows the versions that serve, and those that it is asked for by number."""
        return "NOT_FOUND"


class UnsupportedError(WorkbenchError):
    """Never here: this server or backend does not do it."""

    code = "UNSUPPORTED"


class AlreadyExistsError(WorkbenchError):
    """The name is taken."""

    code = "ALREADY_EXISTS"


class CancelledError(WorkbenchError):
    """The request was cancelled before it was answered."""

    code = "CANCELLED"


class ConfigError(InvalidArgumentError):
    """A model configuration that is not legal, or that no server would run.

    Args:
        message: what is wrong.
        line: where, counted from 1; 0 where the configuration has no text.
        column: likewise, within the line.
        suggestion: what would be right: a name to write instead, or what to do.
        path: path of the field, such as `dynamic_batching.preferred_batch_size[1]`.
        source: name of the file or cell that holds the text.
        stage: `read` where the real server refuses while reading the configuration (it answers 500),
            `load` where it refuses while loading the model (it answers 400).
        excerpt: the line of text that is wrong; shown with a mark under the column.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int = 0,
        column: int = 0,
        suggestion: str = "",
        path: str = "",
        source: str = "",
        stage: Stage = "read",
        excerpt: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.suggestion = suggestion
        self.path = path
        self.source = source
        self.stage: Stage = stage
        self.excerpt = excerpt

    @property
    def wire_code(self) -> str:
        """INTERNAL for what the real server refuses while reading, INVALID_ARG for what it refuses while loading."""
        return "INTERNAL" if self.stage == "read" else self.code

    def __str__(self) -> str:
        return f"{self._place()}{self.message}{self._advice()}{self._marked_excerpt()}"

    def _place(self) -> str:
        if not self.line:
            return f"{self.source}: " if self.source else ""
        if not self.source:
            return f"line {self.line}, column {self.column}: "
        return f"{self.source}:{self.line}:{self.column}: "

    def _advice(self) -> str:
        if not self.suggestion:
            return ""
        if all(word.isidentifier() for word in re.split(", | or ", self.suggestion)):
            return f"; did you mean {self.suggestion}?"
        return f"; {self.suggestion}"

    def _marked_excerpt(self) -> str:
        if not self.excerpt:
            return ""
        # Tabs stay tabs in the padding, so that the mark stands under its column.
        padding = "".join(c if c == "\t" else " " for c in self.excerpt[: max(self.column - 1, 0)])
        return f"\n    {self.excerpt}\n    {padding}^"


class BuildError(InvalidArgumentError):
    """A backend's source did not become a usable shared object."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the message, which points at the cell; no frame of ours would help its author."""
        return [f"{type(self).__name__}: {self}"]


class CompileError(BuildError):
    """The compiler or linker refused; `diagnostics` holds what it said, in order."""

    def __init__(self, message: str, *, diagnostics: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


class PreflightError(BuildError):
    """The built object failed when a child process tried it.

    Args:
        message: what happened.
        stage: which step failed, such as `dlopen`, `Initialize` or `Execute`.
        signal: number of the signal that ended the child, 0 when none did.
        cell_line: line of the cell's source, counted from 1; 0 when unknown.
        report: the child's output, such as a stack trace or a sanitizer's report.
    """

    def __init__(self, message: str, *, stage: str = "", signal: int = 0, cell_line: int = 0, report: str = "") -> None:
        super().__init__(message)
        self.stage = stage
        self.signal = signal
        self.cell_line = cell_line
        self.report = report

    def __str__(self) -> str:
        where = f" (line {self.cell_line} of the cell)" if self.cell_line else ""
        report = f"\n{self.report.rstrip()}" if self.report else ""
        return f"{self.args[0]}{where}{report}"


class LoadError(InvalidArgumentError):
    """A model whose configuration is legal could not be made ready."""


class MissingExtraError(UnavailableError):
    """An optional part of workbench is not installed.

    Args:
        feature: what needs it, as the subject of a sentence: "the dashboard".
        extra: name of the extra that brings it.
    """

    def __init__(self, feature: str, *, extra: str = "all") -> None:
        super().__init__(feature)
        self.feature = feature
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.feature} needs packages that are not installed: pip install 'workbench-serving[{self.extra}]'"


_CLASSES: Final[Mapping[str, type[WorkbenchError]]] = {
    error.code: error
    for error in (
        UnknownError,
        InternalError,
        NotFoundError,
        InvalidArgumentError,
        UnavailableError,
        UnsupportedError,
        AlreadyExistsError,
        CancelledError,
    )
}

STATUS_CODES: Final[tuple[str, ...]] = tuple(_CLASSES)
"""The names of the status codes, in the order of `TRITONSERVER_Error_Code`."""


def error_for(code: str, message: str) -> WorkbenchError:
    """The error whose class stands for `code`; a code that nobody knows becomes `UnknownError`."""
    if code in _CLASSES:
        return _CLASSES[code](message)
    return UnknownError(f"{message} (status {code!r})")
