# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Awaitable requests: one thread takes the finished calls off the core and wakes their event loops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import Final

from workbench.repository import Call, Engine

_WAIT_S: Final = 0.05


class Completions:
    """Hands the completed calls of an engine to the futures that wait for them.

    Threads: any may submit. One thread of its own, started with the first call, sleeps while nothing is pending.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._changed = Condition()
        # By identity: the entry keeps the call alive, and the engine hands out the same object.
        self._pending: dict[int, tuple[Call, asyncio.Future[Call]]] = {}
        self._is_closed = False
        self._thread: Thread | None = None

    def submit(self, send: Callable[[], Call]) -> asyncio.Future[Call]:
        """Send a request; the future of the running loop gets its call once it has the final response."""
        future: asyncio.Future[Call] = asyncio.get_running_loop().create_future()
        # Sent under the lock, so that its completion can not be looked up before it is entered.
        with self._changed:
            call = send()
            self._pending[id(call)] = (call, future)
            self._start()
            self._changed.notify()
        future.add_done_callback(lambda done: call.cancel() if done.cancelled() else None)
        return future

    def close(self) -> None:
        """End the thread; calls that have no answer by then are cancelled, and so are their futures."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._deliver(0.0)
        for call, future in self._pending.values():
            call.cancel()
            _tell(future, future.cancel)

    def _start(self) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._run, name="wb-completions", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while self._await_pending():
            self._deliver(_WAIT_S)

    def _await_pending(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._is_closed)
            return not self._is_closed

    def _deliver(self, timeout_s: float) -> None:
        for call in self._engine.completed(timeout_s):
            with self._changed:
                entry = self._pending.pop(id(call), None)
            if entry is not None:
                _give(*entry)


def _give(call: Call, future: asyncio.Future[Call]) -> None:
    _tell(future, lambda: None if future.done() else future.set_result(call))


def _tell(future: asyncio.Future[Call], change: Callable[[], object]) -> None:
    # A loop that was closed meanwhile has nobody left who waits.
    with suppress(RuntimeError):
        future.get_loop().call_soon_threadsafe(change)
