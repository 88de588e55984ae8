# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A built backend, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from workbench.build.diagnostics import Diagnostic, as_html
from workbench.build.source import Language, file_name_of


@dataclass(frozen=True, slots=True)
class Library:
    """A backend's shared object, and how it came about.

    Attributes:
        name: the backend's name, as a configuration's `backend` field says it.
        path: the file. Each version of a backend has its own; a file that may be loaded is never overwritten.
        digest: hash of all that went into it.
        language: `c++` or `cuda`.
        compiler: name and version.
        compile_s: seconds that compiler and linker took when it was built.
        is_cached: whether it was built before and only found again.
        diagnostics: the compiler's warnings.
        source: the text it was made of; `first_line` is the number that its first line bears.
        sanitized_path: its twin with address and undefined-behaviour checks, for trials alone.
        sanitized_environment: what a process needs to load the twin.
    """

    name: str
    path: Path
    digest: str
    language: Language
    compiler: str
    compile_s: float
    is_cached: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    source: str = ""
    first_line: int = 1
    sanitized_path: Path | None = None
    sanitized_environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """The source's name in the object's debug information."""
        return file_name_of(self.name, self.language)

    def __repr__(self) -> str:
        return f"<Library {self.name} {self.digest[:12]}, {self._how()}{self._warned()}>"

    def _repr_html_(self) -> str:
        head = (
            f"<b>{escape(self.name)}</b> built: <code>{escape(self.path.name)}</code><br>"
            f"<small>{escape(self._how())}{self._warned()}</small>"
        )
        return f"<div>{head}{as_html(self.diagnostics)}</div>"

    def _how(self) -> str:
        took = "found in the cache" if self.is_cached else f"compiled in {self.compile_s:.2f} s"
        checked = ", tried under sanitizers" if self.sanitized_path else ""
        return f"{took} by {self.compiler}{checked}"

    def _warned(self) -> str:
        count = len(self.diagnostics)
        return f", {count} warning{'s' if count > 1 else ''}" if count else ""
