# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What differs between two configurations, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from workbench.config.layout import written_order
from workbench.config.message import ModelConfig
from workbench.config.paths import Step
from workbench.config.reader import is_map, message_type
from workbench.config.to_json import plain_field, plain_value


@dataclass(frozen=True, slots=True)
class Change:
    """A field that differs: plain values before and after, None where the field, element or message is not there."""

    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        if self.before is None:
            return f"{self.path}: added {_shown(self.after)}"
        if self.after is None:
            return f"{self.path}: removed {_shown(self.before)}"
        return f"{self.path}: {_shown(self.before)} → {_shown(self.after)}"


def diff_configs(before: ModelConfig, after: ModelConfig) -> tuple[Change, ...]:
    """The changes that lead from one configuration to the other, in the order in which people write fields.

    `edit_config(text, {change.path: change.after for change in changes})` makes them in a text, where removals of
    several elements of one list go from the last to the first.
    """
    return tuple(_messages(before, after, ""))


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{name}: {_shown(element)}" for name, element in value.items())
        return f"{{ {inner} }}" if inner else "{ }"
    if isinstance(value, list):
        return f"[ {', '.join(map(_shown, value))} ]" if value else "[ ]"
    if isinstance(value, str) and not value.isupper():
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _messages(before: Message, after: Message, path: str) -> Iterator[Change]:
    descriptor: Any = before.DESCRIPTOR
    for field in written_order(descriptor):
        field_path = f"{path}{field.name}"
        if is_map(field):
            yield from _maps(getattr(before, field.name), getattr(after, field.name), field, path)
        elif field.message_type and field.is_repeated:
            yield from _lists(getattr(before, field.name), getattr(after, field.name), field, field_path)
        elif field.message_type and before.HasField(field.name) and after.HasField(field.name):
            yield from _messages(getattr(before, field.name), getattr(after, field.name), f"{field_path}.")
        else:
            yield from _values(_plain(before, field), _plain(after, field), field_path)


def _plain(message: Message, field: FieldDescriptor) -> Any:
    if field.has_presence and not message.HasField(field.name):
        return None
    return plain_field(getattr(message, field.name), field, with_defaults=False)


def _values(before: Any, after: Any, path: str) -> Iterator[Change]:
    if before != after:
        yield Change(path, before, after)


def _lists(before: Any, after: Any, field: FieldDescriptor, path: str) -> Iterator[Change]:
    for index in range(max(len(before), len(after))):
        element_path = f"{path}[{index}]"
        if index < len(before) and index < len(after):
            yield from _messages(before[index], after[index], f"{element_path}.")
        else:
            yield Change(element_path, _element(before, index, field), _element(after, index, field))


def _element(values: Any, index: int, field: FieldDescriptor) -> Any:
    return plain_value(values[index], field, with_defaults=False) if index < len(values) else None


def _maps(before: Any, after: Any, field: FieldDescriptor, path: str) -> Iterator[Change]:
    inner = message_type(field).fields_by_name["value"]
    for key in sorted({*before, *after}):
        entry_path = f"{path}{Step(field.name, key)}"
        if inner.message_type and key in before and key in after:
            yield from _messages(before[key], after[key], f"{entry_path}.")
        else:
            yield from _values(_entry(before, key, inner), _entry(after, key, inner), entry_path)


def _entry(entries: Any, key: Any, field: FieldDescriptor) -> Any:
    return plain_value(entries[key], field, with_defaults=False) if key in entries else None
