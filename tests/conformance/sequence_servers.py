# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests of sequences for either server: sent in order without waiting, answered as what the backend saw."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import numpy as np
from tritonclient.grpc import service_pb2, service_pb2_grpc

import workbench as wb
from tests.conformance.peer import RealTriton
from tests.conformance.real_server import CODES
from workbench.errors import WorkbenchError

NATIVE = Path(__file__).resolve().parents[2] / "native"
BEHAVIOURS = ("accumulates", "remembers", "iterates")
PATIENCE_S = 20.0
HEAD_START_S = 0.15


@dataclass(frozen=True)
class Step:
    """A request: of which sequence, which number, and for how many milliseconds its execution lasts.

    One that lasts is given time to begin before the next is sent, so that what comes after it waits.
    """

    id: int | str
    value: int
    start: bool = False
    end: bool = False
    hold_ms: int = 0
    rows: int = 1


@dataclass(frozen=True)
class Seen:
    """What the backend told of one execution: the sum, the controls, and its place in the batch."""

    sum: int
    start: int
    end: int
    ready: int
    id: int
    place: int
    ready_count: int


def spaced(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps in order, with time for those to begin that others are to wait for."""
    for step in steps:
        yield step
        if step.hold_ms:
            time.sleep(HEAD_START_S)


def build_backends(folder: Path) -> None:
    """Compiles the test backends of sequences into `folder`, for both servers."""
    for behaviour in BEHAVIOURS:
        library = folder / behaviour / f"libtriton_{behaviour}.so"
        library.parent.mkdir(parents=True)
        flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{NATIVE}/include"]
        source = f"{NATIVE}/src/testing/sequence_backend.cc"
        compiler = shutil.which("g++") or "g++"
        subprocess.run([compiler, *flags, f"-DWB_{behaviour.upper()}", source, "-o", str(library)], check=True)


def _tensor(step: Step, *, is_batched: bool) -> np.ndarray[Any, Any]:
    row = np.array([step.value, step.hold_ms], np.int32)
    return np.tile(row, (step.rows, 1)) if is_batched else row


def _seen(outputs: Mapping[str, np.ndarray[Any, Any]]) -> Seen:
    return Seen(int(outputs["OUT"].ravel()[0]), *(int(number) for number in outputs["SEEN"].ravel()[:6]))


class OurSequences:
    """The server in this process."""

    def __init__(self, server: wb.Server) -> None:
        self._server = server

    def run(self, model: str, steps: Sequence[Step], *, is_batched: bool = True) -> list[list[Seen]]:
        """Sends all steps at once, in order; the answers to each."""
        replies = [self._send(model, step, is_batched=is_batched) for step in spaced(steps)]
        return [[_seen(reply.outputs) for reply in answers] for answers in replies]

    def refusal(self, model: str, step: Step, *, is_batched: bool = True) -> str:
        """The code of the answer to one step, "OK" where it is no error."""
        try:
            list(self._send(model, step, is_batched=is_batched))
        except WorkbenchError as error:
            return error.code
        return "OK"

    def counts(self, model: str) -> tuple[int, int]:
        """Inferences and executions."""
        statistics = self._server.model(model).statistics()
        return statistics.inference_count, statistics.success.count

    def _send(self, model: str, step: Step, *, is_batched: bool) -> Iterator[Any]:
        place = wb.Sequence(step.id, start=step.start, end=step.end)
        return self._server.model(model).stream({"IN": _tensor(step, is_batched=is_batched)}, sequence=place)


class RealSequences:
    """The real server, by one stream for each run: it takes its requests in order."""

    def __init__(self, server: RealTriton) -> None:
        self._stub = service_pb2_grpc.GRPCInferenceServiceStub(grpc.insecure_channel(f"127.0.0.1:{server.grpc}"))

    def run(self, model: str, steps: Sequence[Step], *, is_batched: bool = True) -> list[list[Seen]]:
        done = threading.Event()

        def requests() -> Iterator[Any]:
            for index, step in enumerate(spaced(steps)):
                request = _request(model, step, is_batched=is_batched)
                request.id = str(index)
                request.parameters["triton_enable_empty_final_response"].bool_param = True
                yield request
            done.wait(PATIENCE_S)

        answers: list[list[Seen]] = [[] for _ in steps]
        left = len(steps)
        for message in self._stub.ModelStreamInfer(requests(), timeout=PATIENCE_S):
            assert not message.error_message, message.error_message
            reply = message.infer_response
            if reply.outputs:
                answers[int(reply.id)].append(_seen(_arrays(reply)))
            left -= reply.parameters["triton_final_response"].bool_param
            if left == 0:
                done.set()
        return answers

    def refusal(self, model: str, step: Step, *, is_batched: bool = True) -> str:
        try:
            self._stub.ModelInfer(_request(model, step, is_batched=is_batched), timeout=PATIENCE_S)
        except grpc.RpcError as error:
            return CODES.get(error.code().name, error.code().name)
        return "OK"

    def counts(self, model: str) -> tuple[int, int]:
        found = self._stub.ModelStatistics(service_pb2.ModelStatisticsRequest(name=model)).model_stats[0]
        return found.inference_count, found.inference_stats.success.count


def _request(model: str, step: Step, *, is_batched: bool) -> Any:
    tensor = _tensor(step, is_batched=is_batched)
    request = service_pb2.ModelInferRequest(model_name=model)
    request.inputs.add(name="IN", datatype="INT32", shape=tensor.shape)
    request.raw_input_contents.append(tensor.tobytes())
    if isinstance(step.id, str):
        request.parameters["sequence_id"].string_param = step.id
    else:
        request.parameters["sequence_id"].int64_param = step.id
    request.parameters["sequence_start"].bool_param = step.start
    request.parameters["sequence_end"].bool_param = step.end
    return request


def _arrays(reply: Any) -> dict[str, np.ndarray[Any, Any]]:
    pairs = zip(reply.outputs, reply.raw_output_contents, strict=True)
    return {output.name: np.frombuffer(raw, np.int32) for output, raw in pairs}
