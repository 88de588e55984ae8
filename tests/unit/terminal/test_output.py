# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What commands show, and to whom: a document, a table, plain text."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench.display import Table
from workbench.errors import NotFoundError
from workbench.terminal import main
from workbench.terminal.main import COMMANDS, EXIT_STATUSES, parser
from workbench.terminal.output import Output
from workbench.terminal.parsers import subcommands, words

TABLE = Table(("model", "state"), (("m", "READY"), ("[red]", "UNAVAILABLE")), "of [bold] a server")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def refuse(constant: str) -> None:
    pytest.fail(f"{constant} is no JSON")


def strict(text: str) -> Any:
    """The document, by the letter of JSON."""
    return json.loads(text, parse_constant=refuse)


def test_a_person_at_a_terminal_sees_a_table_with_the_words_as_they_are() -> None:
    stream = Terminal()
    Output(stream, as_json=False).result({}, "plain", TABLE)
    shown = stream.getvalue()
    assert "\x1b[" in shown and "│" in shown
    assert "[red]" in shown and "[bold]" in shown and "plain" not in shown


def test_elsewhere_it_is_plain_text() -> None:
    stream = io.StringIO()
    output = Output(stream, as_json=False)
    output.result({}, "plain", TABLE)
    output.note("more")
    assert stream.getvalue() == "plain\nmore\n"


def test_json_is_one_document_and_nothing_else() -> None:
    stream = Terminal()
    output = Output(stream, as_json=True)
    output.note("for people")
    output.result({"p99_ms": float("inf"), "sizes": (1, 2)}, "plain", TABLE)
    assert strict(stream.getvalue()) == {"p99_ms": None, "sizes": [1, 2]}


def test_a_failure_is_a_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    stream = io.StringIO()
    Output(stream, as_json=True).failed(NotFoundError("no model 'x'"))
    assert strict(stream.getvalue()) == {"error": {"code": "NOT_FOUND", "message": "no model 'x'"}}
    assert capsys.readouterr().err == "workbench: no model 'x'\n"


def test_a_file_that_can_not_be_written_is_told_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "/read-only/x")

    monkeypatch.setattr("workbench.terminal.verify.verify", fail)
    assert main(["verify", str(tmp_path), "--json"]) == 1
    told = capsys.readouterr()
    assert "/read-only/x" in told.err
    assert strict(told.out)["error"]["code"] == "PermissionError"


CHATTY = """
import ctypes, sys
from workbench.terminal import doctor, main
def examine():
    print("a model says something")
    ctypes.CDLL(None).puts(b"so does its C")
    yield doctor.Finding("core", "ok", "there")
doctor.examine = examine
sys.exit(main(["doctor", "--json"]))
"""


def test_what_models_print_does_not_disturb_the_document() -> None:
    done = subprocess.run([sys.executable, "-c", CHATTY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert strict(done.stdout)["findings"] == [{"subject": "core", "state": "ok", "detail": "there"}]
    assert "a model says something" in done.stderr and "so does its C" in done.stderr


def test_a_real_terminal_gets_the_table_and_a_pipe_does_not() -> None:
    command = [sys.executable, "-m", "workbench", "doctor"]
    mine, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as run:
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(mine, 65536):
                shown += block
        except OSError:  # the other side is closed
            pass
        os.close(mine)
    assert run.returncode in (0, 1)
    assert "│" in shown.decode()
    piped = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "│" not in piped.stdout and "\x1b" not in piped.stdout


def test_who_stops_reading_gets_no_traceback() -> None:
    script = f"{sys.executable} -m workbench doctor | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [(["swep"], "sweep"), (["drive", "r", "m", "--rat3"], "--rate"), (["doctor", "--jsn"], "--json")],
)
def test_a_slip_is_told_with_what_was_meant(wrong: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(wrong)
    assert ended.value.code == 1
    assert f"did you mean {meant}?" in capsys.readouterr().err


def test_every_command_gives_json_but_the_one_that_prints_a_script() -> None:
    with_json = {name for name, command in subcommands(parser()).items() if "--json" in set(words(command))}
    assert with_json == set(COMMANDS) - {"completion"}


def test_help_tells_the_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert all(f"{number} {meaning}"[:60] in shown for number, meaning in EXIT_STATUSES.items())


def test_sweep_takes_the_fields_with_hyphens_too() -> None:
    told = parser().parse_args(["sweep", "r", "m", "--max-batch-size", "4", "8", "--most_memory", "1"])
    assert (told.max_batch_size, told.most_memory) == ([4, 8], 1)
