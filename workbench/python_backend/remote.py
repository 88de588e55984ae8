# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The services of a model in a process of its own: each call goes to the server's process and waits for the answer."""

from __future__ import annotations

import itertools
import os
import pickle
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, Final

from workbench.python_backend.exceptions import TritonModelException
from workbench.python_backend.response import ParameterValue
from workbench.python_backend.services import Answer, Facts
from workbench.python_backend.tensor import Tensor

SERVICES: Final = 0
"""The number of the services themselves among the objects of the server's process."""


class Line:
    """Calls to the other process, from any thread, and commands from there.

    Args:
        connection: to the server's process; this one ends when it closes.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, queue.SimpleQueue[Any]] = {}
        self._dropped: list[int] = []
        self.commands: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="wb-services", daemon=True).start()

    def call(self, target: int, method: str, *args: Any, **kinds: Any) -> Any:
        """What a method of an object there returns; raises TritonModelException with what it raised."""
        number = next(self._numbers)
        answer = self._waiting[number] = queue.SimpleQueue()
        dropped, self._dropped = self._dropped, []
        self.send(("call", number, target, method, args, kinds, dropped))
        kind, value = answer.get()
        if kind == "error":
            raise TritonModelException(value)
        return value

    def drop(self, target: int) -> None:
        """Let the other process forget an object, at the next occasion: a finalizer must not wait."""
        self._dropped.append(target)

    def flush(self) -> None:
        """Tell the other process what it may forget."""
        if self._dropped:
            dropped, self._dropped = self._dropped, []
            self.send(("drop", dropped))

    def send(self, message: Any) -> None:
        """Send to the other process."""
        raw = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._sending:
            self._connection.send_bytes(raw)

    def _listen(self) -> None:
        while True:
            try:
                message = pickle.loads(self._connection.recv_bytes())  # noqa: S301 - from the process that started us
            except (EOFError, OSError):
                os._exit(0)  # the server is gone
            if message[0] == "answer":
                self._waiting.pop(message[1]).put(message[2:])
            else:
                self.commands.put(message)


class _Remote:
    """An object of the server's process."""

    def __init__(self, line: Line, number: int) -> None:
        self._line = line
        self._number = number

    def __del__(self) -> None:
        self._line.drop(self._number)

    def _call(self, method: str, *args: Any, **kinds: Any) -> Any:
        return self._line.call(self._number, method, *args, **kinds)


class RemoteSender(_Remote):
    """A sender."""

    _is_finished: bool = False

    def send(
        self,
        outputs: Sequence[Tensor] | None,
        error: tuple[int, str] | None,
        parameters: Mapping[str, ParameterValue] | None,
        flags: int,
    ) -> None:
        """Send one answer."""
        if self._is_finished:
            ended = "a response with TRITONSERVER_RESPONSE_COMPLETE_FINAL was sent"
            raise TritonModelException(f"the request has ended: {ended}")
        self._call("send", outputs, error, parameters, flags)
        self._is_finished = bool(flags)

    def is_cancelled(self) -> bool:
        """Whether the caller wants no more."""
        return not self._is_finished and bool(self._call("is_cancelled"))

    @property
    def is_finished(self) -> bool:
        """Whether the last one is sent."""
        return self._is_finished


class RemoteAnswers(_Remote):
    """Answers of another model."""

    def take(self) -> Answer | None:
        """Wait for the next one."""
        answer: Answer | None = self._call("take")
        return answer

    def cancel(self) -> None:
        """Ask for no more."""
        self._call("cancel")


class RemoteMetric(_Remote):
    """A metric."""

    def increment(self, value: float) -> None:
        """Add."""
        self._call("increment", value)

    def set(self, value: float) -> None:
        """Set a gauge."""
        self._call("set", value)

    def observe(self, value: float) -> None:
        """Count into a histogram."""
        self._call("observe", value)

    def value(self) -> float:
        """The value."""
        return float(self._call("value"))


class RemoteFamily(_Remote):
    """A family of metrics."""

    def metric(self, labels: Mapping[str, str], buckets: Sequence[float]) -> RemoteMetric:
        """The metric with these labels."""
        return RemoteMetric(self._line, self._call("metric", labels, buckets))


class RemoteServices:
    """What `services.Services` promises, by calls.

    Args:
        line: to the server's process.
        read_facts: reads what a request brought along.
    """

    def __init__(self, line: Line, read_facts: Callable[[bytes], Facts]) -> None:
        self._line = line
        self._read_facts = read_facts

    def describe(self, told: int | bytes) -> tuple[Any, ...]:
        """The fields of Facts, out of what a request brought along."""
        return self._read_facts(told) if isinstance(told, bytes) else Facts()

    def is_cancelled(self, handle: int) -> bool:
        """Whether the caller of a request wants no answer any more."""
        return bool(self._call("is_cancelled", handle))

    def new_sender(self, handle: int) -> RemoteSender:
        """What answers a request piece by piece."""
        return RemoteSender(self._line, self._call("new_sender", handle))

    def infer(
        self, model: str, version: int, facts: tuple[Any, ...], inputs: Sequence[Tensor], *, decoupled: bool
    ) -> RemoteAnswers:
        """Ask another model."""
        number = self._call("infer", model, version, facts, list(inputs), decoupled=decoupled)
        return RemoteAnswers(self._line, number)

    def log(self, level: int, message: str, file: str, line: int) -> None:
        """Write to the server's log."""
        self._call("log", level, message, file, line)

    def family(self, name: str, description: str, kind: int) -> RemoteFamily:
        """Metrics of one name."""
        return RemoteFamily(self._line, self._call("family", name, description, kind))

    def load_model(self, name: str, files: Mapping[str, bytes], config: str) -> None:
        """Load a model of the same server."""
        self._call("load_model", name, files, config)

    def unload_model(self, name: str, *, dependents: bool) -> None:
        """Unload a model of the same server."""
        self._call("unload_model", name, dependents=dependents)

    def is_model_ready(self, name: str, version: int) -> bool:
        """Whether a model of the same server can be asked."""
        return bool(self._call("is_model_ready", name, version))

    def _call(self, method: str, *args: Any, **kinds: Any) -> Any:
        return self._line.call(SERVICES, method, *args, **kinds)
