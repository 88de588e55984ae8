# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: each command is a module of this package with `register(subparsers)`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from workbench.errors import WorkbenchError

COMMANDS: Final = ("serve", "drive", "sweep", "export", "verify", "doctor")
"""Modules of this package, in the order in which help lists them."""

_INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    parsed = parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except WorkbenchError as exc:
        print(f"workbench: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


class _Parser(argparse.ArgumentParser):
    """Ends with 1 where it does not understand, as the original does: 2 is an answer of some commands."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where the flags are listed."""
        self.exit(1, f"{self.prog}: {message}; `{self.prog} --help` lists what there is\n")


def parser() -> argparse.ArgumentParser:
    """What reads the command line, every command included."""
    whole = _Parser(prog="workbench", description="A laboratory for inference serving.")
    subparsers: Any = whole.add_subparsers(metavar="command", required=True)
    for command in COMMANDS:
        import_module(f"workbench.terminal.{command}").register(subparsers)
    return whole
