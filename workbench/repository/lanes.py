# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Work that is serial for each model and parallel across models."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Lanes:
    """Runs what is submitted under one key in the order of submission, different keys beside each other.

    Args:
        threads: how many keys are worked on at once.

    Threads: any thread may submit. The work runs on the lanes' own few threads.
    """

    def __init__(self, threads: int = 4) -> None:
        self._executor = ThreadPoolExecutor(max(threads, 1), thread_name_prefix="wb-repository")
        self._lock = Lock()
        self._waiting: dict[str, deque[Callable[[], None]]] = {}

    def submit(self, key: str, work: Callable[..., T], *args: Any) -> Future[T]:
        """Queue `work(*args)` behind all that was submitted under `key` before."""
        future: Future[T] = Future()

        def run() -> None:
            _settle(future, work, args)

        with self._lock:
            busy = key in self._waiting
            self._waiting.setdefault(key, deque()).append(run)
            if not busy:
                self._start(key)
        return future

    def close(self) -> None:
        """Finish what was submitted; nothing can be submitted from then on."""
        self._executor.shutdown(wait=True)

    def _start(self, key: str) -> None:
        try:
            self._executor.submit(self._run_one, key)
        except RuntimeError:
            del self._waiting[key]
            raise

    def _run_one(self, key: str) -> None:
        with self._lock:
            run = self._waiting[key][0]
        run()
        # One piece of work at a time, so that a busy model does not keep the others from a thread.
        with self._lock:
            lane = self._waiting[key]
            lane.popleft()
            if not lane:
                del self._waiting[key]
                return
        self._run_next(key)

    def _run_next(self, key: str) -> None:
        try:
            self._executor.submit(self._run_one, key)
        except RuntimeError:
            # The lanes are closing: what is queued already runs to its end here.
            self._run_one(key)


def _settle(future: Future[T], work: Callable[..., T], args: tuple[Any, ...]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work(*args)
    except BaseException as exc:  # noqa: BLE001 - it is raised to whoever waits for the result
        future.set_exception(exc)
    else:
        future.set_result(result)
