# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A served model as target: requests go from the native generator straight into the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.config import parse_config
from workbench.errors import error_for
from workbench.load.inputs import declared_type, synthetic_inputs
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
    """Drives a served model with one set of inputs, sent again and again.

    Args:
        model: of a server.
        inputs: arrays by input name, with the batch dimension; None for arrays made from the configuration.
        seed: of those.

    The configuration is read when a run starts, so a model that was reloaded meanwhile is driven as it is now.
    """

    def __init__(self, model: ServedModel, *, inputs: Mapping[str, Any] | None = None, seed: int = 1) -> None:
        self._model = model
        self._inputs = inputs
        self._seed = seed

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run; raises what the engine refuses, such as NotFoundError."""
        try:
            return _native.Drive(
                self._model.engine,
                model=self._model.name,
                version=self._model.version,
                inputs=self._wire_inputs(),
                schedule_ns=schedule_ns,
                concurrency=workload.concurrency,
                duration_s=0.0 if workload.requests else workload.duration_s,
                request_limit=workload.requests,
            )
        except _native.StatusError as error:
            raise error_for(error.code, str(error)) from error

    def statistics(self) -> Any:
        """The model's statistics now."""
        return self._model.statistics()

    def _wire_inputs(self) -> list[tuple[str, str, tuple[int, ...], Any]]:
        config = parse_config(self._model.config)
        inputs = synthetic_inputs(config, seed=self._seed) if self._inputs is None else self._inputs
        return [self._wired(config, name, np.asarray(value)) for name, value in inputs.items()]

    @staticmethod
    def _wired(config: Any, name: str, value: NDArray[Any]) -> tuple[str, str, tuple[int, ...], Any]:
        datatype, shape, buffer = to_wire(value)
        return name, declared_type(config, name, datatype), tuple(shape), buffer
