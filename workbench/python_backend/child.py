# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The process of one instance of a model: `python -m workbench.python_backend.child`, started by `isolation`."""

from __future__ import annotations

import asyncio
import logging
import mmap
import os
import socket
import struct
import sys
from collections.abc import Sequence
from inspect import iscoroutine
from multiprocessing.connection import Connection
from typing import Any, Final

from workbench.python_backend import failures, host
from workbench.python_backend.remote import Line, RemoteServices
from workbench.python_backend.request import RELEASE_RESCHEDULE, InferenceRequest
from workbench.python_backend.response import InferenceResponse
from workbench.python_backend.services import Services, enter
from workbench.python_backend.wire import ERROR, OUTPUTS, RESCHEDULED, SENDER, Outbox, Outcome, read_batch, read_facts

_BELL: Final = struct.Struct("<QQ")
_ALONE: Final = 2
"""References to what nobody but its owner and `getrefcount` holds."""


class Execution:
    """Executes batches of one instance.

    Args:
        model: the model's object.
        services: what it may ask of the server.
        name: the model's name.
        decoupled: it answers by senders alone.
    """

    def __init__(self, model: Any, services: Services, name: str, *, decoupled: bool) -> None:
        self._execute = model.execute
        self._services = services
        self._name = name
        self._decoupled = decoupled
        self._stage = f"model {name!r}: execute"

    def run(self, memory: mmap.mmap, outbox: Outbox) -> tuple[int, bool]:
        """Execute what is in the memory; returns the bytes of the answer, and whether inputs are kept."""
        requests = read_batch(memory, self._services, self._name)
        try:
            outcomes = self._outcomes(requests)
        except BaseException as exc:  # noqa: BLE001 - whatever it is, the callers must hear of it
            code, message = failures.describe(exc, self._stage)
            exc.__traceback__ = None
            senders = [request.sender() for request in requests]
            host.fail_all([sender for sender in senders if sender is not None], code, message)
            has_senders = [sender is not None for sender in senders]
            keeps_inputs = _are_kept(requests)
            return outbox.write_error(code, message, has_senders, keeps_inputs=keeps_inputs), keeps_inputs
        # Not known before the outputs are read: they may be the inputs.
        size = outbox.write(outcomes, self._stage)
        del outcomes
        keeps_inputs = _are_kept(requests)
        if keeps_inputs:
            outbox.mark_kept()
        return size, keeps_inputs

    def _outcomes(self, requests: list[InferenceRequest]) -> list[Outcome]:
        result = self._execute(list(requests))
        if iscoroutine(result):
            if self._decoupled:
                host.run_behind(result, requests, self._stage)
                result = None
            else:
                result = asyncio.run(result)
        if self._decoupled:
            return self._without_responses(requests, result)
        if not isinstance(result, Sequence):
            told = type(result).__name__
            raise failures.Misuse(f"returned {told}: a list is needed, with an InferenceResponse for each request")
        if len(result) != len(requests):
            counts = f"returned {len(result)} responses for {len(requests)} requests"
            raise failures.Misuse(f"{counts}: one for each is needed, in their order")
        return [self._outcome(request, response) for request, response in zip(requests, result, strict=True)]

    def _without_responses(self, requests: Sequence[InferenceRequest], result: Any) -> list[Outcome]:
        if result is not None:
            told = f"returned {type(result).__name__}: the model is decoupled, answers by response senders"
            raise failures.Misuse(f"{told} and returns None")
        forgotten = Outcome(ERROR, error=(1, f"{self._stage} returned without taking the request's response sender"))
        return [forgotten if request.sender() is None else Outcome(SENDER) for request in requests]

    def _outcome(self, request: InferenceRequest, response: Any) -> Outcome:
        if isinstance(response, InferenceResponse):
            error = response.error()
            if error is None:
                return Outcome(OUTPUTS, response)
            return Outcome(ERROR, error=(error.code(), error.message()))
        if response is not None:
            told = f"{self._stage} returned {type(response).__name__} among its responses"
            return Outcome(ERROR, error=(1, f"{told}: an InferenceResponse is needed for each request"))
        if request.sender() is not None:
            return Outcome(SENDER)
        if request.release_flags() == RELEASE_RESCHEDULE:
            return Outcome(RESCHEDULED)
        told = "None was returned for a request that has no response sender and is not rescheduled"
        return Outcome(ERROR, error=(1, f"{self._stage}: {told}"))


def _are_kept(requests: list[InferenceRequest]) -> bool:
    """Whether the model still holds one of the requests, or something of it; forgets the requests."""
    kept = False
    while requests:
        request = requests.pop()
        if sys.getrefcount(request) > _ALONE:
            request.detach()
            kept = True
        else:
            kept = request.is_input_kept() or kept
    return kept


def serve(data: socket.socket, outbox: Outbox, line: Line, execution: Execution) -> None:
    """Execute batches until the other side closes."""
    memory: mmap.mmap | None = None
    descriptor, awaits_memory = -1, True
    while True:
        if awaits_memory:
            raw, descriptors, _, _ = socket.recv_fds(data, _BELL.size, 1)
            if descriptors:
                if descriptor >= 0:
                    os.close(descriptor)
                descriptor, memory, awaits_memory = descriptors[0], None, False
        else:
            raw = data.recv(_BELL.size)
        if not raw:
            return
        _, mapped = _BELL.unpack(raw)
        if memory is None or len(memory) < mapped:
            memory = mmap.mmap(descriptor, mapped)
        size, awaits_memory = execution.run(memory, outbox)
        data.send(size.to_bytes(8, "little"))
        line.flush()


class _ToServer(logging.Handler):
    """Brings what is logged here to the server's log."""

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services

    def emit(self, record: logging.LogRecord) -> None:
        level = 2 if record.levelno >= logging.ERROR else 1
        self._services.log(level, record.getMessage(), record.pathname, record.lineno)


def main(arguments: Sequence[str]) -> None:
    """Serve one instance, as the other process commands."""
    data = socket.socket(fileno=int(arguments[0]))
    line = Line(Connection(int(arguments[1])))
    outbox = Outbox(int(arguments[2]))
    services = RemoteServices(line, read_facts)
    failures.LOG.addHandler(_ToServer(services))
    failures.LOG.propagate = False
    model: host.HostedModel | None = None
    while True:
        command, *told = line.commands.get()
        try:
            if command == "open":
                path, place = told
                model = host.HostedModel(path, services, place)
                line.send(("done", None))
            elif command == "complete" and model is not None:
                line.send(("done", model.complete(told[0])))
            elif command == "serve" and model is not None:
                _serve(model, services, told[0], (data, outbox, line), decoupled=told[1])
                return
        except BaseException as exc:  # noqa: BLE001 - the other process tells it
            line.send(("failed", *failures.describe(exc, "")))


def _serve(
    model: host.HostedModel,
    services: RemoteServices,
    args: dict[str, str],
    lines: tuple[socket.socket, Outbox, Line],
    *,
    decoupled: bool,
) -> None:
    data, outbox, line = lines
    instance = model.new_instance(args)
    enter(services)
    line.send(("done", None))
    serve(data, outbox, line, Execution(instance, services, args["model_name"], decoupled=decoupled))
    model.finalize(instance)
    line.send(("done", None))


if __name__ == "__main__":
    main(sys.argv[1:])
