# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The liberties that the real server's reader of JSON takes: names without quotes, single quotes, a last comma."""

from __future__ import annotations

import json
import re
from typing import Final

_TOKEN: Final = re.compile(
    r"""
    (?P<text>"(?:[^"\\]|\\.)*")
  | '(?P<single>(?:[^'\\]|\\.)*)'
  | (?P<name>[A-Za-z_$][\w$]*)(?=\s*:)
  | (?P<comma>,)(?=\s*[}\]])
    """,
    re.VERBOSE | re.ASCII,
)
_VALUES: Final = frozenset({"true", "false", "null"})
_ESCAPED_OR_QUOTE: Final = re.compile(r"\\.|\"", re.DOTALL)


def to_strict(text: str) -> str:
    """The same in strict JSON; a text that is not even that comes out as wrong as it went in."""
    return _TOKEN.sub(_strict_token, text)


def _strict_token(token: re.Match[str]) -> str:
    if (single := token["single"]) is not None:
        return f'"{_ESCAPED_OR_QUOTE.sub(_in_double_quotes, single)}"'
    if (name := token["name"]) is not None and name not in _VALUES:
        return json.dumps(name)
    return "" if token["comma"] else token[0]


def _in_double_quotes(part: re.Match[str]) -> str:
    return {"\\'": "'", '"': '\\"'}.get(part[0], part[0])
