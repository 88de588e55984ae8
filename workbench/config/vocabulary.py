# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The names that a configuration may use, and which of them somebody meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Final

from google.protobuf.descriptor import Descriptor, EnumDescriptor

from workbench.config.message import ModelConfig
from workbench.config.reader import is_map, message_type

FIELD_ALIASES: Final[Mapping[str, str]] = {
    "batch_size": "max_batch_size",
    "batching": "dynamic_batching",
    "data_types": "data_type",
    "datatype": "data_type",
    "delay": "max_queue_delay_microseconds",
    "device": "gpus",
    "devices": "gpus",
    "dtype": "data_type",
    "framework": "backend",
    "gpu": "gpus",
    "instances": "instance_group",
    "model_name": "name",
    "model_scheduler": "dynamic_batching or sequence_batching",
    "scheduler": "dynamic_batching or sequence_batching",
    "shape": "dims",
    "timeout": "default_timeout_microseconds",
    "transaction_policy": "model_transaction_policy",
    "type": "data_type",
    "warmup": "model_warmup",
}
"""Words of other systems and of older releases, and what they are called here."""

VALUE_ALIASES: Final[Mapping[str, str]] = {
    "BFLOAT16": "TYPE_BF16",
    "BYTES": "TYPE_STRING",
    "DOUBLE": "TYPE_FP64",
    "FLOAT": "TYPE_FP32",
    "FLOAT16": "TYPE_FP16",
    "FLOAT32": "TYPE_FP32",
    "FLOAT64": "TYPE_FP64",
    "HALF": "TYPE_FP16",
    "INT": "TYPE_INT32",
    "LONG": "TYPE_INT64",
    "BOOLEAN": "TYPE_BOOL",
    "STR": "TYPE_STRING",
}
"""Data types as other systems name them, without TYPE_."""


def near_fields(name: str, message: Descriptor) -> tuple[str, ...]:
    """Names of fields of `message` that `name` may have meant, the likeliest first."""
    return tuple(get_close_matches(name.lower(), list(message.fields_by_name), n=2, cutoff=0.6))


def meant_field(name: str, message: Descriptor) -> str:
    """The field of `message` that `name` surely means, by a known alias or by its spelling; empty when unsure."""
    alias = FIELD_ALIASES.get(name.lower(), "")
    if any(word in message.fields_by_name for word in alias.split(" or ")):
        return alias
    return next(iter(get_close_matches(name.lower(), list(message.fields_by_name), n=1, cutoff=0.88)), "")


def near_values(word: str, enum: EnumDescriptor) -> tuple[str, ...]:
    """Names of values of `enum` that `word` may have meant, the likeliest first; every name where there are few."""
    names = _meaningful(enum)
    bare = word.strip("'\"").upper()
    for candidate in (bare, _prefix(enum) + bare, VALUE_ALIASES.get(bare.removeprefix("TYPE_"), "")):
        if candidate in names:
            return (candidate,)
    return tuple(get_close_matches(bare, names, n=2, cutoff=0.75)) or (names if len(names) <= 4 else ())


def _meaningful(enum: EnumDescriptor) -> tuple[str, ...]:
    return tuple(value.name for value in enum.values if not value.name.endswith("_INVALID"))


def _prefix(enum: EnumDescriptor) -> str:
    first = enum.values[0].name
    return first.split("_")[0] + "_" if "_" in first else ""


def value_names(enum: EnumDescriptor) -> str:
    """The names of an enum in a sentence: "TYPE_BOOL, TYPE_UINT8 or TYPE_INT8"."""
    return spoken(_meaningful(enum))


def spoken(words: Iterable[str]) -> str:
    """Words as a choice: "a", "a or b", "a, b or c"."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def homes_of(name: str, message: Descriptor) -> tuple[str, ...]:
    """Paths of the messages that have a field called `name`: those inside `message`, else all, the outermost first.

    The configuration itself is "".
    """
    below = (field for field in message.fields if field.message_type and not is_map(field))
    inner = tuple(field.name for field in below if name in message_type(field).fields_by_name)
    return inner or _homes().get(name, ())


@cache
def _homes() -> Mapping[str, tuple[str, ...]]:
    homes: dict[str, tuple[str, ...]] = {}
    pending: list[tuple[str, Descriptor]] = [("", ModelConfig.DESCRIPTOR)]
    while pending:
        path, message = pending.pop(0)
        for field in message.fields:
            homes[field.name] = (*homes.get(field.name, ()), path)
            if field.message_type and not is_map(field):
                pending.append((f"{path}.{field.name}".lstrip("."), field.message_type))
    return homes
