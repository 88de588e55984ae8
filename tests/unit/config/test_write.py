# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Written configurations look as people write them."""

import pytest

from workbench.config import parse_config, write_config
from workbench.errors import InvalidArgumentError

SPELLED_ANYHOW = """
instance_group { count: 2 kind: KIND_CPU } parameters { key: "mode" value { string_value: "fast" } }
dynamic_batching { max_queue_delay_microseconds: 100 preferred_batch_size: 4 preferred_batch_size: 8 }
output { dims: 1 name: "b" data_type: TYPE_FP32 } input { dims: [ -1, 3 ] name: "a" data_type: TYPE_FP32 }
max_batch_size: 8 backend: "b" name: "m"
"""
WRITTEN = """\
# Tuned by a sweep

name: "m"
backend: "b"
max_batch_size: 8
input [
  {
    name: "a"
    data_type: TYPE_FP32
    dims: [ -1, 3 ]
  }
]
output [
  {
    name: "b"
    data_type: TYPE_FP32
    dims: [ 1 ]
  }
]
dynamic_batching {
  preferred_batch_size: [ 4, 8 ]
  # best of 12 trials
  # p99 3.1 ms
  max_queue_delay_microseconds: 100
}
instance_group [
  {
    count: 2
    kind: KIND_CPU
  }
]
parameters {
  key: "mode"
  value { string_value: "fast" }
}
"""


def test_fields_stand_in_their_usual_order_with_notes_above_them() -> None:
    notes = {"dynamic_batching.max_queue_delay_microseconds": "best of 12 trials\np99 3.1 ms"}
    assert write_config(parse_config(SPELLED_ANYHOW), notes=notes, header="Tuned by a sweep") == WRITTEN


def test_field_with_a_note_is_written_even_where_it_is_the_default() -> None:
    text = write_config(
        parse_config("dynamic_batching { }"), notes={"dynamic_batching.max_queue_delay_microseconds": "0 was best"}
    )
    assert text == "dynamic_batching {\n  # 0 was best\n  max_queue_delay_microseconds: 0\n}\n"


def test_note_that_belongs_nowhere_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="instance_group"):
        write_config(parse_config('name: "m"'), notes={"instance_group[0].count": "x"})


def test_long_lists_are_broken() -> None:
    config = parse_config(f"max_batch_size: 99 dynamic_batching {{ preferred_batch_size: {list(range(1, 60))} }}")
    text = write_config(config)
    assert max(map(len, text.splitlines())) <= 120
    assert parse_config(text) == config
