# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of sequence batching: control tensors, slots, implicit state."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from typing import Final

from workbench.config.message import Control, InitialState, ModelConfig, State, data_type_name, enum_name
from workbench.config.rule import Problem, Rule

_SEQUENCE: Final = "sequence_batching"
_ID_TYPES: Final = ("UINT64", "INT64", "UINT32", "INT32", "BYTES")
_CORRID: Final = "CONTROL_SEQUENCE_CORRID"


def _controls(config: ModelConfig) -> Iterator[tuple[str, str, Control]]:
    for i, tensor in enumerate(config.sequence_batching.control_input):
        for j, control in enumerate(tensor.control):
            kind = enum_name("ModelSequenceBatching.Control.Kind", control.kind)
            yield f"{_SEQUENCE}.control_input[{i}].control[{j}]", kind, control


def control_tensors_have_their_own_names(config: ModelConfig) -> Iterator[Problem]:
    """A control tensor is named, and named once."""
    seen: set[str] = set()
    for index, tensor in enumerate(config.sequence_batching.control_input):
        path = f"{_SEQUENCE}.control_input[{index}]"
        if not tensor.name:
            yield Problem(path, "a control tensor needs a name", 'write name: "…"')
        elif tensor.name in seen:
            yield Problem(
                f"{path}.name", f"control tensor {tensor.name!r} appears twice", "put its controls into one entry"
            )
        seen.add(tensor.name)


def each_control_appears_once(config: ModelConfig) -> Iterator[Problem]:
    """A control signal goes to one tensor."""
    seen: set[str] = set()
    for path, kind, _ in _controls(config):
        if kind in seen:
            yield Problem(f"{path}.kind", f"{kind} is given to two tensors", "keep it in one of them")
        seen.add(kind)


def flags_name_their_two_values(config: ModelConfig) -> Iterator[Problem]:
    """START, END and READY say which value means false and which true, in one type."""
    for path, kind, control in _controls(config):
        given = [name for name, values in _false_true(control).items() if values]
        if kind != _CORRID and len(given) != 1:
            said = "none" if not given else " and ".join(given)
            yield Problem(
                path,
                f"{kind} needs one pair of values for false and true, and has {said}",
                "write int32_false_true: [ 0, 1 ]",
            )
        elif kind != _CORRID and len(_false_true(control)[given[0]]) != 2:
            yield Problem(f"{path}.{given[0]}", f"{given[0]} holds two values", f"write {given[0]}: [ 0, 1 ]")


def _false_true(control: Control) -> dict[str, Sized]:
    return {
        "int32_false_true": control.int32_false_true,
        "fp32_false_true": control.fp32_false_true,
        "bool_false_true": control.bool_false_true,
    }


def correlation_id_has_a_type_and_no_values(config: ModelConfig) -> Iterator[Problem]:
    """The correlation id is an integer or a string of a given type."""
    for path, kind, control in _controls(config):
        if kind != _CORRID:
            continue
        if data_type_name(control.data_type) not in _ID_TYPES:
            yield Problem(
                f"{path}.data_type",
                f"{_CORRID} cannot be {enum_name('DataType', control.data_type)}",
                "TYPE_UINT64, TYPE_INT64, TYPE_UINT32, TYPE_INT32 or TYPE_STRING",
            )
        for name, values in _false_true(control).items():
            if values:
                yield Problem(f"{path}.{name}", f"{_CORRID} has no values for false and true", f"remove {name}")


def slot_utilization_is_a_share(config: ModelConfig) -> Iterator[Problem]:
    """minimum_slot_utilization is a share of the slots."""
    share = config.sequence_batching.direct.minimum_slot_utilization
    if not 0 <= share <= 1:
        yield Problem(
            f"{_SEQUENCE}.direct.minimum_slot_utilization",
            f"minimum_slot_utilization is a share from 0 to 1, not {share:g}",
        )


def initial_states_fit(config: ModelConfig) -> Iterator[Problem]:
    """An initial state has a source, and the type and shape of its state."""
    for index, state in enumerate(config.sequence_batching.state):
        path = f"{_SEQUENCE}.state[{index}].initial_state"
        if len(state.initial_state) > 1:
            yield Problem(
                path,
                f"state {state.input_name!r} has {len(state.initial_state)} initial states",
                "keep one",
                stage="load",
            )
        elif len(state.initial_state) == 1:
            yield from _initial_state(f"{path}[0]", state, state.initial_state[0])


def _initial_state(path: str, state: State, initial: InitialState) -> Iterator[Problem]:
    if not initial.name:
        yield Problem(path, "an initial state needs a name", 'write name: "…"', stage="load")
    if initial.WhichOneof("state_data") is None:
        yield Problem(
            path,
            "an initial state says where its values come from",
            'write zero_data: true, or data_file: "…"',
            stage="load",
        )
    if initial.data_type != state.data_type:
        wanted = enum_name("DataType", state.data_type)
        yield Problem(f"{path}.data_type", f"the state {state.input_name!r} is {wanted}", wanted, stage="load")
    yield from _initial_dims(f"{path}.dims", state, initial)


def _initial_dims(path: str, state: State, initial: InitialState) -> Iterator[Problem]:
    wanted, given = list(state.dims), list(initial.dims)
    if len(wanted) != len(given):
        yield Problem(path, f"the state has dims {wanted}, its initial state {given}", stage="load")
        return
    for index, (dim, size) in enumerate(zip(wanted, given, strict=True)):
        if size < 0:
            yield Problem(f"{path}[{index}]", "an initial state has no variable dims", "write its size", stage="load")
        elif dim not in (-1, size):
            yield Problem(f"{path}[{index}]", f"the state's dim is {dim}, not {size}", f"write {dim}", stage="load")


RULES: Final[tuple[Rule, ...]] = (
    control_tensors_have_their_own_names,
    each_control_appears_once,
    flags_name_their_two_values,
    correlation_id_has_a_type_and_no_values,
    slot_utilization_is_a_share,
    initial_states_fit,
)
