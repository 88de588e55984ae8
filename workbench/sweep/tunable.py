# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sweep turns: a model whose configuration can be changed while it serves, and put back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from workbench.config import ModelConfig, parse_config
from workbench.errors import InvalidArgumentError
from workbench.load import ModelTarget, ServedModel, Target
from workbench.sweep.space import Candidate


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

    def apply(self, candidate: Candidate) -> None:
        """Serves with the candidate; raises what the server refuses, and then serves as before."""

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
    )


def tuned_config(config: ModelConfig, candidate: Candidate) -> ModelConfig:
    """A copy of `config` with the candidate's values; every other field stays."""
    tuned = ModelConfig()
    tuned.CopyFrom(config)
    tuned.max_batch_size = candidate.max_batch_size
    tuned.dynamic_batching.SetInParent()
    tuned.dynamic_batching.ClearField("preferred_batch_size")
    tuned.dynamic_batching.preferred_batch_size.extend(candidate.preferred_batch_size)
    tuned.dynamic_batching.max_queue_delay_microseconds = candidate.max_queue_delay_microseconds
    for group in tuned.instance_group or [tuned.instance_group.add()]:
        group.count = candidate.count
    return tuned


def _whole_fields(config: ModelConfig) -> dict[str, Any]:
    return {
        "max_batch_size": config.max_batch_size,
        "dynamic_batching": config.dynamic_batching if config.HasField("dynamic_batching") else None,
        "instance_group": list(config.instance_group),
    }
