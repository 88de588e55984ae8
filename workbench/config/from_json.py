# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations from JSON, as requests to load a model bring them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from workbench.config.message import ModelConfig
from workbench.config.reader import is_map, message_type
from workbench.config.relaxed_json import to_strict
from workbench.config.vocabulary import near_fields, near_values, spoken
from workbench.errors import ConfigError


def from_json(source: str | Mapping[str, Any], *, name: str = "config") -> ModelConfig:
    """The configuration that JSON text or a mapping of plain values spells; integers may be strings.

    Args:
        source: JSON text, or what `json.loads` makes of it.
        name: what the text is called, for messages.

    Raises:
        ConfigError: with line and column where the text is not JSON, with the field's path where a value is not legal.
    """
    values = _loads(source, name) if isinstance(source, str) else dict(source)
    _check_names(values, ModelConfig.DESCRIPTOR, "", name)
    config = ModelConfig()
    try:
        json_format.ParseDict(values, config)
    except (json_format.ParseError, AttributeError, TypeError, ValueError) as exc:
        raise ConfigError(f"the configuration is not legal: {exc}", source=name) from exc
    return config


def _loads(text: str, name: str) -> dict[str, Any]:
    try:
        values = _loads_relaxed(text)
    except json.JSONDecodeError as exc:
        raise ConfigError(
            f"the text is not JSON: {exc.msg}",
            line=exc.lineno,
            column=exc.colno,
            source=name,
            excerpt=text.split("\n")[exc.lineno - 1],
        ) from exc
    if not isinstance(values, dict):
        raise ConfigError("a configuration is a JSON object", suggestion="write { … }", source=name)
    return values


def _loads_relaxed(text: str) -> Any:
    """Raises JSONDecodeError with the place in the text as it was given."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        with suppress(json.JSONDecodeError):
            return json.loads(to_strict(text))
        raise


def _check_names(values: Mapping[str, Any], message: Descriptor, path: str, source: str) -> None:
    """Tells names of fields and of enum values that do not exist; json_format judges all else."""
    for key, value in values.items():
        field = message.fields_by_name.get(key) or message.fields_by_camelcase_name.get(key)
        if field is None:
            _refuse(f"there is no field {key}", spoken(near_fields(key, message) or ("",)), f"{path}{key}", source)
        for step, element in _elements(value, field):
            _check_value(element, field, f"{path}{field.name}{step}", source)


def _elements(value: Any, field: FieldDescriptor) -> list[tuple[str, Any]]:
    if is_map(field) and isinstance(value, Mapping):
        return [(f"[{json.dumps(key)}]", element) for key, element in value.items()]
    if field.is_repeated and isinstance(value, list):
        return [(f"[{index}]", element) for index, element in enumerate(value)]
    return [("", value)]


def _check_value(value: Any, field: FieldDescriptor, path: str, source: str) -> None:
    if is_map(field):
        field = message_type(field).fields_by_name["value"]
    if field.message_type and isinstance(value, Mapping):
        _check_names(value, field.message_type, f"{path}.", source)
    if field.enum_type and isinstance(value, str) and value not in field.enum_type.values_by_name:
        near = near_values(value, field.enum_type)
        _refuse(f"{value} is not a value of {field.name}", spoken(near or ("",)), path, source)


def _refuse(message: str, suggestion: str, path: str, source: str) -> NoReturn:
    raise ConfigError(f"{path}: {message}", suggestion=suggestion, path=path, source=source)
