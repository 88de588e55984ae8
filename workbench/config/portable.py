# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Spellings that Python's text_format reads and the server's C++ one refuses: 1_000, 0b1, +4, unknown escapes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from workbench.config.outline import Outline
from workbench.config.reader import Field, Value, is_map
from workbench.config.rule import Problem

_PLAIN_INTEGER: Final = re.compile(r"-?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$")
_STRANGE_ESCAPE: Final = re.compile(r"(?<!\\)(?:\\\\)*(\\[^abfnrtvxXuU0-7?'\"\\])")
_NUMBERS: Final = frozenset(
    {
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
    }
)


def foreign_spellings(outline: Outline) -> Iterator[Problem]:
    """The values of a legal text that the server's own parser would refuse."""
    yield from _in_message(outline.text, outline.root, "")


def _in_message(text: str, message: Value, path: str) -> Iterator[Problem]:
    counts: dict[str, int] = {}
    for field in message.fields:
        for value in field.values:
            index = counts.get(field.descriptor.name, 0)
            counts[field.descriptor.name] = index + 1
            inner = _path(path, field, value, index)
            yield from _in_message(text, value, inner)
            if problem := _foreign(text, field, value, inner):
                yield problem


def _path(path: str, field: Field, value: Value, index: int) -> str:
    name = field.descriptor.name
    if is_map(field.descriptor):
        key = f'"{value.key}"' if isinstance(value.key, str) else value.key
        return f"{path}{name}[{key}]."
    return f"{path}{name}[{index}]." if field.descriptor.is_repeated else f"{path}{name}."


def _foreign(text: str, field: Field, value: Value, path: str) -> Problem | None:
    spelled = text[value.token.offset : value.end]
    if field.descriptor.cpp_type in _NUMBERS and not _PLAIN_INTEGER.match(spelled):
        return Problem(path.rstrip("."), f"the server does not read {spelled} as a number", f"write {int(spelled, 0)}")
    if field.descriptor.cpp_type == FieldDescriptor.CPPTYPE_STRING and (strange := _STRANGE_ESCAPE.search(spelled)):
        return Problem(path.rstrip("."), f"the server does not know the escape {strange[1]}", f"write \\{strange[1]}")
    return None
