# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""An ensemble as the native core simulates it: its graph, and its models that share the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.config import BatchingSpec, ModelConfig, ensemble_spec, is_ensemble, write_config
from workbench.display import ShownAsText
from workbench.errors import InvalidArgumentError, UnsupportedError
from workbench.simulate.calibration import Calibration
from workbench.simulate.cell import (
    Cell,
    EnsembleCell,
    Requests,
    Service,
    Station,
    instance_count,
    loaded,
    model_config,
    station_of,
)
from workbench.simulate.theory import capacity
from workbench.simulate.traffic import Traffic

_UNDISTURBED: Final = 0.97
"""A model whose instances keep that much of their speed beside each other leaves the processors to others."""


@dataclass(frozen=True, slots=True)
class EnsembleCalibration(ShownAsText):
    """The calibrations of the models that an ensemble's steps run on, and their configurations.

    Args:
        models: calibrations by the model's name, in the order of the steps.
        configs: texts of the models' configurations.
        model: the ensemble.
    """

    models: Mapping[str, Calibration]
    configs: Mapping[str, str] = field(repr=False)
    model: str = ""

    def __post_init__(self) -> None:
        if not self.models or set(self.models) != set(self.configs):
            raise InvalidArgumentError("an ensemble's calibration has a calibration and a configuration of each model")
        for name in ("models", "configs"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[Any, ...]:
        return EnsembleCalibration.from_mapping, (self.to_mapping(),)

    @property
    def overhead_ns(self) -> float:
        """What a request takes besides queues and services: its way into each model, one after the other."""
        return sum(calibration.overhead_ns for calibration in self.models.values())

    def configured(self, configs: Mapping[str, ModelConfig | str]) -> EnsembleCalibration:
        """The same with other configurations of some models.

        Raises:
            InvalidArgumentError: the ensemble has no such model.
        """
        if unknown := sorted(set(configs) - set(self.models)):
            known = ", ".join(self.models)
            raise InvalidArgumentError(f"the ensemble has no step on model {', '.join(unknown)}; it has {known}")
        texts = {name: one if isinstance(one, str) else write_config(one) for name, one in configs.items()}
        return replace(self, configs={**self.configs, **texts})

    def to_mapping(self) -> dict[str, Any]:
        """Plain values, as they are stored."""
        models = {name: calibration.to_mapping() for name, calibration in self.models.items()}
        return {"models": models, "configs": dict(self.configs), "model": self.model}

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> EnsembleCalibration:
        """The reverse of `to_mapping`.

        Raises:
            InvalidArgumentError: something is missing, or no calibration.
        """
        try:
            models = {name: Calibration.from_mapping(one) for name, one in values["models"].items()}
            return cls(models, values["configs"], values.get("model", ""))
        except (AttributeError, KeyError, TypeError) as error:
            raise InvalidArgumentError(f"no calibration of an ensemble: {error}") from error

    def __str__(self) -> str:
        return f"{self.model or 'ensemble'}: " + "; ".join(map(str, self.models.values()))


def ensemble_cell_of(
    config: ModelConfig,
    calibration: EnsembleCalibration,
    workload: Traffic,
    schedule_ns: NDArray[np.int64],
    requests: Requests,
    *,
    rate_limits: Mapping[str, int] | None = None,
) -> Cell:
    """The simulation of an ensemble under a load.

    Raises:
        InvalidArgumentError: a model of its steps is not calibrated.
        UnsupportedError: steps that are not simulated.
    """
    configs = {name: model_config(text) for name, text in calibration.configs.items()}
    graph = ensemble_spec(
        config, decoupled_steps=[n for n, c in configs.items() if c.model_transaction_policy.decoupled]
    )
    names = tuple(calibration.models)
    if missing := sorted({step.model_name for step in graph.steps} - set(names)):
        raise InvalidArgumentError(f"no calibration of {', '.join(missing)}, on which {config.name!r} runs")
    counts = {name: instance_count(one, rate_limits) for name, one in configs.items()}
    ensemble = EnsembleCell(
        graph=graph,
        inputs=tuple(tensor.name for tensor in config.input),
        outputs=tuple(tensor.name for tensor in config.output),
        models=tuple(_station(configs[name], calibration.models[name], counts, name) for name in names),
        model_of_step=tuple(names.index(step.model_name) for step in graph.steps),
    )
    most = min(capacity(calibration.models[n], configs[n].max_batch_size, instances=counts[n]) for n in names)
    whole = Service((1,), (), (), round(calibration.overhead_ns), 0, 0, 0)
    station = Station(BatchingSpec(), max(config.max_batch_size, 1), 1, whole)
    return loaded(station, workload, schedule_ns, requests, per_s=most, ensemble=ensemble)


def _station(config: ModelConfig, calibration: Calibration, counts: Mapping[str, int], name: str) -> Station:
    """One model; all instances of all models together may disturb each of its own."""
    if is_ensemble(config):
        raise UnsupportedError(f"step {name!r} is an ensemble itself: that is not simulated")
    if config.HasField("sequence_batching"):
        raise UnsupportedError(f"step {name!r} has sequences: that is not simulated in an ensemble")
    size = max(config.max_batch_size, 1)
    service = Service.of(calibration, max_batch_size=size, instances=sum(counts.values()))
    is_apart = min(service.speeds, default=1.0) > _UNDISTURBED
    return station_of(config, replace(service, speeds=()) if is_apart else service, counts[name])
