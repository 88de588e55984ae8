# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Rules of ensembles: their steps, and the tensors that flow between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workbench.config.message import ModelConfig
from workbench.config.rule import Problem, Rule, is_ensemble

_STEP: Final = "ensemble_scheduling.step"


def ensemble_has_platform_and_steps(config: ModelConfig) -> Iterator[Problem]:
    """`platform: "ensemble"` and `ensemble_scheduling` come together, with a step at least."""
    if not is_ensemble(config):
        return
    if not config.HasField("ensemble_scheduling"):
        yield Problem("platform", "an ensemble has steps", "write ensemble_scheduling { step [ … ] }")
    elif config.platform != "ensemble":
        yield Problem(
            "ensemble_scheduling",
            "only a model of platform ensemble has ensemble_scheduling",
            'write platform: "ensemble"',
        )
    elif not config.ensemble_scheduling.step:
        yield Problem("ensemble_scheduling", "an ensemble has at least one step", "write step [ { … } ]")


def ensemble_runs_nothing_itself(config: ModelConfig) -> Iterator[Problem]:
    """An ensemble has no backend, no instances, no optimization: its steps have."""
    if not is_ensemble(config):
        return
    if config.backend:
        yield Problem("backend", "an ensemble has no backend of its own", "remove backend")
    if config.instance_group:
        yield Problem("instance_group", "an ensemble has no instances of its own", "put them into its steps' models")
    if config.HasField("optimization"):
        yield Problem("optimization", "an ensemble has nothing to optimize itself", "put it into its steps' models")


def steps_name_models_and_tensors(config: ModelConfig) -> Iterator[Problem]:
    """A step names its model and maps inputs and outputs."""
    for index, step in enumerate(config.ensemble_scheduling.step):
        path = f"{_STEP}[{index}]"
        if not step.model_name:
            yield Problem(path, "a step names the model that it runs", 'write model_name: "…"')
        for name, tensors in (("input_map", step.input_map), ("output_map", step.output_map)):
            if not tensors:
                yield Problem(path, f"a step has an {name}", f'write {name} {{ key: "…" value: "…" }}')
            for key in sorted(tensors):
                if not tensors[key]:
                    yield Problem(f'{path}.{name}["{key}"]', f"{key!r} is mapped to no tensor", 'write value: "…"')


def tensors_have_one_producer(config: ModelConfig) -> Iterator[Problem]:
    """A tensor comes from one step, or from the ensemble's input."""
    producers = {tensor.name: "the ensemble's input" for tensor in config.input}
    for index, step in enumerate(config.ensemble_scheduling.step):
        for key in sorted(step.output_map):
            tensor = step.output_map[key]
            if tensor in producers:
                yield Problem(
                    f'{_STEP}[{index}].output_map["{key}"]',
                    f"tensor {tensor!r} comes from {producers[tensor]} already",
                    "give it another name",
                )
            producers[tensor] = f"step {index}"


def tensors_are_produced_and_used(config: ModelConfig) -> Iterator[Problem]:
    """Each input of the ensemble is used, each output produced, and what a step uses is there."""
    steps = config.ensemble_scheduling.step
    if not len(steps):
        return
    used = {tensor for step in steps for tensor in step.input_map.values()}
    produced = {tensor for step in steps for tensor in step.output_map.values()}
    for index, tensor in enumerate(config.input):
        if tensor.name not in used:
            yield Problem(f"input[{index}]", f"no step uses the input {tensor.name!r}", "name it in an input_map")
    for index, output in enumerate(config.output):
        if output.name not in produced:
            yield Problem(
                f"output[{index}]", f"no step produces the output {output.name!r}", "name it in an output_map"
            )
    yield from _unused_tensors(config, used | {output.name for output in config.output})
    yield from _unfed_steps(config, produced | {tensor.name for tensor in config.input})


def _unused_tensors(config: ModelConfig, used: set[str]) -> Iterator[Problem]:
    for index, step in enumerate(config.ensemble_scheduling.step):
        for key in sorted(step.output_map):
            if step.output_map[key] not in used:
                yield Problem(
                    f'{_STEP}[{index}].output_map["{key}"]',
                    f"nothing uses the tensor {step.output_map[key]!r}",
                    "name it in an input_map or as an output, or leave it out of the output_map",
                )


def _unfed_steps(config: ModelConfig, available: set[str]) -> Iterator[Problem]:
    for index, step in enumerate(config.ensemble_scheduling.step):
        for key in sorted(step.input_map):
            if step.input_map[key] not in available:
                yield Problem(
                    f'{_STEP}[{index}].input_map["{key}"]',
                    f"nothing produces the tensor {step.input_map[key]!r}",
                    f"the tensors are {', '.join(sorted(available))}",
                )


def tensors_run_in_no_circle(config: ModelConfig) -> Iterator[Problem]:
    """What a step uses is there before it runs."""
    available = {tensor.name for tensor in config.input}
    waiting = dict(enumerate(config.ensemble_scheduling.step))
    known = available | {tensor for step in waiting.values() for tensor in step.output_map.values()}
    while ready := [index for index, step in waiting.items() if available >= known & set(step.input_map.values())]:
        for index in ready:
            available |= set(waiting.pop(index).output_map.values())
    for index, step in waiting.items():
        yield Problem(f"{_STEP}[{index}]", f"step {step.model_name!r} waits for itself: its tensors run in a circle")


RULES: Final[tuple[Rule, ...]] = (ensemble_runs_nothing_itself,)

COMPLETE_RULES: Final[tuple[Rule, ...]] = (
    ensemble_has_platform_and_steps,
    steps_name_models_and_tensors,
    tensors_have_one_producer,
    tensors_are_produced_and_used,
    tensors_run_in_no_circle,
)
