# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Field paths, and the places that they lead to in a text."""

import pytest

from workbench.config import Outline
from workbench.config.paths import Step, format_path, parse_path
from workbench.errors import InvalidArgumentError

TEXT = """\
input [
  { name: "a" dims: [ 1, 2 ] },
  { name: "b" dims: 3 dims: 4 }
]
parameters { key: "x" value: { string_value: "v" "w" } }
dynamic_batching { priority_queue_policy [ { key: 2 value { max_queue_size: 3 } } ] }
"""


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("max_batch_size", (Step("max_batch_size"),)),
        ("instance_group[0].count", (Step("instance_group", 0), Step("count"))),
        ('parameters["a.b[\\"0\\"]"].string_value', (Step("parameters", 'a.b["0"]'), Step("string_value"))),
    ],
)
def test_path_is_its_steps_and_back(path: str, steps: tuple[Step, ...]) -> None:
    assert parse_path(path) == steps
    assert format_path(steps) == path


@pytest.mark.parametrize("path", ["", ".", "a.", ".a", "a[", "a[x]", "a[-1]", "a b", "A", "a..b", 'a["b]'])
def test_anything_else_is_no_path(path: str) -> None:
    with pytest.raises(InvalidArgumentError):
        parse_path(path)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("input", (1, 1)),
        ("input[1]", (3, 3)),
        ("input[0].dims", (2, 21)),
        ("input[0].dims[1]", (2, 26)),
        ("input[1].dims[1]", (3, 29)),
        ('parameters["x"]', (5, 1)),
        ('parameters["x"].string_value', (5, 46)),
        ("dynamic_batching.priority_queue_policy[2].max_queue_size", (6, 77)),
        ("dynamic_batching.max_queue_delay_microseconds", (6, 1)),
        ("input[0].reshape.shape[0]", (2, 3)),
    ],
)
def test_place_of_a_path_is_its_value_or_what_encloses_it(path: str, place: tuple[int, int]) -> None:
    token = Outline(TEXT).locate(path)
    assert token
    assert (token.line, token.column) == place


def test_path_that_the_text_has_no_trace_of_has_no_place() -> None:
    assert Outline(TEXT).locate("output[0]") is None
