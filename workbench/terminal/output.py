# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Where commands tell what they found: one JSON document, a table where a person reads along, else plain text."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, Final, TextIO

from workbench.display import Table, plain_json
from workbench.errors import WorkbenchError
from workbench.terminal.drawing import draw, is_watched

_STDOUT: Final = 1
_STDERR: Final = 2


class Output:
    """Standard output of one command.

    Args:
        stream: where results go.
        as_json: one document is all that goes there.
    """

    def __init__(self, stream: TextIO, *, as_json: bool) -> None:
        self._stream = stream
        self.as_json = as_json

    def result(self, facts: Any, text: object, table: Table | None = None) -> None:
        """What was found: the facts as JSON, the table on a terminal, the text anywhere else."""
        if self.as_json:
            text = json.dumps(plain_json(facts), indent=1, allow_nan=False)
        elif table is not None and is_watched(self._stream):
            draw(table, self._stream)
            return
        self._say(text)

    def note(self, text: object) -> None:
        """A line more, for people alone."""
        if not self.as_json:
            self._say(text)

    def failed(self, error: Exception) -> None:
        """What went wrong, for people on standard error; as the document where one is waited for."""
        print(f"workbench: {error}", file=sys.stderr)
        if self.as_json:
            code = error.code if isinstance(error, WorkbenchError) else type(error).__name__
            self._say(json.dumps({"error": {"code": code, "message": str(error)}}, indent=1))

    def _say(self, text: object) -> None:
        print(text, file=self._stream, flush=True)


@contextmanager
def results_alone(*, as_json: bool) -> Iterator[TextIO]:
    """Standard output. For JSON it is kept for that: what models and libraries print goes to standard error."""
    if not as_json:
        yield sys.stdout
        return
    shown = sys.stdout
    shown.flush()
    kept = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)
    try:
        with os.fdopen(os.dup(kept), "w", encoding="utf-8") as own, redirect_stdout(sys.stderr):
            yield own if _is_standard(shown) else shown
    finally:
        ctypes.CDLL(None).fflush(None)  # what C++ printed still waits
        os.dup2(kept, _STDOUT)
        os.close(kept)


def _is_standard(stream: TextIO) -> bool:
    try:
        return stream.fileno() == _STDOUT
    except (OSError, ValueError):
        return False
