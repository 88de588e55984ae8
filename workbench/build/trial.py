# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the child process that tries a backend, and bounds what it can do to us."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from workbench.build.installation import core_library, preflight_helper
from workbench.build.report import Verdict, read_verdict

_GRACE_S: Final = 2.0
_REPORT: Final = "REPORT_FD"
"""Stands for the number of the pipe, which is not known yet."""

_OUTPUT_BYTE_SIZE: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """A model to try a backend with: its completed configuration, its version, the model's folder."""

    config_json: str
    version: int
    folder: str


def run_trial(
    library: Path,
    *,
    name: str,
    model: ModelTrial | None = None,
    timeout_s: float,
    environment: Mapping[str, str] | None = None,
) -> Verdict:
    """Try `library`, and `model` with it, in a child process that ends after `timeout_s` whatever the backend does.

    An interrupt kills the child. Raises UnavailableError where the child or the core is not installed.
    """
    command = [str(preflight_helper()), _REPORT, str(max(1, round(timeout_s))), str(core_library()), str(library), name]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
        if model is not None:
            config.write(model.config_json)
            config.flush()
            command += [config.name, str(model.version), model.folder]
        return _run(command, timeout_s, {**os.environ, **(environment or {})})


def _run(command: Sequence[str], timeout_s: float, environment: Mapping[str, str]) -> Verdict:
    receive, send = os.pipe()
    with os.fdopen(receive, "rb") as report, tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [str(send) if word is _REPORT else word for word in command],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=(send,), env=environment,
                start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(send)
        try:
            is_late = _outlives(process, timeout_s + _GRACE_S)
        finally:
            # Also what the backend started: it may hold the pipes.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        lines = _drain(report).decode("utf-8", "replace").splitlines()
        output.seek(0)
        text = output.read(_OUTPUT_BYTE_SIZE).decode("utf-8", "replace").strip()
        return read_verdict(lines, status=process.returncode, is_late=is_late, output=text)


def _outlives(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return True
    return False


def _drain(report: BinaryIO) -> bytes:
    """Everything in the pipe. A grandchild may hold the other end, so waiting for its end could take forever."""
    descriptor = report.fileno()
    os.set_blocking(descriptor, False)
    chunks: list[bytes] = []
    with suppress(BlockingIOError):
        while chunk := os.read(descriptor, 65536):
            chunks.append(chunk)
    return b"".join(chunks)
