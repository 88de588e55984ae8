# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Our server and the real one behind one face, so that what they answer can be compared."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import grpc
import numpy as np
from tritonclient.grpc import service_pb2, service_pb2_grpc

import workbench as wb
from tests.conformance.generated import Sent
from tests.conformance.peer import RealTriton
from workbench.config import parse_config, to_json
from workbench.errors import WorkbenchError
from workbench.tensors import to_wire

HTTP_STATUS = {"INTERNAL": 500, "NOT_FOUND": 404, "UNAVAILABLE": 503, "UNSUPPORTED": 501}
"""Of the codes that are not 400."""
CODES = {
    "INVALID_ARGUMENT": "INVALID_ARG", "UNIMPLEMENTED": "UNSUPPORTED", "UNKNOWN": "UNKNOWN", "INTERNAL": "INTERNAL",
    "NOT_FOUND": "NOT_FOUND", "UNAVAILABLE": "UNAVAILABLE", "ALREADY_EXISTS": "ALREADY_EXISTS",
    "CANCELLED": "CANCELLED",
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What became of a request: a code, and the outputs as (type, shape, bytes)."""

    code: str
    outputs: Mapping[str, tuple[str, tuple[int, ...], bytes]]
    request_id: str = ""
    text: str = ""

    def __eq__(self, other: object) -> bool:
        """The wording is nobody's contract."""
        if not isinstance(other, Answer):
            return NotImplemented
        return (self.code, self.outputs, self.request_id) == (other.code, other.outputs, other.request_id)

    __hash__ = None  # type: ignore[assignment]


class Counts(dict[str, Any]):
    """The numbers of a model's statistics that do not depend on the clock."""


class Ours:
    """The server in this process."""

    def __init__(self, server: wb.Server) -> None:
        self._server = server

    def load(self, model: str) -> tuple[int, str]:
        try:
            self._server.load(model)
        except WorkbenchError as error:
            return HTTP_STATUS.get(error.wire_code, 400), str(error)
        return 200, ""

    def config(self, model: str) -> Any:
        return json.loads(to_json(parse_config(self._server.model(model).config)))

    def infer(self, model: str, sent: Sent) -> Answer:
        options: dict[str, Any] = {"request_id": sent.request_id, "priority": sent.priority}
        if sent.outputs:
            options["outputs"] = list(sent.outputs)
        if sent.timeout_us:
            options["timeout_s"] = sent.timeout_us / 1e6
        try:
            reply = self._server.model(model).infer(sent.inputs, **options)
        except WorkbenchError as error:
            return Answer(error.code, {}, text=str(error))
        outputs = {name: _flat(array) for name, array in reply.outputs.items()}
        return Answer("OK", outputs, sent.request_id)

    def counts(self, model: str) -> Counts:
        statistics = self._server.model(model).statistics()
        return Counts(
            inference_count=statistics.inference_count,
            execution_count=statistics.execution_count,
            success=statistics.success.count,
            fail=statistics.fail.count,
            queue=statistics.queue.count,
            compute_infer=statistics.compute_infer.count,
            batches=dict(statistics.batches),
        )

    def unload(self, model: str) -> None:
        self._server.unload(model)


def _flat(array: np.ndarray[Any, Any]) -> tuple[str, tuple[int, ...], bytes]:
    datatype, shape, raw = to_wire(array)
    return datatype, shape, raw.tobytes() if isinstance(raw, np.ndarray) else bytes(raw)


class Real:
    """The real server, started again when it is gone: it does not survive every failed load."""

    def __init__(self, start: Callable[[], RealTriton]) -> None:
        self._start = start
        self._connect()

    def _connect(self) -> None:
        self.server = self._start()
        self._stub = service_pb2_grpc.GRPCInferenceServiceStub(grpc.insecure_channel(f"127.0.0.1:{self.server.grpc}"))

    def load(self, model: str) -> tuple[int, str]:
        """Raises ConnectionError where the server ended over it."""
        request = urllib.request.Request(
            f"{self.server.url}/v2/repository/models/{model}/load", data=b"{}", method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status, ""
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError as error:
            self._connect()
            raise ConnectionError(model) from error

    def config(self, model: str) -> Any:
        with urllib.request.urlopen(f"{self.server.url}/v2/models/{model}/config", timeout=30) as reply:
            return json.load(reply)

    def infer(self, model: str, sent: Sent) -> Answer:
        request = service_pb2.ModelInferRequest(model_name=model, id=sent.request_id)
        for name, array in sent.inputs.items():
            datatype, shape, raw = _flat(array)
            request.inputs.add(name=name, datatype=datatype, shape=shape)
            request.raw_input_contents.append(raw)
        for name in sent.outputs:
            request.outputs.add(name=name)
        if sent.priority:
            request.parameters["priority"].uint64_param = sent.priority
        if sent.timeout_us:
            request.parameters["timeout"].int64_param = sent.timeout_us
        try:
            reply = self._stub.ModelInfer(request, timeout=30)
        except grpc.RpcError as error:
            return Answer(CODES.get(error.code().name, error.code().name), {}, text=error.details())
        outputs = {
            output.name: (output.datatype, tuple(output.shape), bytes(raw))
            for output, raw in zip(reply.outputs, reply.raw_output_contents, strict=True)
        }
        return Answer("OK", outputs, reply.id)

    def counts(self, model: str) -> Counts:
        with urllib.request.urlopen(f"{self.server.url}/v2/models/{model}/stats", timeout=30) as reply:
            (found,) = json.load(reply)["model_stats"]
        numbers = found["inference_stats"]
        return Counts(
            inference_count=found["inference_count"],
            execution_count=found["execution_count"],
            success=numbers["success"]["count"],
            fail=numbers["fail"]["count"],
            queue=numbers["queue"]["count"],
            compute_infer=numbers["compute_infer"]["count"],
            batches={entry["batch_size"]: entry["compute_infer"]["count"] for entry in found["batch_stats"]},
        )

    def counts_once(self, model: str, holds: Callable[[Counts], bool], *, patience_s: float = 2.0) -> Counts:
        """The counts once `holds` is true of them: backends report to it after they have answered."""
        end = monotonic() + patience_s
        while not holds(found := self.counts(model)) and monotonic() < end:
            pass
        return found

    def unload(self, model: str) -> None:
        request = urllib.request.Request(
            f"{self.server.url}/v2/repository/models/{model}/unload", data=b"{}", method="POST"
        )
        with urllib.request.urlopen(request, timeout=30):
            pass


def add_model(repository: Path, name: str, text: str) -> None:
    (repository / name / "1").mkdir(parents=True)
    (repository / name / "config.pbtxt").write_text(text)
