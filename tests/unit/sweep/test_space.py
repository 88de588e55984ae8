# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import itertools

import pytest

from workbench.errors import InvalidArgumentError
from workbench.sweep import Candidate, SearchSpace

BASE = Candidate(8, (), 0, 1)


def reasons(space, base=BASE):
    return {exclusion.reason for exclusion in SearchSpace.of(space).split(base)[1]}


def test_a_field_that_the_space_leaves_out_stays_as_the_model_has_it():
    tried, left_out = SearchSpace.of({"max_queue_delay_microseconds": [0, 100]}).split(Candidate(8, (4,), 50, 2))
    assert tried == (Candidate(8, (4,), 0, 2), Candidate(8, (4,), 100, 2))
    assert left_out == ()


def test_preferred_sizes_above_the_largest_batch_are_left_out_with_the_reason():
    space = {"max_batch_size": [4, 8], "preferred_batch_size": [[], [8]]}
    tried, left_out = SearchSpace.of(space).split(BASE)
    assert [(c.max_batch_size, c.preferred_batch_size) for c in tried] == [(4, ()), (8, ())]
    assert {e.reason for e in left_out} == {
        "preferred size 8 is above max_batch_size 4",
        "preferring the largest size alone is what no preferred size means",
    }


def test_a_batch_of_one_is_tried_with_one_delay():
    space = {"max_batch_size": [1, 2], "max_queue_delay_microseconds": [0, 100]}
    tried, _ = SearchSpace.of(space).split(BASE)
    assert [(c.max_batch_size, c.max_queue_delay_microseconds) for c in tried] == [(1, 0), (2, 0), (2, 100)]
    assert reasons(space) == {"a batch of one waits for nobody: the delay changes nothing"}


def test_a_model_that_does_not_batch_is_not_made_to():
    assert reasons({"max_batch_size": [4]}, Candidate(0, (), 0, 1)) == {
        "the model does not batch (max_batch_size is 0)"
    }


def test_candidates_that_need_no_reload_stand_together():
    space = {"max_batch_size": [4, 8], "count": [1, 2], "max_queue_delay_microseconds": [0, 100, 200]}
    tried, _ = SearchSpace.of(space).split(BASE)
    changes = sum(not a.differs_only_in_batching(b) for a, b in itertools.pairwise(tried))
    assert len(tried) == 12
    assert changes == 3


def test_without_dynamic_batching_there_is_one_candidate_whatever_the_delay():
    space = {"dynamic_batching": [True, False], "max_queue_delay_microseconds": [0, 100]}
    tried, left_out = SearchSpace.of(space).split(BASE)
    assert [(c.dynamic_batching, c.max_queue_delay_microseconds) for c in tried] == [(True, 0), (True, 100), (False, 0)]
    assert {e.reason for e in left_out} == {
        "without dynamic batching nobody waits: delay, sizes and queue rules change nothing"
    }


def test_a_model_without_dynamic_batching_gets_none_from_more_instances():
    tried, _ = SearchSpace.of({"count": [1, 2]}).split(Candidate(8, (), 0, 1, dynamic_batching=False))
    assert {c.dynamic_batching for c in tried} == {False}


def test_queue_policies_and_priorities_are_searched():
    space = {"priority_levels": [0, 2], "default_queue_policy": [{}, {"max_queue_size": 16}]}
    tried, _ = SearchSpace.of(space).split(BASE)
    assert {(c.priority_levels, c.default_queue_policy.max_queue_size) for c in tried} == {
        (0, 0), (0, 16), (2, 0), (2, 16),
    }  # fmt: skip


def test_what_else_speaks_against_a_combination_is_its_reason():
    tried, left_out = SearchSpace.of({"count": [1, 2]}).split(BASE, objection=lambda c: "no" if c.count == 2 else "")
    assert [c.count for c in tried] == [1]
    assert [e.reason for e in left_out] == ["no"]


def test_instance_count_is_another_word_for_count():
    assert SearchSpace.of({"instance_count": [1, 2]}).count == (1, 2)


@pytest.mark.parametrize(
    ("space", "said"),
    [
        ({"batch": [1]}, "does not search batch"),
        ({"max_batch_size": [0]}, "at least 1"),
        ({"count": [1.5]}, "whole numbers"),
        ({"max_queue_delay_microseconds": [-1]}, "negative"),
        ({"default_queue_policy": [{"queue": 1}]}, "default_queue_policy"),
    ],
)
def test_values_that_no_configuration_has_are_refused(space, said):
    with pytest.raises(InvalidArgumentError, match=said):
        SearchSpace.of(space)
