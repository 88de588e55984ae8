# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A parser that says what was probably meant, and what of a parser argparse tells to nobody else."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, NoReturn

FAILED: Final = 1
_WRONG: Final = re.compile(r"unrecognized arguments: (\S+)|invalid choice: '([^']*)'")


class Parser(argparse.ArgumentParser):
    """Ends with 1 where it does not understand, as the original does: 2 is an answer of some commands."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, what was probably meant, and where the words are listed."""
        found = _WRONG.search(message)
        wrong = (found[1] or found[2]).split("=")[0] if found else ""
        meant = get_close_matches(wrong, sorted(words(self)), n=1) if wrong else []
        hint = f"; did you mean {meant[0]}?" if meant else ""
        self.exit(FAILED, f"{self.prog}: {message}{hint}; `{self.prog} --help` lists what there is\n")


def subcommands(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Parsers of the commands that a parser has, by name."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in actions(parser):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            found |= action.choices
    return found


def actions(parser: argparse.ArgumentParser) -> list[Any]:
    """What a parser was told to take."""
    return parser._actions  # noqa: SLF001


def words(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Commands, options and choices that a parser knows, those of its commands included."""
    for action in actions(parser):
        if action.help != argparse.SUPPRESS:
            yield from action.option_strings
            yield from (str(choice) for choice in action.choices or ())
    for command in subcommands(parser).values():
        yield from words(command)
