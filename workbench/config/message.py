# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The configuration message: the classes that `tritonclient` brings, with types for the fields that we use.

At run time these names are protobuf's own classes, so `isinstance`, `==` and `CopyFrom` are protobuf's.
"""
# ruff: noqa: D101  (the fields are described where configurations are)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping, MutableSequence
    from typing import Protocol, TypeVar

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    M_co = TypeVar("M_co", covariant=True)

    class Messages(Protocol[M_co]):
        """A repeated message field."""

        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[M_co]: ...
        def __getitem__(self, index: int) -> M_co: ...
        def add(self) -> M_co: ...

    class MessageMap(Protocol[M_co]):
        """A map from names to messages; reading an absent key adds it."""

        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[str]: ...
        def __contains__(self, key: str) -> bool: ...
        def __getitem__(self, key: str) -> M_co: ...

    class LevelMap(Protocol[M_co]):
        """A map from priority levels to messages; reading an absent key adds it."""

        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[int]: ...
        def __contains__(self, key: int) -> bool: ...
        def __getitem__(self, key: int) -> M_co: ...

    class ModelTensorReshape(Message):
        shape: MutableSequence[int]

    class ModelInput(Message):
        name: str
        data_type: int
        format: int
        dims: MutableSequence[int]
        reshape: ModelTensorReshape
        is_shape_tensor: bool
        allow_ragged_batch: bool
        optional: bool

    class ModelOutput(Message):
        name: str
        data_type: int
        dims: MutableSequence[int]
        reshape: ModelTensorReshape
        label_filename: str
        is_shape_tensor: bool

    class BatchInput(Message):
        kind: int
        target_name: MutableSequence[str]
        data_type: int
        source_input: MutableSequence[str]

    class BatchOutput(Message):
        target_name: MutableSequence[str]
        kind: int
        source_input: MutableSequence[str]

    class Latest(Message):
        num_versions: int

    class Specific(Message):
        versions: MutableSequence[int]

    class ModelVersionPolicy(Message):
        latest: Latest
        specific: Specific

    class PinnedMemoryBuffer(Message):
        enable: bool

    class ModelOptimizationPolicy(Message):
        input_pinned_memory: PinnedMemoryBuffer
        output_pinned_memory: PinnedMemoryBuffer

    class ModelQueuePolicy(Message):
        timeout_action: int
        default_timeout_microseconds: int
        allow_timeout_override: bool
        max_queue_size: int

    class ModelDynamicBatching(Message):
        preferred_batch_size: MutableSequence[int]
        max_queue_delay_microseconds: int
        preserve_ordering: bool
        priority_levels: int
        default_priority_level: int
        default_queue_policy: ModelQueuePolicy
        priority_queue_policy: LevelMap[ModelQueuePolicy]

    class Control(Message):
        kind: int
        int32_false_true: MutableSequence[int]
        fp32_false_true: MutableSequence[float]
        bool_false_true: MutableSequence[bool]
        data_type: int

    class ControlInput(Message):
        name: str
        control: Messages[Control]

    class InitialState(Message):
        name: str
        data_type: int
        dims: MutableSequence[int]
        zero_data: bool
        data_file: str

    class State(Message):
        input_name: str
        output_name: str
        data_type: int
        dims: MutableSequence[int]
        initial_state: Messages[InitialState]
        use_same_buffer_for_input_output: bool
        use_growable_memory: bool

    class StrategyDirect(Message):
        max_queue_delay_microseconds: int
        minimum_slot_utilization: float

    class StrategyOldest(Message):
        max_candidate_sequences: int
        preferred_batch_size: MutableSequence[int]
        max_queue_delay_microseconds: int
        preserve_ordering: bool

    class ModelSequenceBatching(Message):
        direct: StrategyDirect
        oldest: StrategyOldest
        max_sequence_idle_microseconds: int
        control_input: Messages[ControlInput]
        state: Messages[State]
        iterative_sequence: bool

    class Step(Message):
        model_name: str
        model_version: int
        input_map: MutableMapping[str, str]
        output_map: MutableMapping[str, str]

    class ModelEnsembling(Message):
        step: Messages[Step]
        max_inflight_requests: int

    class Resource(Message):
        name: str
        count: int

    class ModelRateLimiter(Message):
        resources: Messages[Resource]
        priority: int

    class SecondaryDevice(Message):
        kind: int
        device_id: int

    class ModelInstanceGroup(Message):
        name: str
        kind: int
        count: int
        rate_limiter: ModelRateLimiter
        gpus: MutableSequence[int]
        profile: MutableSequence[str]
        secondary_devices: MutableSequence[SecondaryDevice]
        passive: bool
        host_policy: str

    class WarmupInput(Message):
        data_type: int
        dims: MutableSequence[int]
        zero_data: bool
        random_data: bool
        input_data_file: str

    class ModelWarmup(Message):
        name: str
        batch_size: int
        count: int
        inputs: MessageMap[WarmupInput]

    class ModelRepositoryAgent(Message):
        name: str

    class ModelRepositoryAgents(Message):
        agents: Messages[ModelRepositoryAgent]

    class ModelParameter(Message):
        string_value: str

    class ModelTransactionPolicy(Message):
        decoupled: bool

    class ModelResponseCache(Message):
        enable: bool

    class ModelConfig(Message):
        """The configuration of one model."""

        DESCRIPTOR: Descriptor
        name: str
        platform: str
        backend: str
        runtime: str
        version_policy: ModelVersionPolicy
        max_batch_size: int
        input: Messages[ModelInput]
        output: Messages[ModelOutput]
        batch_input: Messages[BatchInput]
        batch_output: Messages[BatchOutput]
        optimization: ModelOptimizationPolicy
        dynamic_batching: ModelDynamicBatching
        sequence_batching: ModelSequenceBatching
        ensemble_scheduling: ModelEnsembling
        instance_group: Messages[ModelInstanceGroup]
        default_model_filename: str
        cc_model_filenames: MutableMapping[str, str]
        metric_tags: MutableMapping[str, str]
        model_metrics: Any
        parameters: MessageMap[ModelParameter]
        model_warmup: Messages[ModelWarmup]
        model_transaction_policy: ModelTransactionPolicy
        response_cache: ModelResponseCache
        model_repository_agents: ModelRepositoryAgents
else:
    from tritonclient.grpc.model_config_pb2 import (
        ModelConfig,
        ModelInput,
        ModelInstanceGroup,
        ModelOutput,
        ModelQueuePolicy,
        ModelSequenceBatching,
        ModelWarmup,
    )

    Control = ModelSequenceBatching.Control
    InitialState = ModelSequenceBatching.InitialState
    State = ModelSequenceBatching.State

__all__ = [
    "Control",
    "InitialState",
    "ModelConfig",
    "ModelInput",
    "ModelInstanceGroup",
    "ModelOutput",
    "ModelQueuePolicy",
    "ModelWarmup",
    "State",
    "data_type_name",
    "enum_name",
]


def data_type_name(data_type: int) -> str:
    """A value of DataType as the protocol names it: 11 is "FP32"; STRING is "BYTES" there."""
    name = enum_name("DataType", data_type).removeprefix("TYPE_")
    return "BYTES" if name == "STRING" else name


def enum_name(enum: str, number: int) -> str:
    """Name of an enum's value, such as `enum_name("ModelInstanceGroup.Kind", 2)`; the number itself when nameless."""
    owner, _, nested = enum.rpartition(".")
    file = ModelConfig.DESCRIPTOR.file
    enums = file.message_types_by_name[owner].enum_types_by_name if owner else file.enum_types_by_name
    value = enums[nested].values_by_number.get(number)
    return value.name if value else str(number)
