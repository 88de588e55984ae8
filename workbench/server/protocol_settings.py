# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Trace and log settings as the protocol's clients read and write them: JSON, with texts for numbers of traces."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, get_args

from workbench.errors import InternalError, InvalidArgumentError, UnavailableError, UnsupportedError
from workbench.repository import ModelRepository
from workbench.server.log_settings import LogFormat, log_settings
from workbench.server.trace import TraceBook
from workbench.server.trace_settings import TraceSettings

Settings = Callable[[str, str, str | None], dict[str, Any]]
"""A topic ("trace" or "log"), a model or "", changes as JSON or None give what is set then, or raise WorkbenchError."""

_TRACE_TYPES: Final[Mapping[str, type]] = {
    "trace_level": list, "trace_rate": str, "trace_count": str, "trace_file": str, "log_frequency": str,
}  # fmt: skip
_LOG_TYPES: Final[Mapping[str, type]] = {
    "log_file": str, "log_info": bool, "log_warning": bool, "log_error": bool, "log_verbose_level": int,
    "log_format": str,
}  # fmt: skip
_WORDS: Final = {list: "a list", str: "a text", bool: "true or false", int: "a whole number"}
_FIXED: Final[Mapping[str, str]] = {"trace_mode": "triton"}
"""Settings of the original that have one value here."""


def settings_service(traces: TraceBook, models: ModelRepository) -> Settings:
    """What answers for one server."""

    def tell(topic: str, model: str, body: str | None) -> dict[str, Any]:
        if topic == "log":
            return _log({} if body is None else _changes(body))
        return _trace(traces, models, model, body)

    return tell


def _changes(body: str) -> dict[str, Any]:
    """What is to change; as with the original, a body that is no object changes nothing."""
    try:
        changes = json.loads(body) if body else {}
    except ValueError as exc:
        message = f"the body is no JSON: {exc}"
        raise InternalError(message) from exc
    return changes if isinstance(changes, dict) else {}


def _log(changes: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: value for name, value in changes.items() if name in _LOG_TYPES}
    for name, value in known.items():
        _check(name, value, _LOG_TYPES[name])
    if "log_file" in known:
        message = "log_file can not be changed over the network; server.log_settings(log_file=...) changes it"
        raise UnsupportedError(message)
    if known.get("log_verbose_level", 0) < 0:
        message = f"log_verbose_level is {known['log_verbose_level']}; it must be 0 or more"
        raise InternalError(message)
    if (told := known.get("log_format", "default")) not in get_args(LogFormat):
        message = f"log_format is {told!r}; it must be one of {', '.join(get_args(LogFormat))}"
        raise UnavailableError(message)
    return asdict(log_settings(**known))


def _trace(traces: TraceBook, models: ModelRepository, model: str, body: str | None) -> dict[str, Any]:
    if model and model not in models.names():
        message = f"there is no model {model!r} on this server"
        raise InvalidArgumentError(message)
    changes = {} if body is None else _changes(body)
    known = {name: value for name, value in changes.items() if name in _TRACE_TYPES}
    # What is null is again as that of all models, or as it was at the start.
    outer = traces.settings() if model else TraceSettings()
    told = {name: _value(name, value, outer) for name, value in known.items()}
    return _told(traces.update(model, told) if told else traces.settings(model))


def _value(name: str, value: Any, outer: TraceSettings) -> Any:
    if name == "trace_file":
        message = "trace_file can not be changed over the network; server.trace(trace_file=...) changes it"
        raise UnsupportedError(message)
    if value is None:
        return getattr(outer, name)
    _check(name, value, _TRACE_TYPES[name])
    if name == "trace_level":
        return tuple(value)
    try:
        return int(value)
    except ValueError as exc:
        message = f"{name} is {value!r}; it must be a whole number"
        raise InvalidArgumentError(message) from exc


def _check(name: str, value: Any, wanted: type) -> None:
    if type(value) is not wanted:
        message = f"{name} is {value!r}; it must be {_WORDS[wanted]}"
        raise InternalError(message)


def _told(settings: TraceSettings) -> dict[str, Any]:
    return {
        "trace_file": settings.trace_file,
        "trace_level": list(settings.trace_level),
        "trace_rate": str(settings.trace_rate),
        "trace_count": str(settings.trace_count),
        "log_frequency": str(settings.log_frequency),
        **_FIXED,
    }
