# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Mix, Sample, Sequences
from workbench.load.plan import END, START, draw_plan, ends_of_open_sequences


def mix(*weights, **options):
    return Mix(tuple(Sample(weight=weight) for weight in weights), **options)


def sequences_of(plan):
    """Requests of each sequence in the order of sending."""
    return {int(number): plan[plan["sequence"] == number] for number in np.unique(plan["sequence"])}


def test_one_sample_needs_no_plan():
    assert len(Mix().plan(10)) == 0


def test_samples_of_equal_weight_take_turns():
    assert mix(1, 1, 1).plan(7)["sample"].tolist() == [0, 1, 2, 0, 1, 2, 0]


def test_samples_of_unlike_weight_are_drawn_in_proportion():
    drawn = mix(3, 1).plan(40_000)["sample"]
    assert (drawn == 0).mean() == pytest.approx(0.75, abs=0.01)


def test_the_same_seed_plans_the_same():
    first, second = (mix(3, 1, sequences=Sequences(lengths="geometric"), seed=5).plan(100) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_sequences_take_turns_and_each_starts_and_ends_once():
    plan = mix(1, sequences=Sequences(in_flight=3, length=4)).plan(24)
    assert plan["sequence"][:6].tolist() == [1, 2, 3, 1, 2, 3]
    assert plan["sequence"][12:15].tolist() == [4, 5, 6]
    for requests in sequences_of(plan).values():
        assert requests["flags"].tolist() == [START, 0, 0, END]


def test_the_last_request_of_a_run_ends_what_is_open():
    plan = mix(1, sequences=Sequences(in_flight=2, length=10)).plan(7)
    for requests in sequences_of(plan).values():
        assert requests["flags"][0] == START
        assert requests["flags"][-1] == END


def test_a_sequence_of_one_request_starts_and_ends_with_it():
    plan = mix(1, sequences=Sequences(in_flight=1, length=1)).plan(3)
    assert plan["flags"].tolist() == [START | END] * 3


@pytest.mark.parametrize("lengths", ["uniform", "geometric"])
def test_drawn_lengths_have_the_mean_that_was_asked_for(lengths):
    drawn = Sequences(length=20, lengths=lengths, spread=0.5).draw(40_000, np.random.default_rng(1))
    assert drawn.mean() == pytest.approx(20, rel=0.03)
    assert drawn.min() >= 1


def test_uniform_lengths_keep_within_their_spread():
    drawn = Sequences(length=20, lengths="uniform", spread=0.2).draw(1000, np.random.default_rng(1))
    assert (drawn.min(), drawn.max()) == (16, 24)


def test_a_stream_is_sent_as_a_sequence_step_by_step():
    plan = mix(1, 1, 1, 1, 1, sequences=Sequences(in_flight=2), streams=((0, 1, 2), (3, 4))).plan(10)
    by_sequence = {number: requests["sample"].tolist() for number, requests in sequences_of(plan).items()}
    assert by_sequence == {1: [0, 1, 2], 2: [3, 4], 3: [0, 1], 4: [3, 4], 6: [3]}


def test_more_sequences_than_requests_are_fewer_sequences():
    assert mix(1, sequences=Sequences(in_flight=8)).plan(3)["sequence"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("wrong", [{"length": 0}, {"in_flight": 0}, {"lengths": "normal"}, {"spread": 2.0}])
def test_sequences_that_make_no_sense_are_refused(wrong):
    with pytest.raises(InvalidArgumentError):
        Sequences(**wrong)


def test_what_a_run_left_open_is_ended_by_one_more_request_each() -> None:
    plan = draw_plan(np.ones(2), Sequences(in_flight=2, length=3, first_id=10), (), count=12, seed=1)
    assert plan["sequence"].tolist() == [10, 11, 10, 11, 10, 11, 12, 13, 12, 13, 12, 13]
    assert len(ends_of_open_sequences(plan, 0)) == len(ends_of_open_sequences(plan, 6)) == 0
    ends = ends_of_open_sequences(plan, 9)
    assert ends["sequence"].tolist() == [12, 13]
    assert ends["flags"].tolist() == [END, END]
    assert ends["sample"].tolist() == [0, 1]
    assert ends_of_open_sequences(plan, 5)["sequence"].tolist() == [11]
    # The second time round the ids go on where those of the first ended.
    assert ends_of_open_sequences(plan, 12 + 1)["sequence"].tolist() == [14]


def test_requests_that_stand_alone_leave_nothing_open() -> None:
    plan = draw_plan(np.array([1.0, 2.0]), None, (), count=8, seed=1)
    assert len(ends_of_open_sequences(plan, 5)) == 0
