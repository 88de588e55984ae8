# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`drive`: load on a model of a repository, measured."""

from __future__ import annotations

import argparse
import json
from typing import Any

from workbench.load import ARRIVAL_KINDS, drive
from workbench.server import Server


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("drive", help="send load to a model and measure it")
    parser.add_argument("repository", help="folder of models")
    parser.add_argument("model", help="the model")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    parser.add_argument("--rate", type=float, help="open loop: requests per second")
    parser.add_argument("--concurrency", type=int, help="closed loop: requests in flight")
    parser.add_argument("--arrivals", default="poisson", choices=ARRIVAL_KINDS, help="of the open loop")
    parser.add_argument("--duration", type=float, default=5.0, metavar="SECONDS", help="how long requests are sent")
    parser.add_argument("--seed", type=int, default=1, help="of arrivals and inputs")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the measurement; the exit status is 2 where it is flagged."""
    with Server(arguments.repository, name="drive", backends=arguments.backends) as server:
        measured = drive(
            server.load(arguments.model),
            rate=arguments.rate,
            concurrency=arguments.concurrency,
            arrivals=arguments.arrivals,
            duration_s=arguments.duration,
            seed=arguments.seed,
            progress=not arguments.json,
        )
    print(json.dumps(measured.facts()) if arguments.json else measured)
    return 0 if measured.is_steady else 2
