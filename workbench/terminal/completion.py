# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`completion`: what makes a shell complete these commands, as shtab writes it out of the parsers."""

from __future__ import annotations

import argparse
from typing import Any, Final

import shtab

from workbench.terminal.main import parser
from workbench.terminal.output import Output
from workbench.terminal.parsers import actions, subcommands

SHELLS: Final = ("bash", "zsh", "fish")
_FOLDERS: Final = frozenset(("repository", "folder", "FOLDER"))
_FILES: Final = frozenset(("FILE",))
_MODELS: Final = {
    "bash": "_workbench_models",
    "zsh": "_workbench_models",
    "fish": "(_workbench_models)",
}
_PREAMBLE: Final = {
    "bash": """
# Models of the repository that stands on the line already.
_workbench_models() {
  local word folder
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    for folder in "$word"/*/; do
      [ -f "$folder/config.pbtxt" ] && basename "$folder"
    done
  done | { local names; mapfile -t names; compgen -W "${names[*]}" -- "$1"; }
}
""",
    "zsh": """
# Models of the repository that stands on the line already.
_workbench_models() {
  local word
  local -a models
  for word in $words[2,CURRENT-1]; do
    [[ -d $word ]] && models+=($word/*/config.pbtxt(N:h:t))
  done
  compadd -a models
}
""",
    "fish": """
# Models of the repository that stands on the line already.
function _workbench_models
  for word in (commandline -opc)
    for config in $word/*/config.pbtxt
      basename (dirname $config)
    end
  end
end
""",
}


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    command = subparsers.add_parser(
        "completion",
        help="print what makes a shell complete these commands",
        description="Print what makes a shell complete `workbench`: for eval, or a file where the shell looks for it",
    )
    command.add_argument("shell", choices=SHELLS, help="the shell")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the script."""
    output.note(script(arguments.shell))
    return 0


def script(shell: str) -> str:
    """What the shell is to read."""
    whole = parser()
    for command in subcommands(whole).values():
        for action in actions(command):
            _explain(action)
    return str(shtab.complete(whole, shell=shell, preamble=_PREAMBLE[shell]))


def _explain(action: Any) -> None:
    """Tell shtab what may stand there."""
    name = action.metavar or action.dest
    if name in _FOLDERS:
        action.complete = shtab.DIRECTORY
    elif name in _FILES:
        action.complete = shtab.FILE
    elif action.dest == "model":
        action.complete = _MODELS
