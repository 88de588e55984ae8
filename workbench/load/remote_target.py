# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A remote model as target, over HTTP or gRPC: native threads write and read."""

from __future__ import annotations

from typing import Any, Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.config import ModelConfig
from workbench.errors import InvalidArgumentError, UnavailableError, error_for
from workbench.load.grpc_wire import GrpcWire
from workbench.load.http_wire import HttpWire
from workbench.load.native_run import PLANNED_OF_A_CLOSED_LOOP, start_planned
from workbench.load.remote_model import RemoteModel
from workbench.load.sample import Sample, Shapes
from workbench.load.sent import Sending, Sent
from workbench.load.statistics import Totals, summed
from workbench.load.target import LoadRun
from workbench.load.workload import Workload


class Wire(Protocol):
    """How requests look in a protocol, and who sends them."""

    def request(self, model: RemoteModel, config: ModelConfig, sample: Sample, shapes: Shapes, seed: int) -> Any:
        """What is sent of a sample again and again."""

    def try_once(self, model: RemoteModel, request: Any) -> None:
        """Sends it once; raises what the server says against it."""

    def connect(self, model: RemoteModel, requests: list[Any], plan: NDArray[Any], concurrency: int) -> Any:
        """The native target that sends them."""


class RemoteTarget:
    """Drives a remote model, and those of the samples that name another of the same server.

    Args:
        model: where it is.
        wire: of the protocol; None for what the model's address says.
        sent: what is sent, see `Sent`.
    """

    def __init__(self, model: RemoteModel, *, wire: Wire | None = None, **sent: Unpack[Sent]) -> None:
        self._model = model
        self._sending = Sending(**sent)
        self._wire: Wire = wire or (GrpcWire() if model.address.protocol == "grpc" else HttpWire())
        self._models = [model]

    @property
    def name(self) -> str:
        """The models' names, and where they are."""
        return f"{' + '.join(model.name for model in self._models)} at {self._model.address}"

    def start(self, workload: Workload, schedule_ns: NDArray[np.int64]) -> LoadRun:
        """Starts a run, once the server has answered each sample.

        Raises:
            WorkbenchError: what the server says to a sample, or UNAVAILABLE where nobody listens.
        """
        config = self._model.config()
        mix = self._sending.mix(config)
        models = [self._of(sample) for sample in mix.samples]
        self._models = list({str(model): model for model in models}.values())
        configs = {str(one): config if one is self._model else one.config() for one in self._models}
        requests = [
            self._wire.request(model, configs[str(model)], sample, self._sending.shapes, self._sending.seed)
            for model, sample in zip(models, mix.samples, strict=True)
        ]
        if self._sending.sequences is None:
            # Refused now rather than at every request of the run.
            for model, request in zip(models, requests, strict=True):
                self._wire.try_once(model, request)
        count = len(schedule_ns) or workload.requests or PLANNED_OF_A_CLOSED_LOOP

        def connect(plan: NDArray[Any]) -> Any:
            return self._wire.connect(self._model, requests, plan, workload.concurrency)

        try:
            return start_planned(connect, mix.plan(count), workload, schedule_ns)
        except _native.StatusError as error:
            raise error_for(error.code, str(error)) from error
        except RuntimeError as error:
            raise UnavailableError(str(error)) from error

    def statistics(self) -> Totals:
        """What the server counted of the models."""
        return summed(model.statistics() for model in self._models)

    def _of(self, sample: Sample) -> RemoteModel:
        model = sample.model or self._model
        if not isinstance(model, RemoteModel) or model.address != self._model.address:
            raise InvalidArgumentError(f"a mix goes to models of one server: {self._model.address} has no {model!r}")
        return model
