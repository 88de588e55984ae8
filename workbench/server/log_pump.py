# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Brings what the core and its backends log to Python's logging, on a thread of its own: no request waits for it."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Mapping, Sequence
from threading import Lock, Thread
from typing import Final

LEVELS: Final[Mapping[str, int]] = {
    "INFO": logging.INFO,
    "WARNING": logging.WARNING,
    "ERROR": logging.ERROR,
    "VERBOSE": logging.DEBUG,
}
CORE_LOGGER: Final = "workbench.core"
BACKEND_LOGGER: Final = "workbench.backend"
_LOOK_S: Final = 1.0

Row = tuple[str, int, str, int, str, str]
"""Level, nanoseconds since 1970, file, line, message, name of the backend that says so."""


class LogPump:
    """Reads the process's log for as long as it runs; the first server starts it, the end of the process ends it.

    Threads: any.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None
        self._is_stopping = False

    def start(self) -> None:
        """Begin to read; a second call does nothing."""
        with self._lock:
            if self._thread is not None:
                return
            from workbench import _native

            _native.attach_log(attached=True)
            self._is_stopping = False
            self._thread = Thread(target=self._run, name="wb-log", daemon=True)
            self._thread.start()
            atexit.register(self.close)

    def close(self) -> None:
        """Read what is there, and no more: afterwards the log goes to standard error."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is None:
                return
            from workbench import _native

            self._is_stopping = True
            relay(*_native.take_log(0.0))
            _native.attach_log(attached=False)
            thread.join()
            atexit.unregister(self.close)

    def _run(self) -> None:
        from workbench import _native

        while not self._is_stopping:
            relay(*_native.take_log(_LOOK_S))


def relay(rows: Sequence[Row], dropped: int) -> None:
    """Log each row as if it had been logged from its own file and line."""
    for level, time_ns, file, line, message, backend in rows:
        logger = logging.getLogger(f"{BACKEND_LOGGER}.{backend}" if backend else CORE_LOGGER)
        if logger.isEnabledFor(LEVELS[level]):
            record = logger.makeRecord(logger.name, LEVELS[level], file, line, message, (), None)
            record.created = time_ns / 1e9
            record.msecs = time_ns // 1_000_000 % 1000
            logger.handle(record)
    if dropped:
        logging.getLogger(CORE_LOGGER).warning("%d messages came faster than they could be logged", dropped)


PUMP: Final = LogPump()
