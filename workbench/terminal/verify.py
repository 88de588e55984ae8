# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`verify`: a model repository tried here and on the real server, where that can be had."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.export import verify
from workbench.terminal.drawing import waiting
from workbench.terminal.output import Output


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("verify", help="load a repository here and in the real server, compare answers")
    parser.add_argument("folder", help="a model repository, such as export writes")
    parser.add_argument("--download", action="store_true", help="fetch the real server (53 MB) where it is not here")
    parser.add_argument("--measure", action="store_true", help="measure both with the load of the export")
    parser.add_argument("--json", action="store_true", help="print the verdicts as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the verdicts; the exit status is 1 where a server does not answer as it should."""
    with waiting("loading it here and in the real server"):
        verification = verify(arguments.folder, download=arguments.download, measure=arguments.measure)
    output.result(verification.facts(), verification, verification.table())
    for figures in verification.figures:
        output.note(figures)
    return int(verification.has_failed)
