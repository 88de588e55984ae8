# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: each command is a module of this package with `register` and `run(arguments, output)`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from workbench.errors import UnavailableError, WorkbenchError
from workbench.terminal.output import Output, results_alone
from workbench.terminal.parsers import FAILED, Parser

COMMANDS: Final = ("serve", "drive", "sweep", "export", "verify", "doctor", "completion")
"""Modules of this package, in the order in which help lists them."""

EXIT_STATUSES: Final = {
    0: "done",
    FAILED: "it failed, or was not understood; standard error says why. doctor: something needed is broken; export and "
    "verify: a server does not answer as it should; serve: a request in flight was given up",
    2: "there is an answer, and it is no good one. drive: the measurement is flagged; sweep: nothing met the objective",
    130: "interrupted by Ctrl-C; sweep shows what it has found until then",
    141: "who read the output went away",
}
"""What each exit status means."""

_INTERRUPTED: Final = 130
_NOBODY_READS: Final = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    told = parser().parse_args(arguments)
    try:
        with results_alone(as_json=told.json) as stream:
            return _status(told, Output(stream, as_json=told.json))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return _NOBODY_READS


def _status(told: argparse.Namespace, output: Output) -> int:
    try:
        status: int = told.run(told, output)
    except BrokenPipeError:
        raise
    except (WorkbenchError, OSError) as exc:
        output.failed(exc)
        return FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def parser() -> argparse.ArgumentParser:
    """What reads the command line, every command included."""
    statuses = "\n".join(f"  {number:<4} {meaning}" for number, meaning in EXIT_STATUSES.items())
    whole = Parser(
        prog="workbench",
        description="A laboratory for inference serving.",
        epilog=f"exit status:\n{statuses}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.set_defaults(json=False)
    subparsers: Any = whole.add_subparsers(metavar="command", required=True)
    for command in COMMANDS:
        _register(command, subparsers)
    return whole


def _register(command: str, subparsers: Any) -> None:
    """Where the core can not be opened, most commands are not there; `doctor` tells why."""
    try:
        import_module(f"workbench.terminal.{command}").register(subparsers)
    except ImportError as exc:
        message = f"{command} can not run: {exc}; `python -m workbench doctor` looks for the cause"
        parser = subparsers.add_parser(command, help=f"can not run here: {exc}", prefix_chars="\0")
        parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
        parser.set_defaults(run=_Absent(message))


class _Absent:
    def __init__(self, message: str) -> None:
        self._message = message

    def __call__(self, told: argparse.Namespace, output: Output) -> int:
        del told, output
        raise UnavailableError(self._message)
