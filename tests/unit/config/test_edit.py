# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Edits touch what they must and keep every comment, order and spelling beside it."""

from typing import Any

import pytest

from workbench.config import edit_config
from workbench.errors import ConfigError, InvalidArgumentError

TEXT = """\
# My model
name: "m"
backend: 'b'   # ours
max_batch_size:8  # keep small

input [
  {
    name: "a"  # the only one
    data_type: TYPE_FP32
    dims: [ 1, 2 ]
  }
]
output { name: "b" data_type: TYPE_FP32 dims: 1 dims: 2 }
instance_group [ { count: 1 } ]
parameters { key: "mode" value { string_value: "fast" } }
"""

ONE_LINE = {
    "a scalar": ({"max_batch_size": 16}, "max_batch_size:8  # keep", "max_batch_size:16  # keep"),
    "a string": ({"name": 'o"k'}, 'name: "m"', r'name: "o\"k"'),
    "an enum by name": ({"input[0].data_type": "TYPE_INT8"}, "TYPE_FP32\n", "TYPE_INT8\n"),
    "a list": ({"input[0].dims": (3,)}, "[ 1, 2 ]", "[ 3 ]"),
    "an element": ({"input[0].dims[1]": -1}, "[ 1, 2 ]", "[ 1, -1 ]"),
    "an element more": ({"input[0].dims[2]": 7}, "[ 1, 2 ]", "[ 1, 2, 7 ]"),
    "an element less": ({"input[0].dims[0]": None}, "[ 1, 2 ]", "[ 2 ]"),
    "a list spelled one by one": ({"output[0].dims": [5]}, "dims: 1 dims: 2 }", "dims: [ 5 ] }"),
    "a field of an element": ({"instance_group[0].count": 2}, "{ count: 1 }", "{ count: 2 }"),
    "a new field of an element": ({"instance_group[0].kind": "KIND_CPU"}, "count: 1 }", "count: 1 kind: KIND_CPU }"),
    "an element of messages": ({"instance_group[1].count": 3}, "{ count: 1 } ]", "{ count: 1 }, { count: 3 } ]"),
    "an entry's value": ({'parameters["mode"].string_value': "slow"}, '"fast"', '"slow"'),
    "a removal with its line": ({"backend": None}, "backend: 'b'   # ours\n", ""),
    "a removal within a line": ({"output[0].data_type": None}, "data_type: TYPE_FP32 dims: 1 ", "dims: 1 "),
    "an entry's removal": ({'parameters["mode"]': None}, TEXT.splitlines(keepends=True)[-1], ""),
    "a new message": (
        {"dynamic_batching.max_queue_delay_microseconds": 200},
        "dims: 2 }\n",
        "dims: 2 }\ndynamic_batching { max_queue_delay_microseconds: 200 }\n",
    ),
    "a new field among its neighbours": (
        {"input[0].format": "FORMAT_NCHW"},
        "data_type: TYPE_FP32\n",
        "data_type: TYPE_FP32\n    format: FORMAT_NCHW\n",
    ),
    "a value that is the default": (
        {"version_policy.latest.num_versions": 0},
        "small\n",
        "small\nversion_policy { latest { num_versions: 0 } }\n",
    ),
    "numbers as numpy has them": ({"max_batch_size": __import__("numpy").int64(4)}, "size:8", "size:4"),
    "nothing": ({"runtime": None}, "", ""),
}


@pytest.mark.parametrize(("changes", "old", "new"), ONE_LINE.values(), ids=ONE_LINE.keys())
def test_edit_touches_only_its_place(changes: dict[str, Any], old: str, new: str) -> None:
    assert edit_config(TEXT, changes) == TEXT.replace(old, new, 1)


def test_new_entries_stand_behind_the_others() -> None:
    edited = edit_config(TEXT, {'parameters["level"].string_value': "3"})
    assert edited == TEXT + 'parameters {\n  key: "level"\n  value { string_value: "3" }\n}\n'


def test_new_field_goes_into_an_empty_message() -> None:
    assert edit_config("dynamic_batching {}", {"dynamic_batching.preserve_ordering": True}) == (
        "dynamic_batching { preserve_ordering: true }"
    )


def test_empty_text_grows() -> None:
    assert edit_config("", {"max_batch_size": 4}) == "max_batch_size: 4\n"
    assert edit_config("# nothing yet", {"max_batch_size": 4}) == "# nothing yet\nmax_batch_size: 4\n"


def test_levels_of_priority_are_keys_and_no_indices() -> None:
    edited = edit_config("dynamic_batching { }", {"dynamic_batching.priority_queue_policy[2].max_queue_size": 7})
    assert edited == "dynamic_batching { priority_queue_policy { key: 2 value { max_queue_size: 7 } } }"


def test_schedulers_exclude_each_other_until_one_goes() -> None:
    with pytest.raises(ConfigError, match="exclude each other"):
        edit_config("dynamic_batching { }", {"sequence_batching": {}})
    assert (
        edit_config("dynamic_batching { }\n", {"sequence_batching": {}, "dynamic_batching": None})
        == "sequence_batching { }\n"
    )


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("max_batchsize", 4, "did you mean max_batch_size"),
        ("instance_group[3].count", 4, "has 1 elements"),
        ("max_batch_size[0]", 4, "not a list"),
        ("name.first", 4, "no fields inside"),
        ("max_batch_size", "many", "cannot be 'many'"),
        ("max batch size", 4, "not a field path"),
    ],
)
def test_path_or_value_that_does_not_fit_is_refused(path: str, value: object, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        edit_config(TEXT, {path: value})


def test_text_that_is_not_legal_is_refused_with_its_place() -> None:
    with pytest.raises(ConfigError) as caught:
        edit_config("max_batch_size: x", {"max_batch_size": 4}, source="cell 3")
    assert str(caught.value).startswith("cell 3:1:17")
