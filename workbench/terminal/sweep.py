# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`sweep`: the configuration that serves best, and a repository with it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from workbench.export import export
from workbench.server import Server
from workbench.sweep import SWEEP_OPTIONS, sweep, sweep_arguments
from workbench.views import report


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("sweep", help="find the configuration that serves best within a latency objective")
    parser.add_argument("repository", help="folder of models")
    parser.add_argument("model", help="the model")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    for name, settings in SWEEP_OPTIONS:
        parser.add_argument(name, **settings)
    parser.add_argument("--export", default="", metavar="FOLDER", help="write the best as a model repository")
    parser.add_argument("--report", default="", metavar="FILE", help="write why it won, .html or .ipynb")
    parser.add_argument("--json", action="store_true", help="print every trial as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the ranking; the exit status is 2 where nothing met the objective."""
    with Server(arguments.repository, name="sweep", backends=arguments.backends) as server:
        model = server.load(arguments.model)
        study = sweep(model, progress=not arguments.json, **sweep_arguments(arguments))
        print(json.dumps(study.facts(), indent=1) if arguments.json else study)
        if arguments.report:
            report(study, arguments.report)
        if arguments.export:
            exported = export(study, arguments.export, model=model)
            if not arguments.json:
                print(exported)
    return 0 if study.best.is_feasible else 2
