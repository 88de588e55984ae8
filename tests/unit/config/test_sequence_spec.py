# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the core is told of a model's sequences."""

import pytest

from workbench.config import (
    BatchingSpec,
    ControlSpec,
    SequenceSpec,
    StateSpec,
    batching_spec,
    complete,
    parse_config,
)


def batching_of(sequence: str) -> BatchingSpec:
    text = f'backend: "b" max_batch_size: 8 sequence_batching {{ {sequence} }}'
    return batching_spec(complete(parse_config(text), name="m"))


def sequence_of(sequence: str) -> SequenceSpec:
    spec = batching_of(sequence).sequence
    assert spec is not None
    return spec


def test_direct_is_the_default_with_a_second_of_idle_time() -> None:
    assert batching_of("") == BatchingSpec(sequence=SequenceSpec())


def test_direct_has_its_delay_and_share_of_slots() -> None:
    spec = batching_of("direct { max_queue_delay_microseconds: 7 minimum_slot_utilization: 0.5 }")
    assert spec.max_queue_delay_ns == 7000
    assert spec.sequence == SequenceSpec(minimum_slot_utilization=0.5)


def test_oldest_batches_as_its_own_fields_say() -> None:
    spec = batching_of(
        "oldest { max_candidate_sequences: 3 preferred_batch_size: [ 2, 4 ] max_queue_delay_microseconds: 100 "
        "preserve_ordering: true } max_sequence_idle_microseconds: 5 iterative_sequence: true"
    )
    assert spec == BatchingSpec(
        preferred_batch_size=(2, 4),
        max_queue_delay_ns=100_000,
        preserve_ordering=True,
        sequence=SequenceSpec("oldest", 5000, 3, iterative=True),
    )


@pytest.mark.parametrize(
    ("values", "data_type", "false", "true"),
    [
        ("int32_false_true: [ 0, 1 ]", "INT32", b"\0\0\0\0", b"\1\0\0\0"),
        ("fp32_false_true: [ 0, 1 ]", "FP32", b"\0\0\0\0", b"\0\0\x80\x3f"),
        ("bool_false_true: [ true, false ]", "BOOL", b"\1", b"\0"),
    ],
)
def test_flags_are_bytes_of_their_type(values: str, data_type: str, false: bytes, true: bytes) -> None:
    spec = sequence_of(f'control_input {{ name: "S" control {{ kind: CONTROL_SEQUENCE_START {values} }} }}')
    assert spec.controls == (ControlSpec("S", "START", data_type, false, true),)


def test_the_correlation_id_has_a_type_alone() -> None:
    spec = sequence_of('control_input { name: "ID" control { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_STRING } }')
    assert spec.controls == (ControlSpec("ID", "CORRID", "BYTES"),)


def test_a_state_begins_with_one_where_its_size_varies() -> None:
    spec = sequence_of('state { input_name: "I" output_name: "O" data_type: TYPE_FP32 dims: [ 2, -1 ] }')
    assert spec.states == (StateSpec("I", "O", "FP32", (2, -1), (2, 1)),)


def test_an_initial_state_says_how_it_begins() -> None:
    spec = sequence_of(
        'state { input_name: "I" output_name: "O" data_type: TYPE_INT32 dims: [ 1, 32, -1, 1 ]'
        " use_same_buffer_for_input_output: true use_growable_memory: true"
        ' initial_state { name: "i" data_type: TYPE_INT32 dims: [ 1, 32, 2, 1 ] data_file: "f" } }'
    )
    state = StateSpec("I", "O", "INT32", (1, 32, -1, 1), (1, 32, 2, 1), "f", same_buffer=True, growable=True)
    assert spec.states == (state,)
