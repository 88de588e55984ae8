# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Reading `config.pbtxt`: every refusal points at its place and offers what would be right."""

import pytest

from workbench.config import parse_config
from workbench.errors import ConfigError

MISTAKES = {
    "byte-order mark": ('\ufeffname: "m"', (1, 1), "without a byte-order mark"),
    "brace never closed": ("dynamic_batching {\n  preserve_ordering: true\n", (1, 18), "put '}' where it ends"),
    "list never closed": ('input [ { name: "a" }', (1, 7), "put ']' where it ends"),
    "string never closed": ('name: "m\n', (1, 7), "on the same line"),
    "closed twice": ('input { name: "a" } }', (1, 21), "remove the '}'"),
    "comment of another language": ('name: "m" // a model', (1, 11), "'#'"),
    "typographic quotes": ("name: “m”", (1, 7), "straight quotes"),
    "no quotes": ("name: m", (1, 7), 'name: "m"'),
    "equals sign": ('name = "m"', (1, 6), 'name: "…"'),
    "quoted number": ('max_batch_size: "8"', (1, 17), "max_batch_size: 8"),
    "milliseconds": (
        "dynamic_batching { max_queue_delay_microseconds: 5ms }",
        (1, 50),
        "max_queue_delay_microseconds: 5000",
    ),
    "number too large": (
        "dynamic_batching { max_queue_delay_microseconds: 18446744073709551616 }",
        (1, 50),
        "18446744073709551615",
    ),
    "digits grouped": ("max_batch_size: 1_000", (1, 17), "write 1000"),
    "binary number": ("max_batch_size: 0b11", (1, 17), "write 3"),
    "sign before a number": ("max_batch_size: +4", (1, 17), "write 4"),
    "unknown escape": (r'default_model_filename: "a\q"', (1, 25), r"\\q"),
    "yes for true": ("response_cache { enable: yes }", (1, 26), "true"),
    "list for one value": ('name: [ "m" ]', (1, 7), "remove the brackets"),
    "list in a list": ("input { dims: [ [ 1 ] ] }", (1, 17), "remove the inner"),
    "true for a message": ("dynamic_batching: true", (1, 19), "dynamic_batching { … }"),
    "parameter without string_value": ('parameters { key: "a" value: "x" }', (1, 30), 'string_value: "…"'),
    "JSON": ('{ "name": "m" }', (1, 1), "without braces"),
    "plural": ("inputs { }", (1, 1), "input"),
    "word of another system": ("input { dtype: TYPE_FP32 }", (1, 9), "data_type"),
    "field of a message at the top": ("preferred_batch_size: [ 4 ]", (1, 1), "inside dynamic_batching"),
    "field of an inner message": ("sequence_batching { max_queue_delay_microseconds: 3 }", (1, 21), "inside direct"),
    "field of the top in a message": ('input { name: "a"\noutput { name: "b" }', (2, 1), "closing brace missing"),
    "second of a repeated field": ("input { dims: 1 dims: x }", (1, 23), "it goes from"),
    "list after another list": ('input { name: "a" }\noutput: 4', (2, 9), "output { … }"),
    "kind without prefix": ("instance_group { kind: CPU }", (1, 24), "KIND_CPU"),
    "type of another system": ("input { data_type: float32 }", (1, 20), "TYPE_FP32"),
    "other braces": ("response_cache ( )", (1, 16), "response_cache { … }"),
    "placeholder of another template": ("max_batch_size: {{ size }}", (1, 17), "placeholder"),
    "bytes that are not UTF-8": (r'name: "\xff"', (1, 13), "UTF-8"),
}


@pytest.mark.parametrize(("text", "place", "offer"), MISTAKES.values(), ids=MISTAKES.keys())
def test_usual_mistake_is_told_with_its_place_and_the_way_out(text: str, place: tuple[int, int], offer: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    assert (caught.value.line, caught.value.column) == place
    assert offer in caught.value.suggestion
    assert caught.value.stage == "read"


def test_lines_are_counted_from_the_first_line_of_the_source() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config('\nname: "m"\nmax_batch_size: x', source="cell 7", first_line=3)
    assert str(caught.value).startswith("cell 7:5:17: ")
    assert caught.value.excerpt == "max_batch_size: x"


def test_broken_rule_is_told_with_the_place_of_its_value() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config("max_batch_size: 4\ndynamic_batching {\n  preferred_batch_size: [ 2, 8 ]\n}", first_line=2)
    assert (caught.value.line, caught.value.column) == (4, 30)
    assert caught.value.path == "dynamic_batching.preferred_batch_size[1]"


def test_second_setting_names_the_line_of_the_first() -> None:
    with pytest.raises(ConfigError, match="line 1 has it already"):
        parse_config("max_batch_size: 4\nmax_batch_size: 8\n")
    with pytest.raises(ConfigError, match=r"dynamic_batching \(line 1\) exclude"):
        parse_config("dynamic_batching { }\nsequence_batching { }\n")


def test_windows_line_ends_are_legal_and_leave_no_trace_in_messages() -> None:
    assert parse_config('name: "m"\r\nmax_batch_size: 4\r\n').max_batch_size == 4
    with pytest.raises(ConfigError) as caught:
        parse_config("max_batch_size: x\r\n")
    assert caught.value.excerpt == "max_batch_size: x"


@pytest.mark.parametrize("text", ["", "# nothing\n", "name: 'm';", "max_batch_size: 017", "response_cache: < >"])
def test_unusual_spellings_are_legal(text: str) -> None:
    parse_config(text)
