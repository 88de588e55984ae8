# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the magics share: the server that they mean, the values that a line names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from IPython.core.getipython import get_ipython

from workbench.server import Model, Server, current

_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_QUOTES: Final = "'\""
_ASSIGNMENT: Final = re.compile(r"[^-=\s][^=\s]*=")


def server_named(name: str) -> Server:
    """The running server that `--server` names."""
    return current(name)


def model_named(model: str, server: str) -> Model:
    """A model that is ready, by name or `name:version`."""
    name, _, version = model.partition(":")
    return current(server).model(name, version=int(version) if version.isdigit() else -1)


def user_variables() -> dict[str, Any]:
    """The variables of the notebook."""
    shell = get_ipython()
    return {} if shell is None else dict(shell.user_ns)


def head_and_inputs(line: str, namespace: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """A magic's line in two: the words that are no `NAME=value`, and the values of those that are.

    A value is a variable of `namespace`, JSON, a Python expression, or else plain text; spaces inside its brackets and
    quotes belong to it.
    """
    words = list(_split(line))
    inputs = [word for word in words if _ASSIGNMENT.match(word)]
    head = " ".join(word for word in words if not _ASSIGNMENT.match(word))
    return head, {name: _value(value, namespace) for name, _, value in (word.partition("=") for word in inputs)}


def _value(text: str, namespace: Mapping[str, Any]) -> Any:
    if text in namespace:
        return namespace[text]
    try:
        return json.loads(text)
    except ValueError:
        return _evaluated(text, namespace)


def _evaluated(text: str, namespace: Mapping[str, Any]) -> Any:
    try:
        return eval(text, {"__builtins__": __builtins__}, dict(namespace))  # noqa: S307 - the user's own cell
    except (NameError, SyntaxError):
        # A word that is neither a variable nor an expression is a text, as on a shell's line.
        return text


def _split(words: str) -> Iterator[str]:
    """Words of a line, not split inside brackets and quotes."""
    word, depth, quote = "", 0, ""
    for letter in words:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in _QUOTES:
            quote = letter
        else:
            depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter.isspace() and not quote and depth <= 0:
            yield from (word,) * bool(word)
            word = ""
        else:
            word += letter
    yield from (word,) * bool(word)


def cell_id() -> str:
    """The id of the notebook's cell that runs now, where the front end tells it; "" elsewhere."""
    kernel = getattr(get_ipython(), "kernel", None)
    parent = kernel.get_parent("shell") if kernel is not None else {}
    return str((parent.get("metadata") or {}).get("cellId") or "")
