# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Values within messages, checked as the original checks them. All raise InvalidArgumentError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from workbench.errors import InvalidArgumentError

_LAST_VERSION: Final = (1 << 63) - 1
_LOG_KINDS: Final[Mapping[str, str]] = {
    "log_info": "bool_param", "log_warning": "bool_param", "log_error": "bool_param",
    "log_verbose_level": "uint32_param", "log_format": "string_param", "log_file": "string_param",
}  # fmt: skip
_LOG_FORMATS: Final = ("default", "ISO8601")


_REQUEST_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "sequence_id": ("string_param", "int64_param"),
    "sequence_start": ("bool_param",),
    "sequence_end": ("bool_param",),
    "priority": ("uint64_param", "int64_param"),
    "timeout": ("int64_param",),
    "triton_enable_empty_final_response": ("bool_param",),
}
_OTHER_KINDS: Final = ("string_param", "bool_param", "int64_param", "double_param")
_WORD: Final = (1 << 64) - 1


def value_of(parameter: Any) -> Any:
    """The value of an InferParameter."""
    return getattr(parameter, parameter.WhichOneof("parameter_choice") or "string_param")


def set_value(parameter: Any, value: Any) -> None:
    """Give an InferParameter a value, by its type."""
    if isinstance(value, bool):
        parameter.bool_param = value
    elif isinstance(value, int):
        parameter.int64_param = value
    elif isinstance(value, float):
        parameter.double_param = value
    else:
        parameter.string_param = str(value)


def request_value(name: str, parameter: Any) -> Any:
    """The value of a parameter of an inference; what the core counts is never negative."""
    kinds = _REQUEST_KINDS.get(name, _OTHER_KINDS)
    value = value_of(parameter)
    if parameter.WhichOneof("parameter_choice") not in kinds or (name == "priority" and value < 0):
        message = f"parameter {name!r} must be a {' or '.join(kinds)}{', not negative' * (name == 'priority')}"
        raise InvalidArgumentError(message)
    return value & _WORD if name in {"sequence_id", "timeout"} and isinstance(value, int) else value


def version_of(text: str, model: str) -> int:
    """The number of a version; -1 for none."""
    if not text:
        return -1
    if not text.isdecimal() or int(text) > _LAST_VERSION:
        message = f"the version of model {model!r} must be a number, not {text!r}"
        raise InvalidArgumentError(message)
    return int(text)


def load_value(name: str, value: Any) -> Any:
    """What a load is given beside the model's name: its configuration as text, files as bytes."""
    wanted = {"config": str}.get(name, bytes if name.startswith("file:") else None)
    if wanted is None:
        message = f"parameter {name!r} of a load is unknown; there are config and file:<path>"
        raise InvalidArgumentError(message)
    if not isinstance(value, wanted):
        message = f"parameter {name!r} of a load must be a {'string_param' if wanted is str else 'bytes_param'}"
        raise InvalidArgumentError(message)
    return value


def trace_value(name: str, values: list[str]) -> Any:
    """What a trace setting is to be; None: as it was at the start."""
    if name == "trace_level":
        return values or None
    if len(values) > 1:
        message = f"{name} has {len(values)} values; it takes one"
        raise InvalidArgumentError(message)
    return values[0] if values else None


def log_value(name: str, setting: Any) -> Any:
    """What a log setting is to be, out of its one field that is set."""
    kind = setting.WhichOneof("parameter_choice")
    if name in _LOG_KINDS and kind != _LOG_KINDS[name]:
        message = f"{name} must be a {_LOG_KINDS[name]}"
        raise InvalidArgumentError(message)
    if name == "log_format" and setting.string_param not in _LOG_FORMATS:
        message = f"log_format is {setting.string_param!r}; it must be one of {', '.join(_LOG_FORMATS)}"
        raise InvalidArgumentError(message)
    return getattr(setting, kind) if kind else None
