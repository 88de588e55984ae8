# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Edits the text of a configuration in few places: comments, order and spelling of all else stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from workbench.config import surgery
from workbench.config.layout import list_text, rank, scalar_text
from workbench.config.outline import Hit, Outline, find, scope_of
from workbench.config.paths import Step, format_path, parse_path
from workbench.config.pbtxt import read_text
from workbench.config.reader import Value, is_map, message_type
from workbench.config.target import Target, holding, target_of
from workbench.config.write import Writer
from workbench.errors import InvalidArgumentError


def edit_config(text: str, changes: Mapping[str, Any], *, source: str = "config.pbtxt") -> str:
    """The text with some fields changed, such as `{"max_batch_size": 16, "instance_group[0].count": 2}`.

    A field that the text has not is added where people write it, with the messages around it; an index one above the
    last appends. None removes. Names stand for enum values, mappings for messages, sequences for lists.

    Args:
        text: a legal text.
        changes: new values by field path, applied in order.
        source: name of the file or cell, for messages.

    Raises:
        ConfigError: when the text is not legal, before or after.
        InvalidArgumentError: when a path or value does not fit the configuration.
    """
    read_text(text, source=source)
    for path, value in changes.items():
        text = _edited(text, parse_path(path), value)
    read_text(text, source=source)
    return text


def _edited(text: str, steps: tuple[Step, ...], value: Any) -> str:
    target = target_of(steps)
    root = Outline(text).root
    if value is None:
        return _without(text, steps)
    if hit := find(root, steps):
        return _replaced(text, hit, target, value)
    return _with(text, root, steps, value)


def _replaced(text: str, hit: Hit, target: Target, value: Any) -> str:
    field, step = target.field, target.step
    message = holding(target.owner, (step,), value)
    place = hit.values[-1] if hit.values else None
    if place is None or (field.is_repeated and step.key is None):
        return _list_replaced(text, hit, field, message)
    indent = surgery.indent_at(text, place.token.offset)
    if is_map(field):
        new = _entry(message, field, step, indent)
    else:
        element = getattr(message, field.name)[0] if field.is_repeated else getattr(message, field.name)
        new = "\n".join(_value_lines(element, field, indent))
    return surgery.replaced(text, place.token.offset, place.end, new)


def _list_replaced(text: str, hit: Hit, field: FieldDescriptor, message: Message) -> str:
    first, *others = hit.fields
    for other in reversed(others):
        text = surgery.without_field(text, other)
    if is_map(field):
        lines = list(Writer({}).message(message, "", surgery.indent_at(text, first.name.offset)))
        new = "\n".join(lines).lstrip() or f"{field.name} [ ]"
        return surgery.replaced(text, first.name.offset, first.end, new)
    elements = [surgery.one_line(_value_lines(element, field, "")) for element in getattr(message, field.name)]
    return surgery.replaced(text, first.value_token.offset, first.value_end, list_text(elements))


def _entry(message: Message, field: FieldDescriptor, step: Step, indent: str) -> str:
    fields = message_type(field).fields_by_name
    value = surgery.one_line(_value_lines(getattr(message, field.name)[step.key], fields["value"], indent))
    separator = " " if fields["value"].message_type else ": "
    return f"{{ key: {scalar_text(fields['key'], step.key)} value{separator}{value} }}"


def _value_lines(value: Any, field: FieldDescriptor, indent: str) -> list[str]:
    if not field.message_type:
        return [scalar_text(field, value)]
    return list(Writer({}).block("", value, "", indent))


def _with(text: str, root: Value, steps: tuple[Step, ...], value: Any) -> str:
    """The text with a field that it has not, and with the messages around it."""
    depth = next(length for length in range(len(steps) - 1, -1, -1) if length == 0 or find(root, steps[:length]))
    scope = scope_of(root, steps[:depth])
    new = target_of(steps[: depth + 1])
    siblings = [field for field in scope.fields if field.descriptor.name == new.field.name]
    missing = _from_zero(new, steps[depth:], sum(len(field.values) for field in siblings))
    holder = holding(new.owner, missing, value)
    if siblings and siblings[-1].is_list and not is_map(new.field):
        element = getattr(holder, new.field.name)[0]
        return surgery.with_element(text, siblings[-1], _value_lines(element, new.field, ""))
    # A note without text makes the writer write the field even where its value is the default.
    return _with_field(text, scope, new, list(Writer({format_path(missing): ""}).message(holder, "", "")))


def _from_zero(new: Target, missing: tuple[Step, ...], count: int) -> tuple[Step, ...]:
    """The missing steps as they are inside a message of their own, where what is appended comes first."""
    if is_map(new.field) or new.step.key is None:
        return missing
    if new.step.key != count:
        raise InvalidArgumentError(f"{new.step} does not exist: {new.step.name} has {count} elements")
    return (Step(new.step.name, 0), *missing[1:])


def _with_field(text: str, scope: Value, new: Target, lines: list[str]) -> str:
    if not scope.fields:
        return surgery.with_first_field(text, scope, lines)
    before = [field for field in scope.fields if rank(field.descriptor) <= rank(new.field)]
    if before:
        return surgery.with_field_after(text, before[-1], lines)
    return surgery.with_field_before(text, scope.fields[0], lines)


def _without(text: str, steps: tuple[Step, ...]) -> str:
    while hit := find(Outline(text).root, steps):
        field = hit.fields[-1]
        if hit.is_element and len(field.values) > 1:
            text = surgery.without_element(text, field, hit.values[-1])
        else:
            text = surgery.without_field(text, field)
        # Of a list one element goes; of a map's entries with one key, and of a field, all.
        if hit.is_element and not is_map(field.descriptor):
            break
    return text
