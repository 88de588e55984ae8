# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A served model as target: requests go from the native generator straight into the engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.config import parse_config
from workbench.errors import error_for
from workbench.load.inputs import declared_type
from workbench.load.native_run import PLANNED_OF_A_CLOSED_LOOP, start_planned
from workbench.load.sample import Sample
from workbench.load.sent import Sending, Sent
from workbench.load.statistics import summed
from workbench.load.target import LoadRun
from workbench.load.workload import Workload
from workbench.tensors import to_wire


class ServedModel(Protocol):
    """What a target needs of `workbench.server.Model`."""

    @property
    def name(self) -> str:
        """The model."""

    @property
    def version(self) -> int:
        """Its version, -1 for the highest."""

    @property
    def config(self) -> str:
        """Text of the configuration that runs."""

    @property
    def engine(self) -> Any:
        """The `_native.Engine` that serves it."""

    def statistics(self) -> Any:
        """A snapshot."""


class ModelTarget:
    """Drives a served model, and those of the samples that name another, in this process.

    Args:
        model: of a server.
        sent: what is sent, see `Sent`.

    The configuration is read when a run starts, so a model that was reloaded meanwhile is driven as it is now.
    """

    def __init__(self, model: ServedModel, **sent: Unpack[Sent]) -> None:
        self._model = model
        self._sending = Sending(**sent)

    @property
    def name(self) -> str:
        """The model's name, or those of the mix."""
        return " + ".join(dict.fromkeys(model.name for model in self._models()))

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run; raises what the engine refuses, such as NotFoundError."""
        mix = self._sending.mix(parse_config(self._model.config))
        count = len(schedule_ns) or workload.requests or PLANNED_OF_A_CLOSED_LOOP
        samples = [self._sample(sample) for sample in mix.samples]

        def connect(plan: NDArray[Any]) -> Any:
            return _native.engine_target(self._model.engine, samples=samples, plan=plan)

        try:
            return start_planned(connect, mix.plan(count), workload, schedule_ns)
        except _native.StatusError as error:
            raise error_for(error.code, str(error)) from error

    def statistics(self) -> Any:
        """The models' statistics now."""
        models = self._models()
        return models[0].statistics() if len(models) == 1 else summed(model.statistics() for model in models)

    def _models(self) -> list[ServedModel]:
        """Each once; of plain arrays and files, the driven one."""
        if self._sending.inputs is None or isinstance(self._sending.inputs, Mapping | str | Path):
            return [self._model]
        samples = [self._sending.inputs] if isinstance(self._sending.inputs, Sample) else self._sending.inputs
        models = [(isinstance(one, Sample) and one.model) or self._model for one in samples]
        return list({model.name: model for model in models}.values()) or [self._model]

    def _sample(self, sample: Sample) -> tuple[str, int, list[Any], int, int, list[tuple[str, Any]]]:
        model = sample.model or self._model
        config = parse_config(model.config)
        inputs = self._sending.shapes.fill(sample, config, self._sending.seed)
        wired = [_wired(config, name, np.asarray(value)) for name, value in inputs.items()]
        parameters = list(sample.parameters.items())
        return model.name, model.version, wired, sample.priority, sample.timeout_us, parameters


def _wired(config: Any, name: str, value: NDArray[Any]) -> tuple[str, str, tuple[int, ...], Any]:
    datatype, shape, buffer = to_wire(value)
    return name, declared_type(config, name, datatype), tuple(shape), buffer
