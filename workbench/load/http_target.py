# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A remote model as target, over HTTP: native threads write and read, through a pool of connections."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench import _native
from workbench.config import ModelConfig
from workbench.endpoints import native_endpoints
from workbench.errors import InvalidArgumentError, UnavailableError, error_for
from workbench.load.inputs import declared_type
from workbench.load.native_run import PLANNED_OF_A_CLOSED_LOOP, start_run
from workbench.load.plan import Sequences
from workbench.load.remote_model import RemoteModel
from workbench.load.sample import Inputs, Sample, Shapes, mix_of
from workbench.load.statistics import Totals, summed
from workbench.load.target import LoadRun
from workbench.load.workload import Workload
from workbench.tensors import to_wire

OPEN_LOOP_CONNECTIONS: Final = 16
"""Open before the run begins; more are opened where those are busy."""
CONNECTION_LIMIT: Final = 1024


class HttpTarget:
    """Drives a remote model over HTTP/1.1 with binary tensors.

    Args:
        model: where it is.
        inputs, like, sequences, shapes, seed: what is sent, see `ModelTarget`.
        connection_limit: most connections; at the limit requests wait, and their latency counts it.
    """

    def __init__(
        self,
        model: RemoteModel,
        *,
        inputs: Inputs,
        like: Sample,
        sequences: Sequences | None,
        shapes: Shapes,
        seed: int,
        connection_limit: int = CONNECTION_LIMIT,
    ) -> None:
        self._model = model
        self._inputs = inputs
        self._like = like
        self._sequences = sequences
        self._shapes = shapes
        self._seed = seed
        self._connection_limit = connection_limit
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
        mix = mix_of(self._inputs, config, like=self._like, sequences=self._sequences, seed=self._seed)
        self._models = list({str(one): one for one in map(self._of, mix.samples)}.values())
        samples = [self._sample(sample, config) for sample in mix.samples]
        if self._sequences is None:
            self._try(mix.samples, samples)
        count = len(schedule_ns) or workload.requests or PLANNED_OF_A_CLOSED_LOOP
        target = self._connected(samples, mix.plan(count), workload)
        try:
            return start_run(target, workload, schedule_ns)
        except _native.StatusError as error:
            raise error_for(error.code, str(error)) from error

    def statistics(self) -> Totals:
        """What the server counted of the models."""
        return summed(model.statistics() for model in self._models)

    def _of(self, sample: Sample) -> RemoteModel:
        model = sample.model or self._model
        if not isinstance(model, RemoteModel) or model.address != self._model.address:
            raise InvalidArgumentError(f"a mix goes to models of one server: {self._model.address} has no {model!r}")
        return model

    def _connected(self, samples: list[_HttpSample], plan: NDArray[Any], workload: Workload) -> Any:
        try:
            return native_endpoints().http_target(
                host=self._model.address.host,
                port=str(self._model.address.port),
                samples=samples,
                plan=plan.tobytes(),
                connections=workload.concurrency or OPEN_LOOP_CONNECTIONS,
                connection_limit=self._connection_limit,
            )
        except RuntimeError as error:
            raise UnavailableError(str(error)) from error

    def _sample(self, sample: Sample, config: ModelConfig) -> _HttpSample:
        model = self._of(sample)
        config = config if model is self._model else model.config()
        inputs = self._shapes.fill(sample, config, self._seed)
        return http_sample(model, config, inputs, sample)

    def _try(self, samples: tuple[Sample, ...], sent: list[_HttpSample]) -> None:
        """Refused now rather than at every request of the run."""
        for sample, (_, text, parameters, tensors) in zip(samples, sent, strict=True):
            head = f'{text},"parameters":{{{parameters}}}}}'.encode()
            fields = {"Inference-Header-Content-Length": str(len(head)), "Content-Type": "application/octet-stream"}
            self._of(sample).request("POST", "/infer", head + tensors, fields)


_HttpSample = tuple[str, str, str, bytes]
"""Request line and fields, head of the protocol without parameters and last brace, parameters, tensors."""


def http_sample(model: RemoteModel, config: ModelConfig, inputs: Mapping[str, Any], sample: Sample) -> _HttpSample:
    """A request in the protocol's binary form: a JSON head, and the bytes of all tensors after it."""
    described, tensors = [], []
    for name, value in inputs.items():
        datatype, shape, buffer = to_wire(np.asarray(value))
        raw = buffer.tobytes() if isinstance(buffer, np.ndarray) else bytes(buffer)
        parameters = {"binary_data_size": len(raw)}
        tensor = {"name": name, "shape": list(shape), "datatype": declared_type(config, name, datatype)}
        described.append(tensor | {"parameters": parameters})
        tensors.append(raw)
    fields = f"POST {model.path}/infer HTTP/1.1\r\nHost: {model.address.authority}\r\n"
    if model.token:
        fields += f"Authorization: Bearer {model.token}\r\n"
    text = json.dumps({"inputs": described}, separators=(",", ":"))[:-1]
    return fields, text, _members(sample), b"".join(tensors)


def _members(sample: Sample) -> str:
    """Of the object `parameters`, without its braces."""
    members: dict[str, Any] = {"binary_data_output": True, **sample.parameters}
    if sample.priority:
        members["priority"] = sample.priority
    if sample.timeout_us:
        members["timeout"] = sample.timeout_us
    return json.dumps(members, separators=(",", ":"))[1:-1]
