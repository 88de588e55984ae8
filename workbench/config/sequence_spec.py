# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How the core is told of a model's sequences: plain frozen values, made from a completed configuration."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from workbench.config.message import Control, ModelConfig, State, data_type_name, enum_name

_KINDS: Final[dict[str, Literal["START", "END", "READY", "CORRID"]]] = {
    "CONTROL_SEQUENCE_START": "START",
    "CONTROL_SEQUENCE_END": "END",
    "CONTROL_SEQUENCE_READY": "READY",
    "CONTROL_SEQUENCE_CORRID": "CORRID",
}
_NO_BYTES: Final = b""


@dataclass(frozen=True, slots=True)
class ControlSpec:
    """An extra input that tells a backend where in its sequence a request stands.

    `false_bytes` and `true_bytes` are one element each, and empty for CORRID.
    """

    name: str
    kind: Literal["START", "END", "READY", "CORRID"]
    data_type: str
    false_bytes: bytes = _NO_BYTES
    true_bytes: bytes = _NO_BYTES


@dataclass(frozen=True, slots=True)
class StateSpec:
    """A tensor that goes from each request of a sequence to the next.

    `initial_dims` hold no -1; `initial_file` names a file of the model's folder `initial_state`, whose content the
    repository puts into `initial_bytes`; where both are empty the state begins with zeros.
    """

    input_name: str
    output_name: str
    data_type: str
    dims: tuple[int, ...]
    initial_dims: tuple[int, ...]
    initial_file: str = ""
    initial_bytes: bytes = _NO_BYTES
    same_buffer: bool = False
    growable: bool = False


@dataclass(frozen=True, slots=True)
class SequenceSpec:
    """How requests of sequences are scheduled; delay and preferred sizes are those of the batching spec."""

    strategy: Literal["direct", "oldest"] = "direct"
    max_idle_ns: int = 1_000_000_000
    max_candidate_sequences: int = 0
    minimum_slot_utilization: float = 0.0
    iterative: bool = False
    controls: tuple[ControlSpec, ...] = ()
    states: tuple[StateSpec, ...] = ()


def sequence_spec(config: ModelConfig) -> SequenceSpec | None:
    """How a completed configuration serves sequences; None where it has none."""
    if not config.HasField("sequence_batching"):
        return None
    sequence = config.sequence_batching
    return SequenceSpec(
        strategy="oldest" if sequence.HasField("oldest") else "direct",
        max_idle_ns=min(sequence.max_sequence_idle_microseconds * 1000, 2**62),
        max_candidate_sequences=max(0, sequence.oldest.max_candidate_sequences),
        minimum_slot_utilization=sequence.direct.minimum_slot_utilization,
        iterative=sequence.iterative_sequence,
        controls=tuple(_controls(config)),
        states=tuple(_state(state) for state in sequence.state),
    )


def _controls(config: ModelConfig) -> Iterator[ControlSpec]:
    for tensor in config.sequence_batching.control_input:
        for control in tensor.control:
            yield _control(tensor.name, control)


def _control(name: str, control: Control) -> ControlSpec:
    kind = _KINDS[enum_name("ModelSequenceBatching.Control.Kind", control.kind)]
    if kind == "CORRID":
        return ControlSpec(name, kind, data_type_name(control.data_type))
    for data_type, form, values in (
        ("INT32", "<i", control.int32_false_true),
        ("FP32", "<f", control.fp32_false_true),
        ("BOOL", "<?", control.bool_false_true),
    ):
        if values:
            no, yes = (struct.pack(form, value) for value in values)
            return ControlSpec(name, kind, data_type, no, yes)
    return ControlSpec(name, kind, "INT32", struct.pack("<i", 0), struct.pack("<i", 1))


def _state(state: State) -> StateSpec:
    initial = state.initial_state[0] if len(state.initial_state) else None
    # Sizes that vary begin with 1, unless the initial state says how many there are.
    dims = initial.dims if initial is not None else (1 if dim < 0 else dim for dim in state.dims)
    return StateSpec(
        input_name=state.input_name,
        output_name=state.output_name,
        data_type=data_type_name(state.data_type),
        dims=tuple(state.dims),
        initial_dims=tuple(dims),
        initial_file=initial.data_file if initial is not None else "",
        same_buffer=state.use_same_buffer_for_input_output,
        growable=state.use_growable_memory,
    )
