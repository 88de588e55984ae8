# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the core and its backends log: which levels, in which form, to which file. One log for the process."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from workbench.errors import InvalidArgumentError
from workbench.repository import refusal_of

LogFormat = Literal["default", "ISO8601"]


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Settings of the process's log, named as in the protocol.

    Attributes:
        log_file: a file that lines are added to, beside Python's logging; "" for none. A relative one is taken from
            the current folder when it is set, and told as an absolute one.
        log_info, log_warning, log_error: whether messages of that level are kept.
        log_verbose_level: 0 keeps nothing verbose.
        log_format: of the file's lines.
    """

    log_file: str = ""
    log_info: bool = True
    log_warning: bool = True
    log_error: bool = True
    log_verbose_level: int = 0
    log_format: LogFormat = "default"

    def __post_init__(self) -> None:
        if self.log_format not in get_args(LogFormat):
            message = f"log_format is one of {', '.join(get_args(LogFormat))}; got {self.log_format!r}"
            raise InvalidArgumentError(message)
        if self.log_verbose_level < 0:
            message = f"log_verbose_level is 0 or more; got {self.log_verbose_level}"
            raise InvalidArgumentError(message)


def log_settings(**changes: Any) -> LogSettings:
    """The settings of the process's log, after `changes` to them, each named as an attribute of LogSettings.

    Raises:
        InvalidArgumentError: there is no such setting, or it has no such value.
        InternalError: the file can not be written.
    """
    from workbench import _native

    settings = LogSettings(**_native.log_settings())
    if not changes:
        return settings
    try:
        settings = replace(settings, **changes)
    except TypeError as exc:
        message = f"the log has the settings {', '.join(asdict(settings))}; got {', '.join(changes)}"
        raise InvalidArgumentError(message) from exc
    try:
        _native.set_log_settings(**asdict(settings))
    except _native.StatusError as exc:
        raise refusal_of(exc) from exc
    return LogSettings(**_native.log_settings())
