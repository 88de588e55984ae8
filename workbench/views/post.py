# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of several views in one message, and one answer for all of them.

A message costs the kernel, the notebook server and the browser about the same whether it is short or long; an answer
makes the kernel busy and idle again, which every page of the notebook shows by drawing its icons anew.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import weakref
from collections.abc import Iterator
from typing import Any, Final, Protocol

from workbench.views.credit import Credit
from workbench.views.hearing import HEARING
from workbench.views.subshell import hear_anywhere

_log = logging.getLogger(__name__)


class Stoppable(Protocol):
    """What makes the frames of a view."""

    def stop(self) -> None:
        """Makes no more."""


class Viewed(Protocol):
    """A widget that shows frames."""

    uid: str
    comm: Any
    credit: Credit

    @property
    def pump(self) -> Stoppable:
        """What makes its frames."""

    def send(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        """Sends a message to the browser."""


_Part = tuple[Viewed, dict[str, Any], list[bytes]]


class Post:
    """Sends frames: those of one tick together, others at once. Any thread may call it."""

    def __init__(self) -> None:
        self._views: weakref.WeakValueDictionary[str, Viewed] = weakref.WeakValueDictionary()
        self._heard_last = ""
        self._gathering: int | None = None
        self._parts: list[_Part] = []

    def add(self, view: Viewed) -> None:
        """From now on answers may be about this view."""
        self._views[view.uid] = view
        HEARING.listen()

    def heard(self, view: Viewed) -> None:
        """The browser has this view: it can bring the frames of the others, too."""
        self._heard_last = view.uid
        HEARING.heard()

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

    def _send_together(self, parts: list[_Part]) -> None:
        """What one view's message or line does not bear must not cost the others their frames."""
        carrier = self._views.get(self._heard_last)
        if carrier is None or carrier.comm is None or len(parts) < 2 or not self._carried(carrier, parts):
            for part in parts:
                _send_alone(*part)

    def _carried(self, carrier: Viewed, parts: list[_Part]) -> bool:
        """Whether all could go with one view; where not, it carries nothing until it is heard again."""
        told = [{"uid": view.uid, "count": len(buffers), "header": header} for view, header, buffers in parts]
        try:
            hear_anywhere(carrier)
            carrier.send(
                {"kind": "several", "parts": told}, buffers=[one for _, _, buffers in parts for one in buffers]
            )
        except Exception:  # noqa: BLE001 - the seam to the kernel's messages, which may fail in any way
            self._heard_last = ""
            return False
        return True


def _send_alone(view: Viewed, header: dict[str, Any], buffers: list[bytes]) -> None:
    try:
        view.send(header, buffers=buffers)
    except Exception:  # noqa: BLE001 - as above: it ends this picture, and no other
        _log.exception("a view stopped: its frame could not be sent")
        view.pump.stop()


POST: Final = Post()
"""A kernel has one line to its pages."""
