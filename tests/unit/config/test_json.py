# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations as JSON: how the server prints them, and what a load request may bring."""

import json

import pytest

from workbench.config import from_json, parse_config, to_json
from workbench.errors import ConfigError


def test_defaults_are_printed_under_protobufs_names() -> None:
    values = json.loads(to_json(parse_config('name: "m"')))
    assert values["max_batch_size"] == 0
    assert values["input"] == []
    assert values["parameters"] == {}
    assert "dynamic_batching" not in values
    assert "version_policy" not in values


def test_large_integers_are_numbers_and_fractions_are_short() -> None:
    text = "dynamic_batching { max_queue_delay_microseconds: 18446744073709551615 }"
    assert '"max_queue_delay_microseconds":18446744073709551615' in to_json(parse_config(text))
    text = "sequence_batching { direct { minimum_slot_utilization: 0.1 } }"
    assert '"minimum_slot_utilization":0.1}' in to_json(parse_config(text))


def test_integers_may_come_as_strings() -> None:
    config = from_json('{"max_batch_size": "8", "input": [{"name": "a", "data_type": "TYPE_FP32", "dims": ["-1"]}]}')
    assert config.max_batch_size == 8
    assert list(config.input[0].dims) == [-1]


def test_text_that_is_not_json_is_told_with_its_place() -> None:
    with pytest.raises(ConfigError) as caught:
        from_json('{"name": "m",\n  max batch size: 8}')
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        '{name: "it\'s {a: 1,}", "max_batch_size": 2}',
        "{'name': 'it\\'s {a: 1,}', 'max_batch_size' :2}",
        '{"name": "it\'s {a: 1,}", max_batch_size : 2,\n}',
    ],
)
def test_liberties_that_the_real_server_takes_are_taken(text: str) -> None:
    config = from_json(text)
    assert (config.name, config.max_batch_size) == ("it's {a: 1,}", 2)


@pytest.mark.parametrize("text", ["{name: m}", "{true: 1}", '{"name": "m" # why\n}', '{"name": "m" "backend": "b"}'])
def test_other_liberties_are_not(text: str) -> None:
    with pytest.raises(ConfigError):
        from_json(text)


@pytest.mark.parametrize(
    ("values", "path", "offer"),
    [
        ({"dynamic_batching": {"max_queue_delay_us": 1}}, "dynamic_batching.max_queue_delay_us", "microseconds"),
        ({"input": [{"data_type": "TYPE_BYTES"}]}, "input[0].data_type", "TYPE_STRING"),
        ({"instance_group": [{}, {"kind": "GPU"}]}, "instance_group[1].kind", "KIND_GPU"),
        ({"parameters": {"a": {"string": "x"}}}, 'parameters["a"].string', "string_value"),
    ],
)
def test_names_that_do_not_exist_are_told_with_their_path(values: dict[str, object], path: str, offer: str) -> None:
    with pytest.raises(ConfigError) as caught:
        from_json(values)
    assert caught.value.path == path
    assert offer in caught.value.suggestion


@pytest.mark.parametrize("text", ["[]", "3", '{"max_batch_size": "x"}', '{"input": {}}', '{"max_batch_size": 1.5}'])
def test_anything_else_is_refused_as_a_configuration(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        from_json(text)
    assert caught.value.stage == "read"
