# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of several views in one message, and one answer for all of them.

A message costs the kernel, the notebook server and the browser about the same whether it is short or long; an answer
makes the kernel busy and idle again, which every page of the notebook shows by drawing its icons anew.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Iterator
from typing import Any, Final, Protocol

from workbench.views.credit import Credit
from workbench.views.subshell import hear_anywhere


class Viewed(Protocol):
    """A widget that shows frames."""

    uid: str
    comm: Any
    credit: Credit

    def send(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        """Sends a message to the browser."""


class Post:
    """Sends frames: those of one tick together, others at once. Any thread may call it."""

    def __init__(self) -> None:
        self._views: weakref.WeakValueDictionary[str, Viewed] = weakref.WeakValueDictionary()
        self._heard_last = ""
        self._gathering: int | None = None
        self._parts: list[tuple[Viewed, dict[str, Any], list[bytes]]] = []

    def add(self, view: Viewed) -> None:
        """From now on answers may be about this view."""
        self._views[view.uid] = view

    def heard(self, view: Viewed) -> None:
        """The browser has this view: it can bring the frames of the others, too."""
        self._heard_last = view.uid

    def answered(self, frames: list[list[Any]], *, now_s: float) -> None:
        """Frames arrived: uid, number, and whether nobody looks."""
        for uid, seq, is_hidden in frames:
            view = self._views.get(str(uid))
            if view is not None:
                view.credit.acknowledged(int(seq), is_hidden=bool(is_hidden), now_s=now_s)

    @contextlib.contextmanager
    def gathered(self) -> Iterator[None]:
        """What this thread sends meanwhile goes out together at the end."""
        self._gathering = threading.get_ident()
        try:
            yield
        finally:
            self._gathering, parts, self._parts = None, self._parts, []
            self._send_together(parts)

    def send(self, view: Viewed, header: dict[str, Any], buffers: list[bytes]) -> None:
        """Sends a frame."""
        if self._gathering == threading.get_ident():
            self._parts.append((view, header, buffers))
        else:
            view.send(header, buffers=buffers)

    def _send_together(self, parts: list[tuple[Viewed, dict[str, Any], list[bytes]]]) -> None:
        carrier = self._views.get(self._heard_last)
        if carrier is None or carrier.comm is None or len(parts) < 2:
            for view, header, buffers in parts:
                view.send(header, buffers=buffers)
            return
        told = [{"uid": view.uid, "count": len(buffers), "header": header} for view, header, buffers in parts]
        hear_anywhere(carrier)
        carrier.send({"kind": "several", "parts": told}, buffers=[one for _, _, buffers in parts for one in buffers])


POST: Final = Post()
"""A kernel has one line to its pages."""
