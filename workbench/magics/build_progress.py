# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A line under the cell that says what a build does, while it does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Final

from IPython.core.getipython import get_ipython
from IPython.display import DisplayHandle

_SILENT_S: Final = 0.3
_STEP_S: Final = 0.25


class _Line:
    """Shows nothing of builds that are over at once, and redraws a few times a second."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._handle: Any = None
        self._shown: tuple[str, float] = ("", 0.0)

    def __call__(self, step: str, elapsed_s: float) -> None:
        last_step, last_s = self._shown
        if elapsed_s < _SILENT_S or (step == last_step and elapsed_s - last_s < _STEP_S):
            return
        self._shown = step, elapsed_s
        self._draw(f"{self._name}: {step}, {elapsed_s:.1f} s")

    def clear(self) -> None:
        """Leave an empty line."""
        if self._handle is not None:
            self._draw("")

    def _draw(self, text: str) -> None:
        bundle = {"text/plain": text, "text/html": f"<small>{escape(text)}</small>"}
        if self._handle is None:
            self._handle = DisplayHandle()  # type: ignore[no-untyped-call]
            self._handle.display(bundle, raw=True)
        else:
            self._handle.update(bundle, raw=True)


@contextmanager
def shown(name: str) -> Iterator[Callable[[str, float], None] | None]:
    """A progress callback for the length of a `with`; None where no notebook could redraw a line."""
    if not hasattr(get_ipython(), "kernel"):
        yield None
        return
    line = _Line(name)
    try:
        yield line
    finally:
        line.clear()
