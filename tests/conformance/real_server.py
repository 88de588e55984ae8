# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The real server, behind the face that `Ours` has."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import grpc
from tritonclient.grpc import service_pb2, service_pb2_grpc

from tests.conformance.both_servers import Answer, Counts, counts_of, flat, index_of
from tests.conformance.generated import Sent
from tests.conformance.peer import RealTriton

CODES = {
    "INVALID_ARGUMENT": "INVALID_ARG", "UNIMPLEMENTED": "UNSUPPORTED", "UNKNOWN": "UNKNOWN", "INTERNAL": "INTERNAL",
    "NOT_FOUND": "NOT_FOUND", "UNAVAILABLE": "UNAVAILABLE", "ALREADY_EXISTS": "ALREADY_EXISTS",
    "CANCELLED": "CANCELLED",
}  # fmt: skip
FRONT_END = ("triton_", "sequence_")
"""How parameters begin that the real server's front end adds."""
PATIENCE_S = 10.0


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
        return self._answered(self._stub.ModelInfer.future(_request(model, sent), timeout=PATIENCE_S))

    def infer_all(self, model: str, group: Sequence[Sent], *, is_ordered: bool = True) -> list[list[Answer]]:
        """As `Ours.infer_all`. In order they go by a stream, which tells of an error no code."""
        if is_ordered:
            return self._stream(model, group)
        calls = [self._stub.ModelInfer.future(_request(model, sent), timeout=PATIENCE_S) for sent in group]
        return [[self._answered(call)] for call in calls]

    def _answered(self, call: Any) -> Answer:
        try:
            return _answer(call.result())
        except grpc.RpcError as error:
            return Answer(CODES.get(error.code().name, error.code().name), {}, text=error.details())

    def _stream(self, model: str, group: Sequence[Sent]) -> list[list[Answer]]:
        done = threading.Event()
        answers: list[list[Answer]] = [[] for _ in group]
        left = len(group)
        for message in self._stub.ModelStreamInfer(_requests(model, group, done), timeout=PATIENCE_S):
            reply = message.infer_response
            place = answers[int(reply.id)]
            if message.error_message:
                place.append(Answer("ERROR", {}, text=message.error_message))
            elif reply.outputs:
                place.append(_answer(reply, group[int(reply.id)].request_id))
            left -= bool(message.error_message) or reply.parameters["triton_final_response"].bool_param
            if left == 0:
                done.set()
        return answers

    def index(self, model: str) -> list[tuple[str, str]]:
        request = urllib.request.Request(f"{self.server.url}/v2/repository/index", data=b"{}", method="POST")
        with urllib.request.urlopen(request, timeout=30) as reply:
            return index_of(json.load(reply), model)

    def counts(self, model: str) -> dict[str, Counts]:
        with urllib.request.urlopen(f"{self.server.url}/v2/models/{model}/stats", timeout=30) as reply:
            return counts_of(json.load(reply))

    def unload(self, model: str) -> None:
        request = urllib.request.Request(
            f"{self.server.url}/v2/repository/models/{model}/unload", data=b"{}", method="POST"
        )
        with urllib.request.urlopen(request, timeout=30):
            pass


def _request(model: str, sent: Sent) -> Any:
    version = str(sent.version) if sent.version >= 0 else ""
    request = service_pb2.ModelInferRequest(model_name=model, model_version=version, id=sent.request_id)
    for name, array in sent.inputs.items():
        datatype, shape, raw = flat(array)
        request.inputs.add(name=name, datatype=datatype, shape=shape)
        request.raw_input_contents.append(raw)
    for name in sent.outputs:
        request.outputs.add(name=name)
    if sent.priority:
        request.parameters["priority"].uint64_param = sent.priority
    if sent.timeout_us:
        request.parameters["timeout"].int64_param = sent.timeout_us
    if sent.is_of_sequence:
        kind = "string_param" if isinstance(sent.sequence_id, str) else "int64_param"
        setattr(request.parameters["sequence_id"], kind, sent.sequence_id)
        request.parameters["sequence_start"].bool_param = sent.start
        request.parameters["sequence_end"].bool_param = sent.end
    return request


def _requests(model: str, group: Sequence[Sent], done: threading.Event) -> Iterator[Any]:
    """For a stream, which stays open until all is done: their ids say which they are."""
    for index, sent in enumerate(group):
        request = _request(model, sent)
        request.id = str(index)
        request.parameters["triton_enable_empty_final_response"].bool_param = True
        yield request
    done.wait(PATIENCE_S)


def _answer(reply: Any, request_id: str | None = None) -> Answer:
    outputs = {
        output.name: (output.datatype, tuple(output.shape), bytes(raw))
        for output, raw in zip(reply.outputs, reply.raw_output_contents, strict=True)
    }
    given = {name: getattr(value, value.WhichOneof("parameter_choice")) for name, value in reply.parameters.items()}
    parameters = {name: value for name, value in given.items() if not name.startswith(FRONT_END)}
    return Answer("OK", outputs, reply.id if request_id is None else request_id, parameters=parameters)
