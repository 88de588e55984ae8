# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a compiler so that an interrupt ends it at once, and whatever it started with it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.errors import BuildError

Progress = Callable[[str, float], None]
"""Called with the name of the step that runs (`compiling`, `linking`, `trying`) and its seconds so far."""

_PULSE_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a process ended, and its standard output and error together."""

    status: int
    text: str


def run(
    command: Sequence[str],
    *,
    cwd: Path,
    step: str = "compiling",
    progress: Progress | None = None,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run `command` to its end; an exception meanwhile (an interrupt, one from `progress`) kills its whole group.

    Raises BuildError where the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C", **(environment or {})}, start_new_session=True,
        )  # fmt: skip
    except OSError as exc:
        raise BuildError(f"cannot run {command[0]}: {exc.strerror}") from exc
    try:
        return Outcome(*_wait(process, step, progress))
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    finally:
        if process.stdout is not None:
            process.stdout.close()


def _wait(process: subprocess.Popen[bytes], step: str, progress: Progress | None) -> tuple[int, str]:
    start = time.monotonic()
    while True:
        if progress is not None:
            progress(step, time.monotonic() - start)
        try:
            output, _ = process.communicate(timeout=_PULSE_S)
        except subprocess.TimeoutExpired:
            continue
        return process.returncode, output.decode("utf-8", "replace")
