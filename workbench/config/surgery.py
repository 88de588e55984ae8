# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Small cuts in a configuration's text: what is added looks like its neighbours, what goes takes its line along."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.config.reader import Field, Value


def replaced(text: str, start: int, end: int, new: str) -> str:
    """`text` with the characters from `start` to `end` replaced."""
    return text[:start] + new + text[end:]


def indent_at(text: str, offset: int) -> str:
    """The white space that begins the line of `offset`."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def with_field_after(text: str, anchor: Field, lines: Sequence[str]) -> str:
    """A field put behind `anchor`: on lines of its own where the anchor has them, else on its line."""
    if not (begins_line(text, anchor.name.offset) and _ends_line(text, anchor.end)):
        return replaced(text, anchor.end, anchor.end, " " + one_line(lines))
    end = _line_end(text, anchor.end)
    indent = indent_at(text, anchor.name.offset)
    return replaced(text, end, end, "".join(f"\n{indent}{line}" for line in lines))


def with_field_before(text: str, anchor: Field, lines: Sequence[str]) -> str:
    """A field put before `anchor`, in the same manner."""
    offset = anchor.name.offset
    if not begins_line(text, offset):
        return replaced(text, offset, offset, one_line(lines) + " ")
    indent = indent_at(text, offset)
    return replaced(text, offset, offset, "".join(f"{line}\n{indent}" for line in lines))


def with_first_field(text: str, message: Value, lines: Sequence[str]) -> str:
    """A field put into a message that has none; the whole text is the message without a brace."""
    if message.token.text:
        inside = message.token.end
        return replaced(text, inside, inside, f" {one_line(lines)}{'' if text[inside].isspace() else ' '}")
    gap = "\n" if text and not text.endswith("\n") else ""
    return text + gap + "".join(f"{line}\n" for line in lines)


def with_element(text: str, field: Field, lines: Sequence[str]) -> str:
    """An element put at the end of a list in brackets."""
    if not field.values:
        inside = field.value_token.end
        return replaced(text, inside, inside, f" {one_line(lines)} ")
    last = field.values[-1]
    if not (begins_line(text, last.token.offset) and _ends_line(text, last.end)):
        return replaced(text, last.end, last.end, f", {one_line(lines)}")
    end, indent = _line_end(text, last.end), indent_at(text, last.token.offset)
    text = replaced(text, end, end, "".join(f"\n{indent}{line}" for line in lines))
    return replaced(text, last.end, last.end, ",")


def without_field(text: str, field: Field) -> str:
    """The text without one occurrence of a field, and without its line when nothing else stands there."""
    start, end = field.name.offset, field.end
    if begins_line(text, start) and _ends_line(text, end):
        return replaced(text, text.rfind("\n", 0, start) + 1, _line_end(text, end) + 1, "")
    while end < len(text) and text[end] in " \t":
        end += 1
    return replaced(text, start, end, "")


def without_element(text: str, field: Field, value: Value) -> str:
    """The text without one element of a list, and without a comma."""
    values = list(field.values)
    index = values.index(value)
    if index + 1 < len(values):
        return replaced(text, value.token.offset, values[index + 1].token.offset, "")
    return replaced(text, values[index - 1].end if index else value.token.offset, value.end, "")


def one_line(lines: Sequence[str]) -> str:
    """Lines that hold no comment, as one."""
    return " ".join(line.strip() for line in lines)


def begins_line(text: str, offset: int) -> bool:
    """True when only white space stands before `offset` on its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def _ends_line(text: str, offset: int) -> bool:
    """True when only white space or a comment stands behind `offset` on its line."""
    rest = text[offset : _line_end(text, offset)].strip()
    return not rest or rest.startswith("#")


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
