# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is legal in a configuration's text, where a message points, and what it offers instead."""

from dataclasses import dataclass

import pytest

from workbench.config import parse_config
from workbench.errors import ConfigError


@dataclass(frozen=True)
class Refused:
    """A text that is refused, what the message must offer, and the place that it must point at."""

    text: str
    offers: str = ""
    at: tuple[int, int] | None = None


REFUSED = {
    "placeholder left in": Refused(
        'name: "m"\nbackend: "identity"\nmax_batch_size: ${triton_max_batch_size}\n', offers="placeholder", at=(3, 17)
    ),
    "list without comma": Refused(
        'input [ { name: "a" data_type: TYPE_FP32 dims: [1] } { name: "b" data_type: TYPE_FP32 dims: [1] } ]',
        offers="comma",
    ),
    "trailing comma in message list": Refused('input [ { name: "a" data_type: TYPE_FP32 dims: [1] }, ]'),
    "trailing comma in dims": Refused('input [ { name: "a" data_type: TYPE_FP32 dims: [1,] } ]'),
    "type without prefix": Refused('input [ { name: "a" data_type: FP32 dims: [1] } ]', offers="TYPE_FP32"),
    "quoted type": Refused('input [ { name: "a" data_type: "TYPE_FP32" dims: [1] } ]', offers="TYPE_FP32"),
    "TYPE_BYTES": Refused('input [ { name: "a" data_type: TYPE_BYTES dims: [1] } ]', offers="TYPE_STRING"),
    "unknown field": Refused("dynamic_batching { max_queue_delay_us: 100 }", offers="max_queue_delay_microseconds"),
    "misspelt scheduler": Refused("model_scheduler { }"),
    "unknown timeout action": Refused(
        "dynamic_batching { default_queue_policy { timeout_action: DECREMENT } }", offers="REJECT or DELAY"
    ),
    "fraction as delay": Refused("dynamic_batching { max_queue_delay_microseconds: 100.5 }"),
    "negative delay": Refused("dynamic_batching { max_queue_delay_microseconds: -1 }"),
    "duplicate scalar": Refused("max_batch_size: 4\nmax_batch_size: 8\n"),
    "two schedulers": Refused("dynamic_batching { }\nsequence_batching { }\n"),
    "zero dim": Refused(
        'input [ { name: "a" data_type: TYPE_FP32 dims: [0] } ]',
        offers="-1",
    ),
    "preferred above maximum": Refused("max_batch_size: 4\ndynamic_batching { preferred_batch_size: [ 8 ] }"),
    "priority out of range": Refused(
        "max_batch_size: 4\ndynamic_batching { priority_levels: 2 default_priority_level: 3 }"
    ),
    "ordering with two levels": Refused(
        "max_batch_size: 4\ndynamic_batching { preserve_ordering: true priority_levels: 2 default_priority_level: 1 }"
    ),
    "cache with sequences": Refused("max_batch_size: 4\nsequence_batching { }\nresponse_cache { enable: true }"),
}

ACCEPTED = {
    "hash comments": ("# a comment\nmax_batch_size: 4 # another\n", {}),
    "hex number": ("max_batch_size: 0x10", {"max_batch_size": 16}),
    "angle brackets": ("dynamic_batching < max_queue_delay_microseconds: 100 >", {}),
    "single quotes": ("name: 'm'", {"name": "m"}),
    "adjacent strings": ('name: "a" "b"', {"name": "ab"}),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_refuses_and_says_where_and_what_would_be_right(case: Refused) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(case.text)
    error = caught.value
    assert case.offers in error.suggestion
    assert (error.line, error.column) == (case.at or (error.line, error.column))
    assert error.line >= 1
    assert error.column >= 1
    assert case.text.split("\n")[error.line - 1] == error.excerpt


@pytest.mark.parametrize(("text", "values"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepts_every_legal_spelling(text: str, values: dict[str, object]) -> None:
    config = parse_config(text)
    assert {name: getattr(config, name) for name in values} == values
