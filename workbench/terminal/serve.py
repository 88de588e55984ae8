# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`serve`: a server until it is interrupted."""

from __future__ import annotations

import argparse
import signal
from threading import Event
from typing import Any

from workbench.server import Server


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("serve", help="load models and serve them until interrupted")
    parser.add_argument("repository", nargs="+", help="folders of models")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    parser.add_argument("--load", action="append", default=[], metavar="MODEL", help="a model to load; all without")
    parser.add_argument(
        "--once", action="store_true", help="load the models, show them and end: a check of a repository"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM; returns the exit status."""
    models = arguments.load or ["*"]
    with Server(arguments.repository, backends=arguments.backends, startup_models=models) as server:
        print(server.index(), flush=True)
        if not arguments.once:
            _wait_for_signal()
    return 0


def _wait_for_signal() -> None:
    stop = Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        stop.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
