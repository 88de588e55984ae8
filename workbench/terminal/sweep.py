# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`sweep`: the configuration that serves best, and a repository with it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from workbench.export import export
from workbench.server import Model, Server
from workbench.sweep import SWEEP_OPTIONS, Study, SweepInterruptedError, sweep, sweep_arguments
from workbench.terminal.drawing import progress
from workbench.terminal.output import Output
from workbench.views import report


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("sweep", help="find the configuration that serves best within a latency objective")
    parser.add_argument("repository", help="folder of models")
    parser.add_argument("model", help="the model")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    for name, settings in SWEEP_OPTIONS:
        parser.add_argument(*dict.fromkeys((name.replace("_", "-"), name)), **settings)
    parser.add_argument("--export", default="", metavar="FOLDER", help="write the best as a model repository")
    parser.add_argument("--report", default="", metavar="FILE", help="write why it won, .html or .ipynb")
    parser.add_argument("--json", action="store_true", help="print every trial as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the ranking; the exit status is 2 where nothing met the objective."""
    with Server(arguments.repository, name="sweep", backends=arguments.backends) as server:
        model = server.load(arguments.model)
        try:
            study = _swept(model, arguments)
        except SweepInterruptedError as exc:
            output.result(exc.study.facts(), exc.study, exc.study.table())
            raise
        written = dict(_written(study, model, arguments))
    output.result(study.facts() | {name: facts for name, (facts, _) in written.items()}, study, study.table())
    for _, text in written.values():
        output.note(text)
    return 0 if study.best.is_feasible else 2


def _swept(model: Model, arguments: argparse.Namespace) -> Study:
    with progress(f"sweep {model.name}") as report:
        return sweep(model, progress=report, **sweep_arguments(arguments))


def _written(study: Study, model: Model, arguments: argparse.Namespace) -> Iterator[tuple[str, tuple[Any, object]]]:
    """What each file is called in the document: its facts, and what people read of it."""
    if arguments.report:
        report(study, arguments.report)
        yield "report", (str(arguments.report), f"report: {arguments.report}")
    if arguments.export:
        exported = export(study, arguments.export, model=model)
        yield "exported", (exported.facts(), exported)
