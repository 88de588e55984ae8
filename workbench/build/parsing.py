# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the text that g++, clang, zig, nvcc and their linkers write, into diagnostics of the cell.

Text and not JSON: g++'s JSON leaves out template chains and macro notes, zig's ignores line markers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from workbench.build.diagnostics import Diagnostic, Severity, errors_first
from workbench.build.interface_names import names_in, suggestion_for

_MESSAGE: Final = re.compile(
    r"(?P<file>[^:\s][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)?(?:(?:\{[^}]*\})+:)?"
    r" (?P<severity>fatal error|error|warning|note): (?P<text>.*)"
)
_CONTEXT: Final = re.compile(
    r"(?:In file included from |\s+from )?(?P<file>[^:\s][^:]*):(?P<line>\d+)(?::(?P<column>\d+))?[:,]"
    r"(?:\s+required (?:from|by).*)?"
)
_CUDA: Final = re.compile(
    r"(?P<file>[^()\s]+)\((?P<line>\d+)\): (?P<severity>error|warning)(?: #[\w-]+)?: (?P<text>.*)"
)
_FIX: Final = re.compile(r'fix-it:"(?P<file>[^"]+)":\{(?P<line>\d+):\d+-\d+:\d+\}:"(?P<text>.*)"')
_UNDEFINED: Final = re.compile(
    r"(?:.*?ld(?:\.\w+)?: )?(?P<file>[^:]+?):(?:(?P<line>\d+):|\([^)]*\):)"
    r" undefined reference to [`'](?P<name>.+)'"
)
_LLD_UNDEFINED: Final = re.compile(r"ld\.lld: error: undefined symbol: (?P<name>.+)")
_LLD_PLACE: Final = re.compile(r">>> referenced by (?P<file>[^:]+):(?P<line>\d+)")
_LINKER: Final = re.compile(
    r"(?:.*/ld(?:\.\w+)?: (?!.*: in function )|ld\.lld: error: |(?:nvlink|ptxas) (?:error|fatal)\s*: )(?P<text>.*)"
)
_SEVERITIES: Final[Mapping[str, Severity]] = {
    "fatal error": "error",
    "error": "error",
    "warning": "warning",
    "note": "note",
}
_GUESS: Final = re.compile(r"; did you mean '[^']*'\?")
# nvcc shows a source line behind two spaces, and the mark under it.
_CUDA_INDENT: Final = 2


@dataclass(slots=True)
class _Place:
    file: str
    line: int
    column: int = 0


@dataclass(slots=True)
class _Raw:
    """A message while its context is gathered."""

    place: _Place
    severity: Severity
    text: str
    led_here: list[_Place] = field(default_factory=list)
    notes: list[tuple[_Place, str]] = field(default_factory=list)
    suggestion: str = ""


def parse(text: str, *, file_name: str, source: str, first_line: int = 1) -> tuple[Diagnostic, ...]:
    """The diagnostics in a compiler's output, errors first.

    Args:
        text: what the compiler wrote.
        file_name: the name under which it saw the cell.
        source: the cell's text, for the lines to show.
        first_line: number of its first line where its author sees it.
    """
    lines = source.splitlines()
    return errors_first([_finish(raw, file_name, lines, first_line - 1) for raw in _gather(text.splitlines())])


def _gather(lines: Sequence[str]) -> Iterator[_Raw]:
    current: _Raw | None = None
    context: list[_Place] = []
    for number, line in enumerate(lines):
        if found := _message(line) or _linker_message(line, lines[number + 1 :]):
            if found.severity == "note":
                if current is not None:
                    current.notes.append((found.place, found.text))
                continue
            if current is not None:
                yield current
            current, found.led_here, context = found, context, []
            if _CUDA.match(line):
                current.place.column = _cuda_column(lines[number + 1 : number + 3])
        elif (fix := _FIX.match(line)) and current is not None:
            current.suggestion = current.suggestion or _fix_advice(fix["text"], current.text)
        elif led := _CONTEXT.fullmatch(line.rstrip()):
            context.append(_place(led))
    if current is not None:
        yield current


def _message(line: str) -> _Raw | None:
    found = _MESSAGE.match(line) or _CUDA.match(line)
    if not found:
        return None
    return _Raw(_place(found), _SEVERITIES[found["severity"]], found["text"].strip())


def _linker_message(line: str, following: Sequence[str]) -> _Raw | None:
    if found := _UNDEFINED.match(line):
        return _undefined(found["name"], _Place(found["file"], int(found["line"] or 0)))
    if found := _LLD_UNDEFINED.match(line):
        place = _LLD_PLACE.match(following[0]) if following else None
        return _undefined(found["name"], _place(place) if place else _Place("", 0))
    if found := _LINKER.match(line):
        return _Raw(_Place("", 0), "error", found["text"].strip())
    return None


def _undefined(name: str, place: _Place) -> _Raw:
    raw = _Raw(place, "error", f"nothing defines {name}")
    if not names_in(name):
        raw.suggestion = "name the library that has it with --library (libraries=)"
    return raw


def _place(found: re.Match[str]) -> _Place:
    groups = found.groupdict()
    return _Place(groups["file"], int(groups["line"]), int(groups.get("column") or 0))


def _cuda_column(following: Sequence[str]) -> int:
    if len(following) < 2 or following[1].strip() != "^":
        return 0
    return following[1].index("^") + 1 - _CUDA_INDENT


def _fix_advice(replacement: str, message: str) -> str:
    return "" if not replacement.strip() or replacement in message else f"write {replacement}"


def _finish(raw: _Raw, file_name: str, lines: Sequence[str], offset: int) -> Diagnostic:
    place = _cell_place(raw, file_name)
    advice = next(filter(None, map(suggestion_for, names_in(raw.text))), "")
    in_cell = _is_cell(raw.place, file_name)
    source_line = lines[place.line - 1] if place and 0 < place.line <= len(lines) else ""
    return Diagnostic(
        line=place.line + offset if place else 0,
        column=place.column if place else 0,
        severity=raw.severity,
        # The compiler's guess goes where we know better.
        message=_GUESS.sub("", raw.text) if advice else raw.text,
        file="" if in_cell else raw.place.file,
        file_line=0 if in_cell else raw.place.line,
        suggestion=advice or raw.suggestion,
        source_line=source_line,
        notes=tuple(_note(place, text, file_name, offset) for place, text in raw.notes),
    )


def _cell_place(raw: _Raw, file_name: str) -> _Place | None:
    """Where the message, or else what led to it, stands in the cell: g++ tells before the message, clang after."""
    candidates = (raw.place, *reversed(raw.led_here), *(place for place, _ in raw.notes))
    return next((place for place in candidates if _is_cell(place, file_name)), None)


def _is_cell(place: _Place, file_name: str) -> bool:
    return PurePath(place.file).name == file_name


def _note(place: _Place, text: str, file_name: str, offset: int) -> str:
    if _is_cell(place, file_name):
        return f"{text} (line {place.line + offset})"
    return f"{text} ({PurePath(place.file).name}:{place.line})"
