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
from pathlib import Path
from typing import BinaryIO, Final

from workbench.build.installation import core_library, preflight_helper
from workbench.build.report import Verdict, read_verdict

_GRACE_S: Final = 2.0
_OUTPUT_BYTE_SIZE: Final = 64 * 1024


def run_trial(
    library: Path,
    arguments: Sequence[str] = (),
    *,
    timeout_s: float,
    environment: Mapping[str, str] | None = None,
) -> Verdict:
    """Try `library` in a child process that ends after `timeout_s` whatever the backend does.

    An interrupt kills the child. Raises UnavailableError where the child or the core is not installed.
    """
    helper, core = preflight_helper(), core_library()
    receive, send = os.pipe()
    with os.fdopen(receive, "rb") as report, tempfile.TemporaryFile() as output:
        try:
            command = [str(helper), str(send), str(max(1, round(timeout_s))), str(core), str(library), *arguments]
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=(send,),
                env={**os.environ, **(environment or {})}, start_new_session=True,
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
        return read_verdict(
            lines, status=process.returncode, is_late=is_late, output=_text(output.read(_OUTPUT_BYTE_SIZE))
        )


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


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip()
