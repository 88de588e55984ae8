# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a served model would do with other settings, without touching it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from workbench.calibrate.bench import Calibratable
from workbench.calibrate.calibrate import calibrate
from workbench.config import ModelConfig, parse_config
from workbench.display import Report
from workbench.errors import InvalidArgumentError
from workbench.server import changed
from workbench.simulate import AnyCalibration, EnsembleCalibration, Prediction, predict

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
_REMEMBERED: Final[dict[tuple[str, int, bytes], AnyCalibration]] = {}


def what_if(
    model: Calibratable,
    *,
    rate: float,
    calibration: AnyCalibration | None = None,
    requests: int = 50_000,
    seed: int = 1,
    progress: bool | Report = False,
    steps: Mapping[str, Mapping[str, Any]] = _NONE,
    **fields: Any,
) -> Prediction:
    """What the model would do with these fields changed, under Poisson arrivals.

    Args:
        model: of a server.
        rate: requests per second.
        calibration: how long its executions take; None to measure that, once, which takes some seconds and the model.
        requests: how many are simulated.
        seed: of the arrivals.
        progress: of calibrating: true for a bar, or a callable.
        steps: of an ensemble, by the name of a step's model, the fields of that model's configuration.
        fields: of the configuration, by their own names, as `reconfigure` takes them.

    Raises:
        InvalidArgumentError: the configuration has no such field.
        ConfigError: a value that the field can not hold.
        As `calibrate` and `simulate` do.
    """
    calibration = calibration or remembered_calibration(model, progress=progress)
    if unknown := sorted(set(steps) - set(model.steps if steps else ())):
        raise InvalidArgumentError(f"{model.name!r} has no step on model {', '.join(unknown)}")
    if isinstance(calibration, EnsembleCalibration):
        running = {name: parse_config(step.config) for name, step in model.steps.items()}
        calibration = calibration.configured({name: changed(one, steps.get(name, {})) for name, one in running.items()})
    config = changed(parse_config(model.config), fields)
    return predict(config, calibration, rate=rate, requests=requests, seed=seed)


def remembered_calibration(
    model: Calibratable, *, again: bool = False, progress: bool | Report = False
) -> AnyCalibration:
    """The model's calibration, measured when it is asked for first, or `again`.

    It holds for as long as nothing of the configuration changes but batching and instances.
    """
    key = model.name, model.version, _rest(parse_config(model.config))
    if again or key not in _REMEMBERED:
        _REMEMBERED[key] = calibrate(model, progress=progress)
    return _REMEMBERED[key]


def _rest(config: ModelConfig) -> bytes:
    rest = ModelConfig()
    rest.CopyFrom(config)
    for name in ("dynamic_batching", "instance_group", "max_batch_size"):
        rest.ClearField(name)
    return rest.SerializeToString(deterministic=True)
