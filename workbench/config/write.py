# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a configuration as people do: fields in their usual order, short lists on one line, notes as comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from workbench.config.layout import list_text, scalar_text, written_order
from workbench.config.message import ModelConfig
from workbench.config.reader import is_map, message_type
from workbench.errors import InvalidArgumentError

_INDENT: Final = "  "
_ONE_LINE_WIDTH: Final = 60


def write_config(config: ModelConfig, *, notes: Mapping[str, str] | None = None, header: str = "") -> str:
    """The text of a `config.pbtxt`; reading it gives `config` again.

    Args:
        config: the configuration.
        notes: comments by field path, such as where a tuned value came from. A field that has a note is written even
            where its value is the default.
        header: a comment for the top of the text.

    Raises:
        InvalidArgumentError: when a note's path leads to nothing.
    """
    writer = Writer(dict(notes or {}))
    lines = [*_comment(header, ""), *([""] if header else []), *writer.message(config, "", "")]
    if writer.notes:
        raise InvalidArgumentError(f"the configuration has no {', '.join(sorted(writer.notes))} to put a note at")
    return "".join(f"{line}\n" for line in lines)


def _comment(text: str, indent: str) -> list[str]:
    return [f"{indent}# {line}".rstrip() for line in text.splitlines()]


class Writer:
    """One pass over a message; each note is taken as its field is written."""

    def __init__(self, notes: dict[str, str]) -> None:
        self.notes = notes

    def message(self, message: Message, path: str, indent: str) -> Iterator[str]:
        """The lines of a message's fields."""
        descriptor: Any = message.DESCRIPTOR
        present = {field.name for field, _ in message.ListFields()}
        for field in written_order(descriptor):
            field_path = f"{path}{field.name}"
            is_noted = field_path in self.notes and not field.message_type and not field.is_repeated
            if field.name in present or is_noted:
                yield from self._field(getattr(message, field.name), field, field_path, indent)

    def _field(self, value: Any, field: FieldDescriptor, path: str, indent: str) -> Iterator[str]:
        yield from _comment(self.notes.pop(path, ""), indent)
        if is_map(field):
            yield from self._map(value, field, path, indent)
        elif field.message_type and field.is_repeated:
            yield from self._messages(value, field, path, indent)
        elif field.message_type:
            yield from self.block(f"{indent}{field.name} ", value, f"{path}.", indent)
        elif field.is_repeated:
            yield from self._scalars(list(value), field, path, indent)
        else:
            yield f"{indent}{field.name}: {scalar_text(field, value)}"

    def _scalars(self, values: list[Any], field: FieldDescriptor, path: str, indent: str) -> Iterator[str]:
        for index in range(len(values)):
            yield from _comment(self.notes.pop(f"{path}[{index}]", ""), indent)
        texts = [scalar_text(field, value) for value in values]
        line = f"{indent}{field.name}: {list_text(texts)}"
        if len(line) <= _ONE_LINE_WIDTH * 2:
            yield line
            return
        yield f"{indent}{field.name}: ["
        yield from (
            f"{indent}{_INDENT}{text}{',' if index < len(texts) else ''}" for index, text in enumerate(texts, 1)
        )
        yield f"{indent}]"

    def _messages(self, values: Any, field: FieldDescriptor, path: str, indent: str) -> Iterator[str]:
        yield f"{indent}{field.name} ["
        inner = indent + _INDENT
        for index, value in enumerate(values):
            yield from _comment(self.notes.pop(f"{path}[{index}]", ""), inner)
            *lines, last = self.block(inner, value, f"{path}[{index}].", inner)
            yield from lines
            yield f"{last}," if index + 1 < len(values) else last
        yield f"{indent}]"

    def _map(self, entries: Any, field: FieldDescriptor, path: str, indent: str) -> Iterator[str]:
        fields = message_type(field).fields_by_name
        for key in sorted(entries):
            entry_path = f"{path}[{json.dumps(key, ensure_ascii=False)}]"
            yield from _comment(self.notes.pop(entry_path, ""), indent)
            yield f"{indent}{field.name} {{"
            yield f"{indent}{_INDENT}key: {scalar_text(fields['key'], key)}"
            yield from self._map_value(entries[key], fields["value"], entry_path, indent + _INDENT)
            yield f"{indent}}}"

    def _map_value(self, value: Any, field: FieldDescriptor, path: str, indent: str) -> Iterator[str]:
        if field.message_type:
            yield from self.block(f"{indent}value ", value, f"{path}.", indent)
        else:
            yield f"{indent}value: {scalar_text(field, value)}"

    def block(self, opening: str, message: Message, path: str, indent: str) -> Iterator[str]:
        """A message in braces, on one line where it holds little and nothing to comment on."""
        lines = list(self.message(message, path, indent + _INDENT))
        one_line = " ".join(line.strip() for line in lines)
        is_short = len(lines) <= 1 and len(opening) + len(one_line) <= _ONE_LINE_WIDTH and "#" not in one_line
        if is_short:
            yield f"{opening}{{ {one_line} }}" if lines else f"{opening}{{ }}"
            return
        yield f"{opening}{{"
        yield from lines
        yield f"{indent}}}"
