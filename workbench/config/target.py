# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a field path leads to in the configuration's types, and messages that hold nothing but the value at a path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from workbench.config.message import ModelConfig
from workbench.config.paths import Step, format_path
from workbench.config.reader import is_map, message_type
from workbench.config.vocabulary import near_fields, spoken
from workbench.errors import InvalidArgumentError


@dataclass(frozen=True, slots=True)
class Target:
    """The field that a path leads to: the type of its owner, the field itself, and the path's last step."""

    owner: Descriptor
    field: FieldDescriptor
    step: Step


def target_of(steps: tuple[Step, ...]) -> Target:
    """What `steps` lead to; raises InvalidArgumentError when there is no such field."""
    owner = ModelConfig.DESCRIPTOR
    for position, step in enumerate(steps[:-1], 1):
        owner = _inner(_field(owner, step, steps[:position]), steps[:position])
    return Target(owner, _field(owner, steps[-1], steps), steps[-1])


def _field(owner: Descriptor, step: Step, so_far: tuple[Step, ...]) -> FieldDescriptor:
    field = owner.fields_by_name.get(step.name)
    if field is None:
        near = near_fields(step.name, owner)
        hint = f"; did you mean {spoken(near)}?" if near else ""
        raise InvalidArgumentError(f"there is no field {format_path(so_far)}{hint}")
    if step.key is not None and not field.is_repeated:
        raise InvalidArgumentError(f"{step.name} is not a list: write it without an index")
    return field


def _inner(field: FieldDescriptor, so_far: tuple[Step, ...]) -> Descriptor:
    value = message_type(field).fields_by_name["value"] if is_map(field) else field
    if value.message_type is None:
        raise InvalidArgumentError(f"{format_path(so_far)} has no fields inside")
    return value.message_type


def holding(owner: Descriptor, steps: tuple[Step, ...], value: Any) -> Message:
    """A message of type `owner` that holds `value` at `steps` and nothing else; raises InvalidArgumentError."""
    message = GetMessageClass(owner)()
    try:
        json_format.ParseDict(_nested(owner, steps, value), message)
    except (json_format.ParseError, AttributeError, TypeError, ValueError) as exc:
        raise InvalidArgumentError(f"{format_path(steps)} cannot be {value!r}: {exc}") from exc
    return message


def _nested(owner: Descriptor, steps: tuple[Step, ...], value: Any) -> dict[str, Any]:
    step, *rest = steps
    field = _field(owner, step, steps[:1])
    inner = _nested(_inner(field, steps[:1]), tuple(rest), value) if rest else _plain(value)
    if step.key is not None:
        inner = {str(step.key): inner} if is_map(field) else [inner]
    return {step.name: inner}


def _plain(value: Any) -> Any:
    """Lists for sequences and Python's numbers for numpy's, as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): _plain(element) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(element) for element in value]
    return value.item() if hasattr(value, "item") else value
