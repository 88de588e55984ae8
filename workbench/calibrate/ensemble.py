# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The models of an ensemble, calibrated with what its steps really take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from workbench.calibrate.bench import Calibratable, Extent, calibrate_model
from workbench.config import EnsembleStepSpec, ensemble_spec, is_ensemble, parse_config
from workbench.errors import UnsupportedError
from workbench.load import synthetic_inputs
from workbench.simulate import EnsembleCalibration, instance_count

_Tensors = dict[str, Any]


def calibrate_ensemble(model: Calibratable, extent: Extent) -> EnsembleCalibration:
    """Measures each model of an ensemble's steps; see `calibrate`."""
    config = parse_config(model.config)
    steps = model.steps
    configs = {name: parse_config(step.config) for name, step in steps.items()}
    if nested := [name for name, one in configs.items() if is_ensemble(one)]:
        raise UnsupportedError(f"step {nested[0]!r} of {model.name!r} is an ensemble itself: that is not simulated")
    count = extent.instances or sum(map(instance_count, configs.values()))
    given = dict(synthetic_inputs(config, seed=extent.seed) if extent.inputs is None else extent.inputs)
    taken = _taken(model, ensemble_spec(config).steps, given)
    share = replace(extent, instances=count, budget_s=extent.budget_s / len(steps))
    models = {name: calibrate_model(steps[name], replace(share, inputs=tensors)) for name, tensors in taken.items()}
    return EnsembleCalibration(models, {name: steps[name].config for name in models}, model.name)


def _taken(model: Calibratable, steps: tuple[EnsembleStepSpec, ...], given: _Tensors) -> dict[str, _Tensors]:
    """What each model takes in one request to the ensemble; of one that several steps run on, what the first takes."""
    taken: dict[str, _Tensors] = {}
    for step, tensors in _run(model, steps, given):
        taken.setdefault(step.model_name, tensors)
    return taken


def _run(
    model: Calibratable, steps: tuple[EnsembleStepSpec, ...], given: _Tensors
) -> Iterator[tuple[EnsembleStepSpec, _Tensors]]:
    """The steps, in an order in which their inputs are made, with these inputs."""
    tensors, left = dict(given), list(steps)
    while left:
        step = next(step for step in left if all(source in tensors for _, source in step.inputs))
        left.remove(step)
        inputs = {name: tensors[source] for name, source in step.inputs}
        yield step, inputs
        if left:
            reply = model.steps[step.model_name].infer(inputs)
            tensors |= {target: reply[name] for name, target in step.outputs if name in reply}
