# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The forms that values of `serve`'s flags have; argparse tells the message of an ArgumentTypeError with the flag."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping
from typing import Final

_YES: Final = ("true", "on", "1")
_NO: Final = ("false", "off", "0")
_LAST_PORT: Final = 65535


def flag(text: str) -> bool:
    """A truth as the original reads it."""
    if text.lower() not in _YES + _NO:
        message = f"{text!r} is none of true, on, 1, false, off, 0"
        raise ArgumentTypeError(message)
    return text.lower() in _YES


def count(text: str) -> int:
    """A whole number that is not negative."""
    return _whole(text, least=0)


def whole(text: str) -> int:
    """A whole number; -1 means any number where traces are counted."""
    return _whole(text, least=-1)


def port(text: str) -> int:
    """A TCP port; 0 stands for one that is free."""
    number = _whole(text, least=0)
    if number > _LAST_PORT:
        message = f"{text} is no port: ports are 0 (one that is free) to {_LAST_PORT}"
        raise ArgumentTypeError(message)
    return number


def seconds(text: str) -> float:
    """A time that is not negative."""
    try:
        if (found := float(text)) >= 0:
            return found
    except ValueError:
        pass
    message = f"{text!r} is no number of seconds"
    raise ArgumentTypeError(message)


def named_setting(form: str) -> Callable[[str], tuple[str, str, str]]:
    """Reads `NAME,SETTING=VALUE`, whose name may be left out: ("", SETTING, VALUE)."""

    def read(text: str) -> tuple[str, str, str]:
        place, is_set, value = text.partition("=")
        name, has_name, setting = place.rpartition(",")
        if not is_set or not setting or (has_name and not setting):
            message = f"{text!r} is not of the form {form}"
            raise ArgumentTypeError(message)
        return name, setting, value

    return read


def colon_separated(form: str) -> Callable[[str], tuple[str, ...]]:
    """Reads `A:B`, or with a third part `A:B:C`, as the form says."""
    most = form.count(":") + 1
    least = most - form.count("[")

    def read(text: str) -> tuple[str, ...]:
        parts = tuple(text.split(":"))
        if not least <= len(parts) <= most or not all(parts):
            message = f"{text!r} is not of the form {form}"
            raise ArgumentTypeError(message)
        return parts

    return read


def by_name(settings: Iterable[tuple[str, str, str]]) -> Mapping[str, Mapping[str, str]]:
    """Settings by whose they are; of two for one the later holds."""
    found: dict[str, dict[str, str]] = {}
    for name, setting, value in settings:
        found.setdefault(name, {})[setting] = value
    return found


def _whole(text: str, *, least: int) -> int:
    try:
        if (number := int(text)) >= least:
            return number
    except ValueError:
        pass
    message = f"{text!r} is no whole number of {least} or more"
    raise ArgumentTypeError(message)
