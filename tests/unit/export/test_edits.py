# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The fewest changes of a file: comments, order and spelling stay."""

import difflib

import pytest

from workbench.config import edit_config, parse_config, write_config
from workbench.export.config import tuned_config_text
from workbench.export.edits import minimal_changes, with_notes, without_notes
from workbench.sweep import Candidate, QueuePolicy, Trial, candidate_of, tuned_config

FILE = """# Ours, since 2019.
name: "m"
max_batch_size: 8  # what fits
backend: "b"
input [ { name: "I" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "O" data_type: TYPE_FP32 dims: [ 1 ] } ]
dynamic_batching {
  preferred_batch_size: [ 4 ]
  max_queue_delay_microseconds: 500
}
instance_group [ { count: 1 kind: KIND_CPU } ]
"""
BARE = FILE[: FILE.index("dynamic_batching")]
CANDIDATES = [
    Candidate(8, (4,), 500, 1),
    Candidate(16, (4, 8), 0, 2),
    Candidate(8, (), 500, 1),
    Candidate(4, (), 0, 3, dynamic_batching=False),
    Candidate(8, (4,), 100, 1, priority_levels=3),
    Candidate(8, (), 0, 1),
    Candidate(8, (4,), 500, 1, default_queue_policy=QueuePolicy("DELAY", 300, max_queue_size=9)),
]


@pytest.mark.parametrize("candidate", CANDIDATES, ids=str)
@pytest.mark.parametrize("text", [FILE, BARE], ids=["whole", "bare"])
def test_the_changed_text_is_the_candidate(text, candidate):
    edited = edit_config(text, minimal_changes(parse_config(text), candidate))
    assert candidate_of(parse_config(edited)) == candidate


def test_a_candidate_that_is_the_file_changes_nothing():
    assert minimal_changes(parse_config(FILE), Candidate(8, (4,), 500, 1)) == {}


def tuned(candidate, text=FILE):
    return Trial(0, candidate, config=write_config(tuned_config(parse_config(text), candidate)))


def test_only_lines_with_tuned_values_differ():
    text = tuned_config_text(tuned(Candidate(8, (4,), 100, 2)), original=FILE)
    lines = difflib.ndiff(FILE.splitlines(), without_notes(text).splitlines())
    assert [line for line in lines if line[0] in "+-"] == [
        "-   max_queue_delay_microseconds: 500",
        "+   max_queue_delay_microseconds: 100",
        "- instance_group [ { count: 1 kind: KIND_CPU } ]",
        "+ instance_group [ { count: 2 kind: KIND_CPU } ]",
    ]


def test_exporting_what_was_exported_changes_nothing():
    trial = tuned(Candidate(8, (4,), 100, 2))
    once = tuned_config_text(trial, original=FILE)
    assert tuned_config_text(trial, original=once) == once


def test_a_file_that_says_something_else_than_what_served_gives_way():
    other = FILE.replace("dims: [ 1 ]", "dims: [ 2 ]")
    text = tuned_config_text(tuned(Candidate(8, (4,), 100, 2)), original=other)
    assert "since 2019" not in text
    assert parse_config(text).input[0].dims[0] == 1


def test_a_note_on_a_field_within_a_line_names_the_field():
    text = with_notes("a_line\n".replace("a_line", "instance_group [ { count: 2 } ]"), {"instance_group[0].count": "n"})
    assert text.splitlines()[0] == "# workbench: count: n"


def test_notes_at_one_line_stand_above_each_other_with_its_indent():
    text = "dynamic_batching {\n  priority_levels: 2 default_priority_level: 1\n}\n"
    noted = with_notes(text, {"dynamic_batching.priority_levels": "a", "dynamic_batching.default_priority_level": "b"})
    assert noted.splitlines()[1:3] == ["  # workbench: a", "  # workbench: default_priority_level: b"]
    assert without_notes(noted) == text
