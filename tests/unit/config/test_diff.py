# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Differences are told field by field, as a person would read them."""

from workbench.config import diff_configs, parse_config

BEFORE = (
    'max_batch_size: 8 instance_group { count: 1 kind: KIND_CPU } parameters { key: "a" value { string_value: "x" } }'
)
AFTER = """
max_batch_size: 16 dynamic_batching { max_queue_delay_microseconds: 200 preferred_batch_size: [ 4, 8 ] }
instance_group [ { count: 2 kind: KIND_GPU }, { } ] response_cache { enable: true }
"""


def test_differences_read_as_changes_additions_and_removals() -> None:
    changes = diff_configs(parse_config(BEFORE), parse_config(AFTER))
    assert [str(change) for change in changes] == [
        "max_batch_size: 8 → 16",
        "dynamic_batching: added { preferred_batch_size: [ 4, 8 ], max_queue_delay_microseconds: 200 }",
        "instance_group[0].count: 1 → 2",
        "instance_group[0].kind: KIND_CPU → KIND_GPU",
        "instance_group[1]: added { }",
        "response_cache: added { enable: true }",
        'parameters["a"]: removed { string_value: "x" }',
    ]


def test_changes_carry_plain_values() -> None:
    (change, *_) = diff_configs(
        parse_config("dynamic_batching { }"), parse_config("dynamic_batching { preserve_ordering: true }")
    )
    assert (change.path, change.before, change.after) == ("dynamic_batching.preserve_ordering", False, True)


def test_spelling_is_no_difference() -> None:
    assert diff_configs(parse_config("max_batch_size: 0x10"), parse_config("max_batch_size: 16 # same")) == ()
