# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A served model as target: requests go from the native generator straight into the engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.config import parse_config
from workbench.errors import error_for
from workbench.load.inputs import declared_type
from workbench.load.native_run import PLANNED_OF_A_CLOSED_LOOP, start_run
from workbench.load.plan import Sequences
from workbench.load.sample import AS_DECLARED, PLAIN, Inputs, Mix, Sample, Shapes, mix_of
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
        inputs: what is sent, see `drive`.
        like: priority, timeout and parameters of plain arrays.
        sequences: of the requests; None where they stand alone.
        shapes: of made inputs.
        seed: of made inputs, weights and sequence lengths.

    The configuration is read when a run starts, so a model that was reloaded meanwhile is driven as it is now.
    """

    def __init__(
        self,
        model: ServedModel,
        *,
        inputs: Inputs = None,
        like: Sample = PLAIN,
        sequences: Sequences | None = None,
        shapes: Shapes = AS_DECLARED,
        seed: int = 1,
    ) -> None:
        self._model = model
        self._inputs = inputs
        self._like = like
        self._sequences = sequences
        self._shapes = shapes
        self._seed = seed

    @property
    def name(self) -> str:
        """The model's name, or those of the mix."""
        return " + ".join(dict.fromkeys(model.name for model in self._models()))

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run; raises what the engine refuses, such as NotFoundError."""
        mix = self._mix()
        count = len(schedule_ns) or workload.requests or PLANNED_OF_A_CLOSED_LOOP
        try:
            target = _native.engine_target(
                self._model.engine,
                samples=[self._sample(sample) for sample in mix.samples],
                plan=mix.plan(count),
            )
            return start_run(target, workload, schedule_ns)
        except _native.StatusError as error:
            raise error_for(error.code, str(error)) from error

    def statistics(self) -> Any:
        """The models' statistics now."""
        models = self._models()
        return models[0].statistics() if len(models) == 1 else summed(model.statistics() for model in models)

    def _mix(self) -> Mix:
        config = parse_config(self._model.config)
        return mix_of(self._inputs, config, like=self._like, sequences=self._sequences, seed=self._seed)

    def _models(self) -> list[ServedModel]:
        """Each once; of plain arrays and files, the driven one."""
        if self._inputs is None or isinstance(self._inputs, Mapping | str | Path):
            return [self._model]
        samples = [self._inputs] if isinstance(self._inputs, Sample) else self._inputs
        models = [(isinstance(one, Sample) and one.model) or self._model for one in samples]
        return list({model.name: model for model in models}.values()) or [self._model]

    def _sample(self, sample: Sample) -> tuple[str, int, list[Any], int, int, list[tuple[str, Any]]]:
        model = sample.model or self._model
        config = parse_config(model.config)
        inputs = self._shapes.fill(sample, config, self._seed)
        wired = [_wired(config, name, np.asarray(value)) for name, value in inputs.items()]
        parameters = list(sample.parameters.items())
        return model.name, model.version, wired, sample.priority, sample.timeout_us, parameters


def _wired(config: Any, name: str, value: NDArray[Any]) -> tuple[str, str, tuple[int, ...], Any]:
    datatype, shape, buffer = to_wire(value)
    return name, declared_type(config, name, datatype), tuple(shape), buffer
