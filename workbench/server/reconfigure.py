# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of a running configuration, by the names of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.message import Message

from workbench.config import ModelConfig
from workbench.errors import ConfigError, InvalidArgumentError

_GROUP: Final[Any] = ModelConfig.DESCRIPTOR.fields_by_name["instance_group"].message_type


def changed(config: ModelConfig, fields: Mapping[str, Any]) -> ModelConfig:
    """A copy of `config` with `fields` set.

    A field is one of the configuration itself, one of its scheduler (dynamic batching, where none is chosen yet), or
    one of its instance groups, where it is set in every group.

    Raises:
        InvalidArgumentError: no such field.
        ConfigError: a value that the field can not hold.
    """
    copy = ModelConfig()
    copy.CopyFrom(config)
    for name, value in fields.items():
        if name == "count" and isinstance(value, int) and value < 1:
            message = f"count: {value} is no number of instances; the least is 1"
            raise ConfigError(message, path=name)
        for owner in _owners(copy, name):
            _set(owner, name, value)
    return copy


def _owners(config: ModelConfig, name: str) -> Iterable[Message]:
    if _has(config.DESCRIPTOR, name):
        return [config]
    if config.HasField("sequence_batching") and _has(config.sequence_batching.DESCRIPTOR, name):
        return [config.sequence_batching]
    scheduler = _scheduler(config)
    if _has(scheduler.DESCRIPTOR, name):
        return [scheduler]
    if _has(_GROUP, name):
        if not config.instance_group:
            config.instance_group.add()
        return list(config.instance_group)
    raise InvalidArgumentError(_unknown(name, scheduler.DESCRIPTOR))


def _scheduler(config: ModelConfig) -> Any:
    """The message whose fields say when a batch leaves."""
    if config.WhichOneof("scheduling_choice") == "sequence_batching":
        strategy = config.sequence_batching.WhichOneof("strategy_choice") or "direct"
        return getattr(config.sequence_batching, strategy)
    return config.dynamic_batching


def _has(descriptor: Any, name: str) -> bool:
    return name in descriptor.fields_by_name


def _set(owner: Message, name: str, value: Any) -> None:
    owner.ClearField(name)
    if value is None:
        return
    try:
        json_format.ParseDict({name: _as_json(value)}, owner)
    except json_format.ParseError as exc:
        message = f"{name}: {value!r} is not what this field holds: {exc}"
        raise ConfigError(message, path=name) from exc


def _as_json(value: Any) -> Any:
    if isinstance(value, Message):
        return json_format.MessageToDict(value, preserving_proto_field_name=True)
    if isinstance(value, (list, tuple, set)):
        return [_as_json(element) for element in value]
    # numpy's arrays and numbers.
    return value.tolist() if hasattr(value, "tolist") else value


def _unknown(name: str, scheduler: Any) -> str:
    return (
        f"a configuration has no field {name!r}; it has, of the model: {_names(ModelConfig.DESCRIPTOR)}; "
        f"of {scheduler.name}: {_names(scheduler)}; of its instance groups: {_names(_GROUP)}"
    )


def _names(descriptor: Any) -> str:
    return ", ".join(field.name for field in descriptor.fields)
