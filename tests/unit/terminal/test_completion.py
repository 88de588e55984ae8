# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Shells complete the commands: bash and fish are asked themselves, zsh reads the script."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("shtab", reason="shtab is not installed: make build")
from workbench.terminal.completion import SHELLS, script
from workbench.terminal.main import COMMANDS

ASK_BASH = """
source {script}
COMP_WORDS=({words} "{last}")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_shtab_workbench
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("identity", "resnet50"):
        (tmp_path / "models" / name).mkdir(parents=True)
        (tmp_path / "models" / name / "config.pbtxt").touch()
    (tmp_path / "models" / "no_model").mkdir()
    for shell in SHELLS:
        (tmp_path / f"workbench.{shell}").write_text(script(shell))
    return tmp_path


def needed(shell: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    return path


def asked(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    text = ASK_BASH.format(script=folder / "workbench.bash", words=" ".join(words[:-1]), last=words[-1])
    command = [needed("bash"), "--norc", "-c", text]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert not done.stderr
    return sorted(done.stdout.split())


def test_bash_offers_commands_options_and_choices(folder: Path) -> None:
    assert set(asked(folder, "workbench", "")) >= set(COMMANDS)
    assert asked(folder, "workbench", "do") == ["doctor"]
    assert asked(folder, "workbench", "drive", "--conc") == ["--concurrency"]
    assert set(asked(folder, "workbench", "drive", "--arrivals", "")) == {"constant", "gamma", "markov", "poisson"}


def test_bash_offers_folders_and_the_models_of_the_repository(folder: Path) -> None:
    assert "models" in [name.rstrip("/") for name in asked(folder, "workbench", "drive", "mod")]
    assert asked(folder, "workbench", "drive", "models", "") == ["identity", "resnet50"]
    assert asked(folder, "workbench", "drive", "models", "res") == ["resnet50"]


def test_a_real_bash_completes_what_is_typed(folder: Path) -> None:
    """Readline's own key, on a terminal."""
    terminal, its_side = pty.openpty()
    environment = {**os.environ, "PS1": "$ ", "TERM": "dumb", "INPUTRC": "/dev/null"}
    shell = subprocess.Popen(
        [needed("bash"), "--norc", "--noprofile", "-i"],
        cwd=folder,
        env=environment,
        stdin=its_side,
        stdout=its_side,
        stderr=its_side,
        start_new_session=True,
    )
    os.close(its_side)
    typed = (
        f"source {folder}/workbench.bash\n",
        "workbench() { echo got:$1:$2:$3; }\n",
        "workbench dri\tmod\t res\t\n",
    )
    for line in (*typed, "exit\n"):
        os.write(terminal, line.encode())
    shown = b""
    try:
        while block := os.read(terminal, 4096):
            shown += block
    except OSError:  # the shell has ended
        pass
    shell.wait()
    os.close(terminal)
    assert "got:drive:models/:resnet50" in shown.decode()


def test_fish_offers_commands_and_models(folder: Path) -> None:
    def offered(line: str) -> list[str]:
        text = f"source workbench.fish; complete -C '{line}'"
        done = subprocess.run(
            [needed("fish"), "-N", "-c", text], cwd=folder, capture_output=True, text=True, check=True
        )
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    assert offered("workbench do") == ["doctor"]
    assert set(offered("workbench drive models ")) >= {"identity", "resnet50"}


def test_zsh_reads_its_script(folder: Path) -> None:
    done = subprocess.run([needed("zsh"), "-n", folder / "workbench.zsh"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
