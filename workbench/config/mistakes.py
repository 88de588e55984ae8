# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The usual mistakes in a configuration text, told in the user's words.

text_format has refused the text at some token; the reader knows what was expected there. Each function below knows one
kind of mistake and answers with advice, or None when it is another. The first answer wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from workbench.config.reader import Expectation, Token
from workbench.config.vocabulary import homes_of, meant_field, near_fields, near_values, spoken, value_names

_PLACEHOLDER: Final = re.compile(r"\$\{[^}\n]*\}?|\$\w+|\{\{[^}\n]*\}?\}?|\{%[^%\n]*%?\}?|<%[^%\n]*%?>?")
_INTEGER_BITS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_WITH_UNIT: Final = re.compile(r"(\d+(?:\.\d+)?)(us|ms|s)$")
_MICROSECONDS: Final = {"us": 1, "ms": 1_000, "s": 1_000_000}


@dataclass(frozen=True, slots=True)
class Advice:
    """What is wrong and what to write instead; `at` is the token to point at where it is not the refused one."""

    message: str
    suggestion: str = ""
    at: Token | None = None


def advise(expected: Expectation) -> Advice | None:
    """Advice on the token that was refused; None when the mistake is not a usual one."""
    for mistake in _MISTAKES:
        if advice := mistake(expected):
            return advice
    return None


def _placeholder(expected: Expectation) -> Advice | None:
    match = _PLACEHOLDER.match(expected.rest)
    if not match:
        return None
    example = f", such as {expected.field.name}: {_example(expected.field)}" if expected.field else ""
    return Advice(
        f"{match[0]} is a placeholder of a template that nobody filled in",
        f"replace the placeholder by a value{example}",
    )


def _byte_order_mark(expected: Expectation) -> Advice | None:
    if expected.token.text != "\ufeff":
        return None
    return Advice("the text begins with a byte-order mark", "save the file as UTF-8 without a byte-order mark")


def _foreign_comment(expected: Expectation) -> Advice | None:
    if not expected.rest.startswith(("//", "/*", "--")):
        return None
    return Advice("comments begin with '#' here", "write '#' instead")


def _json(expected: Expectation) -> Advice | None:
    if expected.token.text != "{" or expected.role != "name" or expected.opened:
        return None
    return Advice("the text begins with '{' as JSON does", 'write its fields without braces and quotes: name: "…"')


def _curly_quote(expected: Expectation) -> Advice | None:
    if expected.token.text not in ("“", "”", "‘", "’", "„", "«", "»"):
        return None
    return Advice(f"{expected.token.text} is a typographic quote", 'use straight quotes: "…"')


def _never_closed(expected: Expectation) -> Advice | None:
    if expected.token.text or not expected.opened:
        return None
    opened = expected.opened[-1]
    closing = {"{": "}", "<": ">", "[": "]"}[opened.text]
    return Advice(f"{opened.text!r} is never closed", f"put {closing!r} where it ends", at=opened)


def _text_ends_early(expected: Expectation) -> Advice | None:
    if expected.token.text or expected.field is None:
        return None
    return Advice(f"the text ends before the value of {expected.field.name}", _written_as(expected.field))


def _closed_twice(expected: Expectation) -> Advice | None:
    if expected.role != "name" or expected.token.text not in ("}", "]", ">"):
        return None
    if expected.previous.text == ",":
        return _trailing_comma(expected)
    if expected.opened:
        opened = expected.opened[-1]
        return Advice(f"{expected.token.text!r} does not close the {opened.text!r} of line {opened.line}")
    return Advice(f"there is no open bracket for {expected.token.text!r}", f"remove the {expected.token.text!r}")


def _trailing_comma(expected: Expectation) -> Advice:
    return Advice(
        f"there is a comma before {expected.token.text!r} and nothing behind it",
        f"remove the comma before {expected.token.text!r}",
    )


def _comma_then_end(expected: Expectation) -> Advice | None:
    if expected.role in ("value", "open") and expected.previous.text == "," and expected.token.text in ("]", "}"):
        return _trailing_comma(expected)
    return None


def _missing_comma(expected: Expectation) -> Advice | None:
    if expected.role != "separator" or expected.field is None:
        return None
    if expected.token.text in (";", ":", "}", ">", "="):
        return Advice(f"the list of {expected.field.name} goes on with ',' or ends with ']', not {_shown(expected)}")
    return Advice(
        f"two elements of {expected.field.name} stand side by side",
        f"put a comma between the elements of {expected.field.name}: [ …, … ]",
    )


def _unknown_field(expected: Expectation) -> Advice | None:
    if expected.role != "name" or expected.field is not None:
        return None
    if not expected.token.text[:1].isalpha():
        return Advice(f"the name of a field is expected here, not {_shown(expected)}")
    return Advice(f"{_message_name(expected)} has no field {expected.token.text}", _better_field(expected))


def _better_field(expected: Expectation) -> str:
    name = expected.token.text
    homes = homes_of(name, expected.message)
    if meant := meant_field(name, expected.message):
        return meant
    if "" in homes:
        return f"{name} belongs outside all braces: is a closing brace missing before it?"
    if homes:
        return f"write it inside {homes[0]} {{ … }}"
    near = near_fields(name, expected.message)
    return spoken(near) if near else f"it has {', '.join(expected.message.fields_by_name)}"


def _set_twice(expected: Expectation) -> Advice | None:
    if expected.earlier is None or expected.field is None:
        return None
    name, earlier = expected.field.name, expected.earlier
    if earlier.text == name:
        return Advice(f"{name} is set twice; line {earlier.line} has it already", f"keep one {name}")
    return Advice(
        f"{name} and {earlier.text} (line {earlier.line}) exclude each other", f"keep either {earlier.text} or {name}"
    )


def _no_colon(expected: Expectation) -> Advice | None:
    if expected.role != "colon" or expected.field is None:
        return None
    return Advice(f"a ':' is missing behind {expected.field.name}", _written_as(expected.field))


def _list_of_one(expected: Expectation) -> Advice | None:
    if expected.role not in ("value", "open") or expected.field is None or expected.token.text != "[":
        return None
    if expected.field.is_repeated:
        return Advice(f"{expected.field.name} is a list already; its elements are not lists", "remove the inner '['")
    return Advice(f"{expected.field.name} takes one value and no list", "remove the brackets")


def _no_braces(expected: Expectation) -> Advice | None:
    if expected.role != "open" or expected.field is None:
        return None
    return Advice(f"{expected.field.name} holds fields, not {_shown(expected)}", _written_as(expected.field))


def _wrong_enum(expected: Expectation) -> Advice | None:
    field, token = expected.field, expected.token.text
    if expected.role != "value" or field is None or not field.enum_type:
        return None
    near = near_values(token, field.enum_type)
    suggestion = spoken(near) if near else f"the values are {value_names(field.enum_type)}"
    if token[:1] in ("'", '"'):
        return Advice(f"values of {field.name} are written without quotes", suggestion)
    return Advice(f"{token} is not a value of {field.name}", suggestion)


def _wrong_integer(expected: Expectation) -> Advice | None:
    field, token = expected.field, expected.token.text
    if expected.role != "value" or field is None or field.cpp_type not in _INTEGER_BITS:
        return None
    return Advice(f"{field.name} takes a whole number, not {_shown(expected)}", _better_integer(field, token))


def _better_integer(field: FieldDescriptor, token: str) -> str:
    bare = token.strip("'\"")
    least, most = _INTEGER_BITS[field.cpp_type]
    if bare != token and bare.isdigit():
        return f"write {field.name}: {bare}"
    if (match := _WITH_UNIT.match(bare)) and field.name.endswith("microseconds"):
        return f"write {field.name}: {round(float(match[1]) * _MICROSECONDS[match[2]])}"
    return f"it goes from {least} to {most}"


def _wrong_bool(expected: Expectation) -> Advice | None:
    if expected.role != "value" or expected.field is None:
        return None
    if expected.field.cpp_type != FieldDescriptor.CPPTYPE_BOOL:
        return None
    word = expected.token.text.strip("'\"").lower()
    better = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}
    return Advice(f"{expected.field.name} is not {_shown(expected)}", better.get(word, "true or false"))


def _wrong_string(expected: Expectation) -> Advice | None:
    field, token = expected.field, expected.token.text
    if expected.role != "value" or field is None or field.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        return None
    if len(token) > 1 and token[0] in ("'", '"') and token[-1] == token[0]:
        return Advice(f"the string {token} is not text in UTF-8", "escape bytes as UTF-8 text does, or leave them out")
    if token[:1] in ("'", '"'):
        return Advice(f"the string {token} is never closed", f"put a {token[0]} at its end, on the same line")
    return Advice(f"{field.name} takes a string, not {_shown(expected)}", f'write {field.name}: "{token}"')


_MISTAKES: Final[tuple[Callable[[Expectation], Advice | None], ...]] = (
    _placeholder,
    _byte_order_mark,
    _foreign_comment,
    _json,
    _curly_quote,
    _never_closed,
    _text_ends_early,
    _closed_twice,
    _comma_then_end,
    _missing_comma,
    _unknown_field,
    _set_twice,
    _no_colon,
    _list_of_one,
    _no_braces,
    _wrong_enum,
    _wrong_integer,
    _wrong_bool,
    _wrong_string,
)


def _shown(expected: Expectation) -> str:
    return repr(expected.token.text) if expected.token.text else "the end of the text"


def _message_name(expected: Expectation) -> str:
    if not expected.opened:
        return "a model configuration"
    return expected.message.name


def _example(field: FieldDescriptor) -> str:
    if field.enum_type:
        return field.enum_type.values[-1].name
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return '"…"'
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return "true"
    return "{ … }" if field.message_type else "8"


def _written_as(field: FieldDescriptor) -> str:
    if field.message_type and field.message_type.name == "ModelParameter":
        return 'write value { string_value: "…" }'
    separator = " " if field.message_type else ": "
    return f"write {field.name}{separator}{_example(field)}"
