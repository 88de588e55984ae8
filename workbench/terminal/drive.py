# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`drive`: load on a model, measured; of a repository served here, or of a server elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from workbench.errors import InvalidArgumentError
from workbench.load import DRIVE_OPTIONS, Measurement, RemoteModel, drive, drive_arguments
from workbench.server import Model, Server
from workbench.terminal.drawing import progress
from workbench.terminal.output import Output


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("drive", help="send load to a model and measure it")
    parser.add_argument("repository", nargs="?", help="folder of models, which are served here; or --url")
    parser.add_argument("model", help="the model")
    parser.add_argument("--url", help="a server elsewhere, such as http://localhost:8000 or grpc://localhost:8001")
    parser.add_argument("--token", default="", help="the bearer token that it wants")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    for name, settings in DRIVE_OPTIONS:
        parser.add_argument(name, **settings)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the measurement; the exit status is 2 where it is flagged."""
    measured = _measured(arguments)
    output.result(measured.facts(), measured, measured.table())
    return 0 if measured.is_steady else 2


def _measured(arguments: argparse.Namespace) -> Measurement:
    if bool(arguments.url) == bool(arguments.repository):
        raise InvalidArgumentError("give either a folder of models, or --url of a server that serves them")
    options = drive_arguments(arguments)
    if arguments.url:
        return _driven(RemoteModel(arguments.url, arguments.model, token=arguments.token), options)
    with Server(arguments.repository, name="drive", backends=arguments.backends) as server:
        return _driven(server.load(arguments.model), options)


def _driven(model: RemoteModel | Model, options: Mapping[str, Any]) -> Measurement:
    with progress(f"drive {model.name}") as report:
        return drive(model, progress=report, **options)
