# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`export`: a model with its backend as a repository of its own, tried on the real server where that can be had."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.export import export, verify
from workbench.server import Server
from workbench.terminal.drawing import waiting
from workbench.terminal.output import Output


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("export", help="write a model with its backend as a repository for the real server")
    parser.add_argument("repository", help="folder of models")
    parser.add_argument("model", help="the model")
    parser.add_argument("folder", help="the model repository to write")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    parser.add_argument("--verify", action="store_true", help="load it here and in the real server, compare answers")
    parser.add_argument("--download", action="store_true", help="fetch the real server (53 MB) where it is not here")
    parser.add_argument("--json", action="store_true", help="print files and verdicts as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print what was written; the exit status is 1 where a server does not answer as it should."""
    with Server(arguments.repository, name="export", backends=arguments.backends) as server:
        exported = export(server.load(arguments.model), arguments.folder)
    if not arguments.verify:
        output.result(exported.facts() | {"verification": None}, exported)
        return 0
    output.note(exported)
    with waiting("loading it here and in the real server"):
        verification = verify(arguments.folder, download=arguments.download)
    facts = exported.facts() | {"verification": verification.facts()}
    output.result(facts, verification, verification.table())
    return int(verification.has_failed)
