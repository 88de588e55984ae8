# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json
from dataclasses import asdict

import pytest

from workbench.config import parse_config
from workbench.errors import InvalidArgumentError
from workbench.sweep import Candidate, QueuePolicy, candidate_of, tuned_config

TEXT = """
name: "m" backend: "b" max_batch_size: 8
input [ { name: "I" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "O" data_type: TYPE_FP32 dims: [ 1 ] } ]
"""
REJECTING = QueuePolicy(default_timeout_microseconds=500, max_queue_size=10)


@pytest.mark.parametrize(
    "candidate",
    [
        Candidate(8, (2, 4), 100, 2),
        Candidate(4, (), 0, 1, dynamic_batching=False),
        Candidate(4, (), 0, 1, priority_levels=3),
        Candidate(4, (), 50, 1, default_queue_policy=REJECTING),
        Candidate(4, (), 50, 1, default_queue_policy=QueuePolicy("DELAY", 10, allow_timeout_override=True)),
    ],
)
def test_a_candidate_is_read_back_from_its_configuration_and_from_json(candidate):
    assert candidate_of(tuned_config(parse_config(TEXT), candidate)) == candidate
    assert Candidate.of(json.loads(json.dumps(asdict(candidate)))) == candidate


def test_priority_levels_bring_a_default_level_in_the_middle():
    batching = tuned_config(parse_config(TEXT), Candidate(4, (), 0, 1, priority_levels=4)).dynamic_batching
    assert batching.default_priority_level == 2


def test_the_models_own_default_level_is_kept_where_it_is_a_level():
    text = TEXT + "dynamic_batching { priority_levels: 5 default_priority_level: 5 }"
    kept = tuned_config(parse_config(text), Candidate(4, (), 0, 1, priority_levels=6)).dynamic_batching
    moved = tuned_config(parse_config(text), Candidate(4, (), 0, 1, priority_levels=2)).dynamic_batching
    assert (kept.default_priority_level, moved.default_priority_level) == (5, 1)


def test_words_name_only_what_is_special():
    assert str(Candidate(8, (), 100, 1)) == "max batch 8, preferred max, delay 100 µs, 1 instance"
    assert str(Candidate(8, (), 0, 2, dynamic_batching=False)) == "max batch 8, no dynamic batching, 2 instances"
    assert "at most 10 waiting, reject after 500 µs" in str(Candidate(8, (), 0, 1, default_queue_policy=REJECTING))


def test_a_timeout_action_is_one_of_two():
    with pytest.raises(InvalidArgumentError, match="REJECT or DELAY"):
        QueuePolicy("WAIT")
