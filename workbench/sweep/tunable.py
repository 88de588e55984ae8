# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sweep turns: a model whose configuration can be changed while it serves, and put back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol, runtime_checkable

from workbench.config import ModelConfig, find_problems, is_ensemble, parse_config, write_config
from workbench.errors import InvalidArgumentError
from workbench.load import ModelTarget, ServedModel, Target
from workbench.sweep.candidate import UNLIMITED, Candidate, QueuePolicy


@runtime_checkable
class Tunable(Protocol):
    """A model under a sweep."""

    @property
    def name(self) -> str:
        """The model's name."""

    @property
    def base(self) -> Candidate:
        """How it was configured when the sweep began."""

    @property
    def target(self) -> Target:
        """What is driven."""

    @property
    def config(self) -> str:
        """Text of the configuration that serves now."""

    def objection(self, candidate: Candidate) -> str:
        """Why no server would run the candidate; the empty text where it would."""

    def config_of(self, candidate: Candidate) -> str:
        """Text of the configuration with the candidate's values."""

    def apply(self, candidate: Candidate) -> None:
        """Serves with the candidate; raises what the server refuses, and then serves as before."""

    def memory_bytes(self) -> int:
        """What the model holds of all memories, as far as its backend tells; 0 where it does not."""

    def restore(self) -> None:
        """Serves as before the sweep."""


class ReconfigurableModel(ServedModel, Protocol):
    """What `TunableModel` needs of `workbench.server.Model`."""

    def reconfigure(self, **fields: Any) -> None:
        """Changes fields of the configuration, live or by a reload in the background."""


class TunableModel:
    """A model of a server.

    Raises:
        InvalidArgumentError: the model's scheduler has nothing that a sweep searches.
    """

    def __init__(self, model: ReconfigurableModel, *, inputs: Mapping[str, Any] | None = None, seed: int = 1) -> None:
        self._model = model
        self._original = parse_config(model.config)
        if is_ensemble(self._original):
            raise InvalidArgumentError(
                f"a sweep tunes one model, and {model.name!r} is an ensemble: sweep the models of its steps one by "
                "one; what_if(ensemble, rate=..., steps={...}) predicts what that does to the whole"
            )
        scheduler = self._original.WhichOneof("scheduling_choice")
        if scheduler not in (None, "dynamic_batching"):
            raise InvalidArgumentError(f"a sweep searches dynamic batching; {model.name!r} has {scheduler}")
        self._base = candidate_of(self._original)
        self._target = ModelTarget(model, inputs=inputs, seed=seed)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def base(self) -> Candidate:
        """How it was configured when the sweep began."""
        return self._base

    @property
    def target(self) -> Target:
        """The served model."""
        return self._target

    @property
    def config(self) -> str:
        """Text of the configuration that serves now."""
        return self._model.config

    def objection(self, candidate: Candidate) -> str:
        """The first rule of configurations that the candidate breaks and the model as it is does not."""
        known = {problem.message for problem in find_problems(self._original)}
        problems = find_problems(tuned_config(self._original, candidate))
        return next((f"{p.path}: {p.message}" for p in problems if p.message not in known), "")

    def config_of(self, candidate: Candidate) -> str:
        """Text of the configuration with the candidate's values."""
        return write_config(tuned_config(self._original, candidate))

    def memory_bytes(self) -> int:
        """What the backend says that the model holds."""
        return sum(usage.byte_size for usage in self._model.statistics().memory_usage)

    def apply(self, candidate: Candidate) -> None:
        """Serves with the candidate."""
        tuned = tuned_config(self._original, candidate)
        self._model.reconfigure(**_whole_fields(tuned))

    def restore(self) -> None:
        """Serves as before the sweep."""
        self._model.reconfigure(**_whole_fields(self._original))


def candidate_of(config: ModelConfig) -> Candidate:
    """The searched fields of a configuration; preferring the largest size alone is the rule where none is given."""
    batching = config.dynamic_batching
    preferred = tuple(batching.preferred_batch_size)
    return Candidate(
        max_batch_size=config.max_batch_size,
        preferred_batch_size=() if preferred == (config.max_batch_size,) else preferred,
        max_queue_delay_microseconds=batching.max_queue_delay_microseconds,
        count=max([group.count for group in config.instance_group], default=1) or 1,
        dynamic_batching=config.HasField("dynamic_batching"),
        priority_levels=batching.priority_levels,
        default_queue_policy=_policy_of(config),
    )


def tuned_config(config: ModelConfig, candidate: Candidate) -> ModelConfig:
    """A copy of `config` with the candidate's values; every other field stays."""
    tuned = ModelConfig()
    tuned.CopyFrom(config)
    tuned.max_batch_size = candidate.max_batch_size
    for group in tuned.instance_group or [tuned.instance_group.add()]:
        group.count = candidate.count
    if not candidate.dynamic_batching:
        tuned.ClearField("dynamic_batching")
        return tuned
    batching = tuned.dynamic_batching
    batching.SetInParent()
    batching.ClearField("preferred_batch_size")
    batching.preferred_batch_size.extend(candidate.preferred_batch_size)
    batching.max_queue_delay_microseconds = candidate.max_queue_delay_microseconds
    _set_levels(batching, candidate.priority_levels)
    _set_policy(batching, candidate.default_queue_policy)
    return tuned


def _policy_of(config: ModelConfig) -> QueuePolicy:
    if not config.dynamic_batching.HasField("default_queue_policy"):
        return UNLIMITED
    policy = config.dynamic_batching.default_queue_policy
    return QueuePolicy(
        timeout_action="DELAY" if policy.timeout_action else "REJECT",
        default_timeout_microseconds=policy.default_timeout_microseconds,
        allow_timeout_override=policy.allow_timeout_override,
        max_queue_size=policy.max_queue_size,
    )


def _set_levels(batching: Any, levels: int) -> None:
    if batching.priority_levels == levels:
        return
    batching.priority_levels = levels
    default = batching.default_priority_level
    # Requests that name no level take the middle one, where the old default is no level any more.
    batching.default_priority_level = default if 1 <= default <= levels else (levels + 1) // 2


def _set_policy(batching: Any, policy: QueuePolicy) -> None:
    if policy == UNLIMITED:
        batching.ClearField("default_queue_policy")
        return
    for name, value in asdict(policy).items():
        is_enum = name == "timeout_action"
        setattr(batching.default_queue_policy, name, int(value == "DELAY") if is_enum else value)


def _whole_fields(config: ModelConfig) -> dict[str, Any]:
    return {
        "max_batch_size": config.max_batch_size,
        "dynamic_batching": config.dynamic_batching if config.HasField("dynamic_batching") else None,
        "instance_group": list(config.instance_group),
    }
