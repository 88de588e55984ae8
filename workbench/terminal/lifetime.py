# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""How a server in a terminal ends: the first signal lets requests in flight be answered, the second gives them up."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, TypeAlias

from workbench.server import Server

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_FAREWELL_S: Final = 1.0
"""What clients get to be told that their requests were given up."""

News: TypeAlias = "SimpleQueue[int | bool]"
"""Numbers of signals, and at the end whether all was answered."""


def serve_until_signal(server: Server) -> int:
    """Wait for a signal, then close the server.

    Returns:
        The exit status: 0 where every request was answered. Where a model still computes for one that was given up, the
        process ends here, with 1: nobody waits for it.
    """
    with _listening() as news:
        name = signal.Signals(news.get()).name
        patience_s = server.exit_timeout_s
        in_flight = server.engine.in_flight()
        print(f"{name}: ending; {in_flight} requests in flight get {patience_s:g} s", file=sys.stderr, flush=True)
        Thread(target=lambda: news.put(server.close()), name="wb-end", daemon=True).start()
        drained = _wait_closed(server, news, patience_s)
    if drained is None:
        _give_up()
    return int(not drained)


@contextmanager
def _listening() -> Iterator[News]:
    news: News = SimpleQueue()
    before = {number: signal.signal(number, lambda number, _: news.put(number)) for number in _SIGNALS}
    try:
        yield news
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait_closed(server: Server, news: News, patience_s: float) -> bool | None:
    """Whether all was answered; None where that can not be waited for."""
    patient_until = time.monotonic() + patience_s
    while True:
        found = _next(news, patient_until + _FAREWELL_S)
        if found is None or isinstance(found, bool):
            return found and time.monotonic() < patient_until
        print("a second signal: giving up what is in flight", file=sys.stderr, flush=True)
        server.hurry()
        patient_until = min(patient_until, time.monotonic())


def _next(news: News, until: float) -> int | bool | None:
    try:
        return news.get(timeout=max(0.0, until - time.monotonic()))
    except Empty:
        return None


def _give_up() -> None:
    print("requests in flight were given up", file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(1)
