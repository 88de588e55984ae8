# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Models on their way to another shared object of their backend, in the background."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from concurrent.futures import Future, wait
from typing import Final

LOG: Final = logging.getLogger("workbench.repository")


class Moves:
    """The moves under way; the log tells of those that fail.

    Threads: any.
    """

    def __init__(self) -> None:
        self._under_way: set[Future[None]] = set()

    def start(self, moves: Iterable[Future[None]]) -> tuple[Future[None], ...]:
        """Watch what has been started."""
        started = tuple(moves)
        self._under_way.update(started)
        for move in started:
            move.add_done_callback(self._note)
        return started

    def wait(self, timeout_s: float) -> bool:
        """Wait until all are done; False where the time was too short."""
        return not wait(tuple(self._under_way), timeout_s).not_done

    def _note(self, move: Future[None]) -> None:
        self._under_way.discard(move)
        if error := move.exception():
            LOG.warning("a model stays on the backend that it has: %s", error)
