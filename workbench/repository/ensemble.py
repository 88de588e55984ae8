# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Ensembles against the configurations of the models that their steps run on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.config import ModelConfig, Problem, data_type_name

_STEP = "ensemble_scheduling.step"


def step_models(config: ModelConfig) -> tuple[str, ...]:
    """Names of the models that the steps run on, each once."""
    return tuple(dict.fromkeys(step.model_name for step in config.ensemble_scheduling.step))


@dataclass(frozen=True, slots=True)
class _Use:
    """One place where a tensor is declared: the ensemble's own, or the input or output of a step's model."""

    path: str
    where: str
    data_type: str
    dims: tuple[int, ...]
    is_batched: bool

    @classmethod
    def of(cls, path: str, where: str, tensor: Any, config: ModelConfig) -> _Use:
        return cls(path, where, data_type_name(tensor.data_type), tuple(tensor.dims), config.max_batch_size > 0)

    @property
    def full_dims(self) -> tuple[int, ...]:
        return (-1, *self.dims) if self.is_batched else self.dims


def find_graph_problems(config: ModelConfig, models: Sequence[ModelConfig]) -> Iterator[Problem]:
    """What is wrong with an ensemble whose text is right by itself.

    Args:
        config: the ensemble's completed configuration.
        models: the configuration of each step's model.
    """
    steps = config.ensemble_scheduling.step
    for index, model in enumerate(models):
        yield from _batch_problems(config, index, model)
        yield from _mapping_problems(index, "input_map", steps[index].input_map, model)
        yield from _mapping_problems(index, "output_map", steps[index].output_map, model)
        yield from _unmapped_inputs(index, steps[index].input_map, model)
    yield from _tensor_problems(config, models)
    yield from _origin_problems(config, models)


def _batch_problems(config: ModelConfig, index: int, model: ModelConfig) -> Iterator[Problem]:
    if 0 < model.max_batch_size < config.max_batch_size:
        yield Problem(
            "max_batch_size",
            f"the ensemble takes batches of {config.max_batch_size}, but model {model.name!r} of step {index} takes "
            f"{model.max_batch_size}",
            f"set max_batch_size: {model.max_batch_size} or less",
            "load",
        )


def _mapping_problems(index: int, name: str, mapping: Mapping[str, str], model: ModelConfig) -> Iterator[Problem]:
    kind, tensors = ("input", model.input) if name == "input_map" else ("output", model.output)
    known = [tensor.name for tensor in tensors]
    for key in sorted(mapping):
        if key not in known:
            yield Problem(
                f'{_STEP}[{index}].{name}["{key}"]',
                f"tensor {mapping[key]!r} is mapped to {kind} {key!r}, which model {model.name!r} does not have",
                f"its {kind}s are {', '.join(known)}",
                "load",
            )


def _unmapped_inputs(index: int, mapping: Mapping[str, str], model: ModelConfig) -> Iterator[Problem]:
    for tensor in model.input:
        if tensor.name not in mapping and not tensor.optional:
            yield Problem(
                f"{_STEP}[{index}]",
                f"input {tensor.name!r} of model {model.name!r} is mapped to no tensor",
                f'write input_map {{ key: "{tensor.name}" value: "…" }}',
                "load",
            )


def _uses(config: ModelConfig, models: Sequence[ModelConfig]) -> Iterator[tuple[str, _Use]]:
    own: tuple[tuple[str, Iterable[Any]], ...] = (("input", config.input), ("output", config.output))
    for field, declared in own:
        for number, tensor in enumerate(declared):
            yield tensor.name, _Use.of(f"{field}[{number}]", "the ensemble", tensor, config)
    for index, (step, model) in enumerate(zip(config.ensemble_scheduling.step, models, strict=True)):
        sides: tuple[tuple[str, Mapping[str, str], Iterable[Any]], ...] = (
            ("input_map", step.input_map, model.input),
            ("output_map", step.output_map, model.output),
        )
        for name, mapping, tensors in sides:
            for tensor in tensors:
                if tensor.name in mapping:
                    path = f'{_STEP}[{index}].{name}["{tensor.name}"]'
                    yield mapping[tensor.name], _Use.of(path, f"model {model.name!r}", tensor, model)


def _tensor_problems(config: ModelConfig, models: Sequence[ModelConfig]) -> Iterator[Problem]:
    first: dict[str, _Use] = {}
    for name, use in _uses(config, models):
        other = first.setdefault(name, use)
        if use.data_type != other.data_type:
            words = f"tensor {name!r} is {other.data_type} to {other.where}, but {use.data_type} to {use.where}"
            yield Problem(use.path, words, "let both have one data_type", "load")
        elif not _fit(use, other):
            words = (
                f"tensor {name!r} is {list(other.full_dims)} to {other.where}, but {list(use.full_dims)} to {use.where}"
            )
            yield Problem(use.path, words, "let both have dims that agree; -1 agrees with any", "load")


def _fit(one: _Use, other: _Use) -> bool:
    return _agree(one.dims, other.dims) or _agree(one.full_dims, other.full_dims)


def _agree(one: Sequence[int], other: Sequence[int]) -> bool:
    return len(one) == len(other) and all(-1 in (a, b) or a == b for a, b in zip(one, other, strict=True))


def _origin_problems(config: ModelConfig, models: Sequence[ModelConfig]) -> Iterator[Problem]:
    """What one step takes, and what the ensemble answers with, derives from one decoupled step, or from none."""
    origins: dict[str, int | None] = {tensor.name: None for tensor in config.input}
    waiting = dict(enumerate(config.ensemble_scheduling.step))
    while ready := [index for index, step in waiting.items() if origins.keys() >= set(step.input_map.values())]:
        for index in ready:
            step = waiting.pop(index)
            yield from _mixture(f"{_STEP}[{index}]", f"step {step.model_name!r}", step.input_map.values(), origins)
            is_decoupled = models[index].model_transaction_policy.decoupled
            origin = index if is_decoupled else next((origins[name] for name in step.input_map.values()), None)
            origins.update(dict.fromkeys(step.output_map.values(), origin))
    yield from _mixture("output", "the ensemble", [tensor.name for tensor in config.output], origins)


def _mixture(path: str, who: str, tensors: Iterable[str], origins: Mapping[str, int | None]) -> Iterator[Problem]:
    names = sorted(set(tensors) & origins.keys())
    others = [name for name in names if origins[name] != origins[names[0]]]
    if others:
        yield Problem(
            path,
            f"{who} takes tensors {names[0]!r} and {others[0]!r}, which derive from different decoupled steps and so "
            f"come in different numbers",
            "let a decoupled step hand on whatever is needed after it",
            "load",
        )
