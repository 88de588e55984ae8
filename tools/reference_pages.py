# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/magics.md and docs/reference/commands.md out of the parsers themselves.

Run `python tools/reference_pages.py` after editing a magic or a command; `--check` only compares, and exits with 1
where a page is out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from workbench.magics.extension import MAGICS
from workbench.terminal.main import EXIT_STATUSES, parser
from workbench.terminal.parsers import actions, subcommands

PAGES = Path(__file__).resolve().parents[1] / "docs/reference"
MARK = {"line": "%", "cell": "%%"}


def magics() -> Iterator[str]:
    """The page of the magics, line by line."""
    yield "# Magics\n"
    yield "`%load_ext workbench` brings them; each calls one function of the package."
    yield "Written by `tools/reference_pages.py`.\n"
    for kind, name in MAGICS:
        function = getattr(import_module(f"workbench.magics.{name}"), name)
        yield f"## {MARK[kind]}{name}\n"
        yield f"{summary(function)}\n"
        yield from options(function.parser)


def commands() -> Iterator[str]:
    """The page of the terminal's commands."""
    yield "# Commands\n"
    yield "`workbench COMMAND`, or `python -m workbench COMMAND`; [how to use them](../how-to/use-the-commands.md)."
    yield "Written by `tools/reference_pages.py`.\n"
    for name, command in subcommands(parser()).items():
        yield f"## {name}\n"
        yield f"{sentence(command.description or helps(parser())[name])}\n"
        yield from options(command)
    yield "## Exit status\n"
    yield "| | |"
    yield "|---|---|"
    yield from (f"| {number} | {cell(meaning)} |" for number, meaning in EXIT_STATUSES.items())


def helps(whole: argparse.ArgumentParser) -> dict[str, str]:
    """What the list of commands says of each."""
    choosing = next(action for action in actions(whole) if isinstance(action.choices, dict))
    return {choice.dest: choice.help or "" for choice in choosing._choices_actions}  # noqa: SLF001


def summary(function: Callable[..., Any]) -> str:
    """What the function's own documentation begins with, without what IPython makes of the arguments."""
    text = (getattr(function, "__wrapped__", function).__doc__ or function.parser.description or "").strip()  # type: ignore[attr-defined]
    lines = [line.strip() for line in text.splitlines()]
    if lines and lines[0].startswith("::"):  # IPython's usage comes first
        rest = [index for index, line in enumerate(lines) if not line and index > 0]
        lines = lines[rest[1] + 1 :] if len(rest) > 1 else lines
    paragraph = " ".join(lines[: lines.index("")] if "" in lines else lines)
    return sentence(paragraph)


def options(of: argparse.ArgumentParser) -> Iterator[str]:
    shown = [action for action in actions(of) if action.help != argparse.SUPPRESS and action.dest != "help"]
    if not shown:
        return
    yield "| argument | |"
    yield "|---|---|"
    for action in shown:
        yield f"| {usage(action)} | {cell(described(action))} |"
    yield ""


def usage(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    takes = "" if action.nargs == 0 else f" {value_name(action)}"
    return ", ".join(f"`{name}{takes}`" for name in action.option_strings)


def value_name(action: argparse.Action) -> str:
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return str(action.metavar if isinstance(action.metavar, str) else action.dest.upper())


def described(action: argparse.Action) -> str:
    text = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    is_told = action.default in (None, False, True, [], "", argparse.SUPPRESS) or "default" in text
    return text if is_told else f"{text} [{action.default}]"


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--check", action="store_true", help="compare only")
    check = arguments.parse_args().check
    stale = []
    for name, lines in (("magics", magics()), ("commands", commands())):
        page, text = PAGES / f"{name}.md", "\n".join(lines).rstrip() + "\n"
        if page.exists() and page.read_text(encoding="utf-8") == text:
            continue
        stale.append(page.name)
        if not check:
            page.write_text(text, encoding="utf-8")
    if stale and check:
        print(f"out of date: {', '.join(stale)}; run python tools/reference_pages.py")
    return int(bool(stale and check))


if __name__ == "__main__":
    sys.exit(main())
