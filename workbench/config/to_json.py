# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations as JSON, as the server gives them: every default, protobuf's field names, integers as numbers."""

from __future__ import annotations

import json
import math
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from workbench.config.floats import shortest
from workbench.config.message import ModelConfig
from workbench.config.reader import fields_of, is_map, message_type


def to_json(config: ModelConfig) -> str:
    """The configuration as the server's endpoint and `TRITONBACKEND_ModelConfig` give it, in one line."""
    return json.dumps(to_mapping(config), ensure_ascii=False, separators=(",", ":"))


def to_mapping(config: Message, *, with_defaults: bool = True) -> dict[str, Any]:
    """A message as a mapping of plain values, enum values by name.

    Messages and oneofs that are not set are left out; without `with_defaults`, all fields that are not set.
    """
    set_names = {field.name for field, _ in config.ListFields()}
    return {
        field.name: plain_field(getattr(config, field.name), field, with_defaults=with_defaults)
        for field in fields_of(config)
        if field.name in set_names or (with_defaults and not field.has_presence)
    }


def plain_field(value: Any, field: FieldDescriptor, *, with_defaults: bool = True) -> Any:
    """The whole value of a field as plain values: a mapping for a map, a list for a list."""
    if is_map(field):
        inner = message_type(field).fields_by_name["value"]
        return {str(key): plain_value(value[key], inner, with_defaults=with_defaults) for key in value}
    if field.is_repeated:
        return [plain_value(element, field, with_defaults=with_defaults) for element in value]
    return plain_value(value, field, with_defaults=with_defaults)


def plain_value(value: Any, field: FieldDescriptor, *, with_defaults: bool = True) -> Any:
    """One value of a field, or one element of its list, as a plain value."""
    if field.message_type:
        return to_mapping(value, with_defaults=with_defaults)
    if field.enum_type:
        named = field.enum_type.values_by_number.get(value)
        return named.name if named else value
    return _number(shortest(value, field)) if isinstance(value, float) else value


def _number(value: float) -> float | str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
