# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The processes of models with `isolation: process`, as the server's process holds them."""

from __future__ import annotations

import itertools
import json
import logging
import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from workbench.errors import InternalError, error_for
from workbench.python_backend import sources
from workbench.python_backend.exceptions import CODES, TritonModelException
from workbench.python_backend.services import Services

LOG: Final = logging.getLogger("workbench.python_backend")
_PATIENCE_S: Final = 5.0
_OBJECTS: Final = frozenset({"new_sender", "infer", "family", "metric"})
"""The methods whose result stays in this process."""


class Children:
    """The processes of one version of a model. Threads: any.

    Args:
        path: the model's file.
        services: what its code may ask of the server.
    """

    def __init__(self, path: str, services: Services) -> None:
        self._path = path
        text = Path(path).read_text(encoding="utf-8") if Path(path).is_file() else ""
        self._place = sources.place_of(text, path)
        self._services = services
        self._spare: Child | None = self._opened()

    def complete(self, config: str) -> str:
        """The configuration as the model completes it."""
        child = self._spare or self._opened()
        self._spare = child
        return str(child.ask("complete", config))

    def start(self, args: Mapping[str, str]) -> Child:
        """A process whose model is initialized."""
        child, self._spare = self._spare or self._opened(), None
        config = json.loads(args["model_config"])
        decoupled = bool(config.get("model_transaction_policy", {}).get("decoupled", False))
        try:
            child.ask("serve", dict(args), decoupled)
        except BaseException:
            child.kill()
            raise
        child.is_serving = True
        return child

    def close(self) -> None:
        """End the process that serves nothing."""
        if self._spare is not None:
            self._spare.kill()

    def _opened(self) -> Child:
        child = Child(self._services)
        try:
            child.ask("open", self._path, self._place)
        except BaseException:
            child.kill()
            raise
        return child


class Child:
    """One process.

    Args:
        services: what its model may ask of the server.
    """

    def __init__(self, services: Services) -> None:
        self.is_serving = False
        self._objects: dict[int, Any] = {0: services}
        self._numbers = itertools.count(1)
        self._answers: queue.SimpleQueue[tuple[Any, ...] | None] = queue.SimpleQueue()
        self._sending = threading.Lock()
        self._data, theirs = socket.socketpair()
        control, their_control = socket.socketpair()
        self._outbox = os.memfd_create("workbench-python-answers", os.MFD_CLOEXEC)
        with theirs, their_control:
            passed = (theirs.fileno(), their_control.fileno(), self._outbox)
            command = [sys.executable, "-m", "workbench.python_backend.child", *map(str, passed)]
            self._process = subprocess.Popen(command, pass_fds=passed, stdin=subprocess.DEVNULL)
        self._process_descriptor = _pidfd(self._process.pid)
        self._control = Connection(control.detach())
        self._pool = ThreadPoolExecutor(thread_name_prefix="wb-python-calls")
        self._thread = threading.Thread(target=self._listen, name="wb-python-child", daemon=True)
        self._thread.start()

    @property
    def socket_descriptor(self) -> int:
        """The socket that wakes the process for a batch."""
        return self._data.fileno()

    @property
    def process_descriptor(self) -> int:
        """Readable once the process has ended; -1 where the system has no such thing."""
        return self._process_descriptor

    def take_outbox(self) -> int:
        """A descriptor of the memory with its answers, the caller's from here on."""
        return os.dup(self._outbox)

    def ask(self, *command: Any) -> Any:
        """Send a command and wait; raises what the process raised, or InternalError where it ended."""
        self._send(command)
        answer = self._answers.get()
        if answer is None:
            raise InternalError(f"the model's process {self.how_it_ended()}")
        if answer[0] == "failed":
            raise error_for(CODES[answer[1]], answer[2].removeprefix(": "))
        return answer[1]

    def how_it_ended(self) -> str:
        """What the process ended with, in words."""
        try:
            status = self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            return "does not answer any more"
        if status < 0:
            return f"was killed by signal {-status} ({signal.Signals(-status).name})"
        return f"exited with status {status}"

    def close(self) -> None:
        """Let the model finalize, and the process end.

        Raises:
            WorkbenchError: its `finalize` raised.
        """
        try:
            if self.is_serving and self._process.poll() is None:
                self._data.shutdown(socket.SHUT_WR)
                self._finalized()
        finally:
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._thread.join()
        self._pool.shutdown(wait=False)
        self._data.close()
        self._control.close()
        os.close(self._outbox)
        if self._process_descriptor >= 0:
            os.close(self._process_descriptor)
            self._process_descriptor = -1

    def _finalized(self) -> None:
        try:
            answer = self._answers.get(timeout=_PATIENCE_S)
        except queue.Empty:
            LOG.warning("a model did not finalize within %.0f s; its process is killed", _PATIENCE_S)
            return
        if answer is not None and answer[0] == "failed":
            raise error_for(CODES[answer[1]], answer[2].removeprefix(": "))

    # ---- What the process asks ----

    def _listen(self) -> None:
        while True:
            try:
                message = pickle.loads(self._control.recv_bytes())  # noqa: S301 - from the process that we started
            except (EOFError, OSError):
                break
            if message[0] == "call":
                self._pool.submit(self._serve, *message[1:])
            elif message[0] == "drop":
                self._forget(message[1])
            else:
                self._answers.put(message)
        self._answers.put(None)
        self._end_open_requests()

    def _serve(self, number: int, target: int, method: str, args: Any, kinds: Any, dropped: list[int]) -> None:
        self._forget(dropped)
        try:
            owner = self._objects[target]
            value = getattr(owner, method)(*args, **kinds)
            if method == "send" and owner.is_finished:
                # What it holds of the request must not wait for the other side's garbage collector.
                del self._objects[target], owner
            if method in _OBJECTS:
                place = next(self._numbers)
                self._objects[place] = value
                value = place
            answer: tuple[Any, ...] = ("answer", number, "value", value)
        except (TritonModelException, TypeError, ValueError) as exc:
            answer = ("answer", number, "error", str(exc))
        with suppress(OSError):
            self._send(answer)

    def _forget(self, numbers: list[int]) -> None:
        for each in numbers:
            self._objects.pop(each, None)

    def _send(self, message: Any) -> None:
        raw = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._sending, suppress(BrokenPipeError):
            self._control.send_bytes(raw)

    def _end_open_requests(self) -> None:
        """Answer with an error what the process would have answered by senders."""
        for each in list(self._objects.values()):
            if hasattr(each, "is_finished") and not each.is_finished:
                error = (CODES.index("INTERNAL"), f"the model's process {self.how_it_ended()} before it answered")
                with suppress(TritonModelException):
                    each.send([], error, None, 1)
        self._objects = {0: self._objects[0]}


def _pidfd(pid: int) -> int:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1
