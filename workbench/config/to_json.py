# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations as JSON, as the server gives them: every default, protobuf's field names, integers as numbers."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from workbench.config.message import ModelConfig
from workbench.config.reader import fields_of, is_map, message_type


def to_json(config: ModelConfig) -> str:
    """The configuration as the server's endpoint and `TRITONBACKEND_ModelConfig` give it, in one line."""
    return json.dumps(to_mapping(config), ensure_ascii=False, separators=(",", ":"))


def to_mapping(config: ModelConfig) -> dict[str, Any]:
    """The same as a mapping of plain values; messages and oneofs that are not set are left out."""
    return _message(config)


def _message(message: Message) -> dict[str, Any]:
    fields = (field for field in fields_of(message) if _is_printed(message, field))
    return {field.name: _field(message, field) for field in fields}


def _is_printed(message: Message, field: FieldDescriptor) -> bool:
    return not field.has_presence or message.HasField(field.name)


def _field(message: Message, field: FieldDescriptor) -> Any:
    value = getattr(message, field.name)
    if is_map(field):
        return _map(value, field)
    if field.is_repeated:
        return [_value(element, field) for element in value]
    return _value(value, field)


def _map(entries: Any, field: FieldDescriptor) -> dict[str, Any]:
    value_field = message_type(field).fields_by_name["value"]
    return {str(key): _value(entries[key], value_field) for key in entries}


def _value(value: Any, field: FieldDescriptor) -> Any:
    if field.message_type:
        return _message(value)
    if field.enum_type:
        named = field.enum_type.values_by_number.get(value)
        return named.name if named else value
    return _number(value) if isinstance(value, float) else value


def _number(value: float) -> float | str:
    """A single-precision number by its shortest decimals; JSON has no names for those that are not finite."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    for digits in range(6, 10):
        shorter = float(f"{value:.{digits}g}")
        if struct.unpack("f", struct.pack("f", shorter))[0] == value:
            return shorter
    return value
