# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A model as the native core is told of it: plain frozen values, made from a completed configuration."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Literal

from workbench.config.instance_spec import InstanceSpec, instance_specs
from workbench.config.message import (
    ModelConfig,
    ModelInput,
    ModelOutput,
    ModelQueuePolicy,
    data_type_name,
    enum_name,
)
from workbench.config.metrics import first_response_buckets_ms, metric_tags
from workbench.config.rule import is_ensemble
from workbench.config.sequence_spec import SequenceSpec, sequence_spec
from workbench.config.to_json import to_json
from workbench.config.warmup import WarmupSpec


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """An input or output.

    `data_type` is named as in the protocol ("FP32", "BYTES"); `dims` leave out the batch, -1 stands for a size that
    varies; `reshape` is the shape that the backend sees, None where it is `dims`; `labels` name the classes of an
    output, by index.
    """

    name: str
    data_type: str
    dims: tuple[int, ...]
    reshape: tuple[int, ...] | None = None
    optional: bool = False
    is_shape_tensor: bool = False
    allow_ragged: bool = False
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueuePolicySpec:
    """What happens to requests that wait: timeouts in microseconds (0: none), most requests in the queue (0: any)."""

    timeout_action: Literal["REJECT", "DELAY"] = "REJECT"
    default_timeout_us: int = 0
    allow_timeout_override: bool = False
    max_queue_size: int = 0


@dataclass(frozen=True, slots=True)
class BatchingSpec:
    """How requests are batched; with `dynamic` false each runs by itself, unless there is a `sequence`."""

    dynamic: bool = False
    preferred_batch_size: tuple[int, ...] = ()
    max_queue_delay_ns: int = 0
    preserve_ordering: bool = False
    priority_levels: int = 0
    default_priority_level: int = 0
    default_policy: QueuePolicySpec = QueuePolicySpec()
    level_policies: Mapping[int, QueuePolicySpec] = field(default_factory=dict)
    sequence: SequenceSpec | None = None


@dataclass(frozen=True, slots=True)
class EnsembleStepSpec:
    """A step of an ensemble.

    `inputs` and `outputs` pair the model's own name of a tensor with the ensemble's; `decoupled` says that the model
    answers any number of times.
    """

    model_name: str
    model_version: int
    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[tuple[str, str], ...]
    decoupled: bool = False


@dataclass(frozen=True, slots=True)
class EnsembleSpec:
    """How an ensemble runs: its steps, and how many answers of a decoupled one are under way at once (0: any)."""

    steps: tuple[EnsembleStepSpec, ...]
    max_inflight_requests: int = 0


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """All that the core needs to know of one version of a model.

    `path` is the model's folder; `batch_strategy` the shared object that decides which requests share a batch, "" where
    the server's own rules do; with `may_auto_complete` the backend may complete the configuration.
    """

    name: str
    version: int
    path: str
    max_batch_size: int
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    batching: BatchingSpec
    instances: tuple[InstanceSpec, ...]
    backend: str
    config_json: str
    decoupled: bool = False
    metric_tags: tuple[tuple[str, str], ...] = ()
    first_response_buckets_ms: tuple[float, ...] = ()
    response_cache: bool = False
    batch_strategy: str = ""
    warmup: tuple[WarmupSpec, ...] = ()
    may_auto_complete: bool = True
    ensemble: EnsembleSpec | None = None


def model_spec(
    config: ModelConfig,
    *,
    version: int,
    path: str | PathLike[str],
    labels: Mapping[str, tuple[str, ...]] | None = None,
    decoupled_steps: Collection[str] = (),
) -> ModelSpec:
    """The spec of `version` of a completed configuration, whose model lies in the folder `path`.

    Args:
        config: the configuration.
        version: the version.
        path: the folder.
        labels: names of classes, by the outputs that have them.
        decoupled_steps: those of an ensemble's models that are decoupled.
    """
    return ModelSpec(
        name=config.name,
        version=version,
        path=fspath(path),
        max_batch_size=config.max_batch_size,
        inputs=tuple(_input(tensor) for tensor in config.input),
        outputs=tuple(_output(tensor, (labels or {}).get(tensor.name, ())) for tensor in config.output),
        batching=batching_spec(config),
        instances=tuple(instance_specs(config)),
        backend=config.backend,
        config_json=to_json(config),
        decoupled=config.model_transaction_policy.decoupled,
        metric_tags=metric_tags(config),
        first_response_buckets_ms=first_response_buckets_ms(config),
        response_cache=config.response_cache.enable,
        ensemble=ensemble_spec(config, decoupled_steps=decoupled_steps) if is_ensemble(config) else None,
    )


def batching_spec(config: ModelConfig) -> BatchingSpec:
    """How a completed configuration batches."""
    if config.HasField("sequence_batching"):
        return _sequence_batching(config)
    batching = config.dynamic_batching
    policies = {level: _policy(batching.priority_queue_policy[level]) for level in batching.priority_queue_policy}
    return BatchingSpec(
        dynamic=config.HasField("dynamic_batching"),
        preferred_batch_size=tuple(batching.preferred_batch_size),
        max_queue_delay_ns=_delay_ns(batching.max_queue_delay_microseconds),
        preserve_ordering=batching.preserve_ordering,
        priority_levels=batching.priority_levels,
        default_priority_level=batching.default_priority_level,
        default_policy=_policy(batching.default_queue_policy),
        level_policies=policies,
    )


def ensemble_spec(config: ModelConfig, *, decoupled_steps: Collection[str] = ()) -> EnsembleSpec:
    """Of an ensemble; `decoupled_steps` are the models of its steps that answer any number of times."""
    steps = tuple(
        EnsembleStepSpec(
            model_name=step.model_name,
            model_version=step.model_version,
            inputs=tuple(sorted(step.input_map.items())),
            outputs=tuple(sorted(step.output_map.items())),
            decoupled=step.model_name in decoupled_steps,
        )
        for step in config.ensemble_scheduling.step
    )
    return EnsembleSpec(steps, config.ensemble_scheduling.max_inflight_requests)


def _sequence_batching(config: ModelConfig) -> BatchingSpec:
    sequence = config.sequence_batching
    if not sequence.HasField("oldest"):
        delay_ns = _delay_ns(sequence.direct.max_queue_delay_microseconds)
        return BatchingSpec(max_queue_delay_ns=delay_ns, sequence=sequence_spec(config))
    return BatchingSpec(
        preferred_batch_size=tuple(sequence.oldest.preferred_batch_size),
        max_queue_delay_ns=_delay_ns(sequence.oldest.max_queue_delay_microseconds),
        preserve_ordering=sequence.oldest.preserve_ordering,
        sequence=sequence_spec(config),
    )


def _delay_ns(microseconds: int) -> int:
    # The core keeps times in 64 bits of nanoseconds: about 292 years, which no queue outlives.
    return min(microseconds * 1000, 2**63 - 1)


def _policy(policy: ModelQueuePolicy) -> QueuePolicySpec:
    action = enum_name("ModelQueuePolicy.TimeoutAction", policy.timeout_action)
    return QueuePolicySpec(
        timeout_action="DELAY" if action == "DELAY" else "REJECT",
        default_timeout_us=policy.default_timeout_microseconds,
        allow_timeout_override=policy.allow_timeout_override,
        max_queue_size=policy.max_queue_size,
    )


def _input(tensor: ModelInput) -> TensorSpec:
    return TensorSpec(
        name=tensor.name,
        data_type=data_type_name(tensor.data_type),
        dims=tuple(tensor.dims),
        reshape=_reshape(tensor),
        optional=tensor.optional,
        is_shape_tensor=tensor.is_shape_tensor,
        allow_ragged=tensor.allow_ragged_batch,
    )


def _output(tensor: ModelOutput, labels: tuple[str, ...]) -> TensorSpec:
    return TensorSpec(
        name=tensor.name,
        data_type=data_type_name(tensor.data_type),
        dims=tuple(tensor.dims),
        reshape=_reshape(tensor),
        is_shape_tensor=tensor.is_shape_tensor,
        labels=labels,
    )


def _reshape(tensor: ModelInput | ModelOutput) -> tuple[int, ...] | None:
    return tuple(tensor.reshape.shape) if tensor.HasField("reshape") else None
