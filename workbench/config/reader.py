# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Follows text_format's tokens beside the descriptor of the configuration: where each field and value stands.

The reader judges nothing: text_format does. It only remembers places, and for each token what the grammar expected.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from google.protobuf import text_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

Role = Literal["name", "colon", "open", "value", "separator"]
_CLOSING: Final = {"{": "}", "<": ">"}
_QUOTES: Final = ("'", '"')


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its place: line and column count from 1, the offset from 0. An empty text is the end."""

    text: str
    line: int
    column: int
    offset: int

    @property
    def end(self) -> int:
        """The offset behind the token."""
        return self.offset + len(self.text)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the grammar expected of a token.

    `message` is the type of the enclosing message, `field` the field under way, `opened` the brackets not yet closed,
    `previous` the token before, `earlier` the name of a field before that excludes this one,
    `rest` the line of text from the token on.
    """

    role: Role
    token: Token
    message: Descriptor
    field: FieldDescriptor | None
    opened: tuple[Token, ...]
    previous: Token
    earlier: Token | None
    rest: str


@dataclass(frozen=True, slots=True)
class Value:
    """One value, a scalar or a message with its fields; `end` is the offset behind it, `key` that of a map's entry."""

    token: Token
    end: int
    fields: tuple[Field, ...] = ()
    key: int | str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """One occurrence of a field: `name: value`, `name { … }` or `name: [ … ]`.

    `value_token` begins the value or the list, `value_end` is behind it, `end` behind the separator if there is one.
    """

    descriptor: FieldDescriptor
    name: Token
    value_token: Token
    value_end: int
    end: int
    values: tuple[Value, ...]
    is_list: bool


class LostError(Exception):
    """The text is not legal here; the reader's trail says what was expected."""


def is_map(field: FieldDescriptor) -> bool:
    """True for map fields, whose elements are `{ key: … value: … }`."""
    return bool(field.message_type and field.message_type.GetOptions().map_entry)


def parse_message(text: str, message: Message) -> None:
    """Reads `text` into `message`; raises text_format.ParseError."""
    with warnings.catch_warnings():
        # Of unknown escapes the interpreter warns at this depth; `portable` tells them with their place.
        warnings.simplefilter("ignore")
        text_format.Parse(text, message)


def fields_of(message: Message) -> Sequence[FieldDescriptor]:
    """The fields that a message may have, in the order of their definition."""
    descriptor: Descriptor = message.DESCRIPTOR  # type: ignore[assignment]
    return descriptor.fields


def message_type(field: FieldDescriptor) -> Descriptor:
    """The type of a field that holds messages."""
    assert field.message_type is not None, field.full_name
    return field.message_type


class Reader:
    """One pass over a text; `trail` collects the expectations."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._starts = _starts(self._lines)
        self._tokenizer = text_format.Tokenizer(self._lines)
        self._token = self._current()
        self._opened: tuple[Token, ...] = ()
        self._previous = Token("", 1, 1, 0)
        self.trail: list[Expectation] = []

    def fields(self, message: Descriptor, closing: str = "") -> tuple[Field, ...]:
        """The fields up to the `closing` token, which is left standing; raises LostError."""
        found: list[Field] = []
        names: dict[str, Token] = {}
        while (token := self._token).text != closing:
            descriptor = message.fields_by_name.get(token.text)
            earlier = names.get(_exclusion(descriptor) or "") if descriptor else None
            self._expect("name", message, descriptor, earlier)
            if descriptor is None:
                raise LostError
            if exclusion := _exclusion(descriptor):
                names.setdefault(exclusion, token)
            found.append(self._field(message, descriptor, earlier))
        return tuple(found)

    def _field(self, message: Descriptor, descriptor: FieldDescriptor, earlier: Token | None) -> Field:
        name = self._next()
        self._colon(message, descriptor)
        start, is_list = self._token, descriptor.is_repeated and self._token.text == "["
        values = self._list(message, descriptor) if is_list else (self._value(message, descriptor, earlier),)
        value_end = self._previous.end
        if self._token.text in (",", ";"):
            self._next()
        return Field(descriptor, name, start, value_end, self._previous.end, values, is_list)

    def _colon(self, message: Descriptor, descriptor: FieldDescriptor) -> None:
        self._expect("colon", message, descriptor)
        if self._token.text == ":":
            self._next()
        elif not descriptor.message_type:
            raise LostError

    def _list(self, message: Descriptor, descriptor: FieldDescriptor) -> tuple[Value, ...]:
        self._open()
        values: list[Value] = []
        while self._token.text != "]" or values:
            values.append(self._value(message, descriptor, None))
            self._expect("separator", message, descriptor)
            if self._token.text == "]":
                break
            if self._token.text != ",":
                raise LostError
            self._next()
        self._close()
        return tuple(values)

    def _value(self, message: Descriptor, descriptor: FieldDescriptor, earlier: Token | None) -> Value:
        if descriptor.message_type:
            return self._message(message, descriptor, earlier)
        self._expect("value", message, descriptor, earlier)
        first = self._next()
        if not first.text or first.text in "[]{}<>,;:":
            raise LostError
        while first.text[0] in _QUOTES and self._token.text[:1] in _QUOTES and self._token.text:
            self._next()
        return Value(first, self._previous.end)

    def _message(self, message: Descriptor, descriptor: FieldDescriptor, earlier: Token | None) -> Value:
        self._expect("open", message, descriptor, earlier)
        start = self._token
        if start.text not in _CLOSING:
            raise LostError
        self._open()
        fields = self.fields(message_type(descriptor), _CLOSING[start.text])
        self._close()
        return Value(start, self._previous.end, fields, self._key(descriptor, fields))

    def _key(self, descriptor: FieldDescriptor, fields: tuple[Field, ...]) -> int | str | None:
        if not is_map(descriptor):
            return None
        entry = GetMessageClass(message_type(descriptor))()
        for field in fields:
            if field.descriptor.name == "key":
                with contextlib.suppress(text_format.ParseError):
                    parse_message(self._text[field.name.offset : field.value_end], entry)
        key: int | str = entry.key  # type: ignore[attr-defined]
        return key

    def _open(self) -> None:
        self._opened += (self._next(),)

    def _close(self) -> None:
        self._opened = self._opened[:-1]
        self._next()

    def _expect(
        self, role: Role, message: Descriptor, field: FieldDescriptor | None, earlier: Token | None = None
    ) -> None:
        token = self._token
        rest = self._lines[token.line - 1][token.column - 1 :]
        self.trail.append(Expectation(role, token, message, field, self._opened, self._previous, earlier, rest))

    def _current(self) -> Token:
        # ParseError is the tokenizer's public way to tell the place of the token that it looks at.
        place = self._tokenizer.ParseError("")  # type: ignore[arg-type]
        line, column = place.GetLine() or 1, place.GetColumn() or 1
        return Token(self._tokenizer.token, line, column, self._starts[line - 1] + column - 1)

    def _next(self) -> Token:
        self._previous = self._token
        self._tokenizer.NextToken()
        self._token = self._current()
        return self._previous


def _starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _exclusion(descriptor: FieldDescriptor) -> str | None:
    """What a field excludes another one by: a oneof's name, its own name; None where it may stand beside any."""
    if descriptor.containing_oneof:
        return descriptor.containing_oneof.name
    return None if descriptor.is_repeated else descriptor.name
