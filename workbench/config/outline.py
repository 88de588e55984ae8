# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The outline of a configuration text: from a field path to its place, and from a place to what was expected there."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.config.message import ModelConfig
from workbench.config.paths import Step, parse_path
from workbench.config.reader import Expectation, Field, LostError, Reader, Token, Value, is_map


@dataclass(frozen=True, slots=True)
class Hit:
    """What a path led to: the occurrences of its field, and of their values those that it names."""

    fields: tuple[Field, ...]
    values: tuple[Value, ...]
    is_element: bool

    @property
    def token(self) -> Token:
        """The token to point at: the value, or the name where a message has one of its own."""
        field = self.fields[0]
        is_message = field.descriptor.message_type is not None
        if self.is_element and (field.is_list or not is_message):
            return self.values[0].token
        return field.name if is_message else field.value_token


class Outline:
    """The tree of a text; of one that is not legal, the expectations up to the first error."""

    def __init__(self, text: str) -> None:
        self.text = text
        reader = Reader(text)
        fields: tuple[Field, ...] = ()
        self._is_lost = False
        try:
            fields = reader.fields(ModelConfig.DESCRIPTOR)
        except LostError:
            self._is_lost = True
        self.root = Value(Token("", 1, 1, 0), len(text), fields)
        self._trail = reader.trail

    def find(self, path: str) -> Hit | None:
        """What `path` leads to; None when the text does not have it."""
        return find(self.root, parse_path(path))

    def locate(self, path: str) -> Token | None:
        """The token to point at for `path`, or for the nearest enclosing field that the text has."""
        steps = parse_path(path)
        for length in range(len(steps), 0, -1):
            if hit := find(self.root, steps[:length]):
                return hit.token
        return None

    @property
    def last_expectation(self) -> Expectation | None:
        """What was expected where the reader was lost; None when it was not."""
        return self._trail[-1] if self._trail and self._is_lost else None

    def expectation_at(self, line: int, column: int) -> Expectation | None:
        """What was expected of the token at this place; at any other place, of the last token that was looked at."""
        for expectation in reversed(self._trail):
            if (expectation.token.line, expectation.token.column) == (line, column):
                return expectation
        return self._trail[-1] if self._trail else None


def find(root: Value, steps: tuple[Step, ...]) -> Hit | None:
    """What `steps` lead to inside the message `root`; None when the text does not have it."""
    scope, hit = root, None
    for step in steps:
        hit = _find_step(scope, step)
        if hit is None:
            return None
        scope = _scope(hit, step)
    return hit


def scope_of(root: Value, steps: tuple[Step, ...]) -> Value:
    """The message at `steps` (for a map's entry, its value); `root` itself for no steps, or where there is none."""
    hit = find(root, steps) if steps else None
    return _scope(hit, steps[-1]) if hit else root


def _find_step(scope: Value, step: Step) -> Hit | None:
    fields = tuple(field for field in scope.fields if field.descriptor.name == step.name)
    if not fields:
        return None
    owners = [(field, value) for field in fields for value in field.values]
    if step.key is None:
        return Hit(fields, tuple(value for _, value in owners), is_element=False)
    chosen = [owner for index, owner in enumerate(owners) if _bears(*owner, index, step.key)]
    # Of two entries with one key the last counts.
    return Hit((chosen[-1][0],), (chosen[-1][1],), is_element=True) if chosen else None


def _bears(field: Field, value: Value, index: int, key: int | str) -> bool:
    return (value.key if is_map(field.descriptor) else index) == key


def _scope(hit: Hit, step: Step) -> Value:
    if not hit.values:
        return Value(hit.fields[-1].value_token, hit.fields[-1].value_end)
    value = hit.values[-1]
    if step.key is None or not is_map(hit.fields[-1].descriptor):
        return value
    inner = [field for field in value.fields if field.descriptor.name == "value"]
    return inner[-1].values[-1] if inner else Value(value.token, value.end)
