# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`wb.watch_memory`: who holds which memory, live."""

from __future__ import annotations

import threading
import time
import uuid
from typing import Any, Final

import anywidget
import traitlets

from workbench.server import Server
from workbench.views import esm
from workbench.views.colours import OWNERS, palette
from workbench.views.credit import NEWS_PER_S, Credit
from workbench.views.memory_follower import MemoryFollower, MemoryLook, MemorySource
from workbench.views.memory_message import memory_message
from workbench.views.paper_memory import memory_png
from workbench.views.post import POST
from workbench.views.pump import Pump
from workbench.views.source import ServerSource
from workbench.views.subshell import hear_anywhere


def watch_memory(source: Server | MemorySource, *, window_s: float = 30.0, frames_per_s: float = 5.0) -> MemoryWatch:
    """The memory pools of a server, live: over time, block by block with their owners, and what fell back to where.

    Args:
        source: a server, or any other source of pools and events.
        window_s: width of the time axis.
        frames_per_s: how often the picture moves while someone looks; news come ten times a second at most.
    """
    told = ServerSource(source) if isinstance(source, Server) else source
    return MemoryWatch(told, window_s=window_s, frames_per_s=frames_per_s).start()


class MemoryWatch(anywidget.AnyWidget):
    """A canvas that shows memory pools. Any thread may call it; `close` ends it."""

    _esm = traitlets.Unicode(esm.module("memory_widget.js")).tag(sync=True)
    _css = traitlets.Unicode(esm.stylesheet()).tag(sync=True)
    uid = traitlets.Unicode().tag(sync=True)
    palette = traitlets.Dict().tag(sync=True)
    is_live = traitlets.Bool(default_value=False).tag(sync=True)
    frames_per_s = traitlets.Float(30.0).tag(sync=True)

    def __init__(self, source: MemorySource, *, window_s: float = 30.0, frames_per_s: float = 5.0) -> None:
        self._reading = threading.Lock()
        self._follower = MemoryFollower(source, window_s=window_s)
        self.credit = Credit(frames_per_s=min(frames_per_s, NEWS_PER_S), now_s=time.monotonic())
        self.pump: Final = Pump(self._send_frame, self.credit)
        super().__init__(uid=uuid.uuid4().hex, frames_per_s=frames_per_s, palette=palette() | {"owners": list(OWNERS)})
        self.on_msg(self._hear)
        POST.add(self)

    def __repr__(self) -> str:
        return f"<MemoryWatch {'live' if self.pump.is_running else 'stopped'}, {self.pump.frames} frames>"

    def start(self) -> MemoryWatch:
        """Begins to follow."""
        self.pump.start()
        self.is_live = True
        return self

    def stop(self) -> None:
        """Stops following; the last picture stays."""
        self.pump.stop()
        self.is_live = False

    def close(self) -> None:
        """Stops following and removes the widget."""
        self.pump.stop()
        super().close()

    def look(self) -> MemoryLook:
        """What it shows now, as values."""
        with self._reading:
            return self._follower.look()

    def _hear(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        POST.heard(self)
        now_s = time.monotonic()
        if content.get("kind") == "ack":
            POST.answered(content["frames"], now_s=now_s)
        elif content.get("kind") == "hello":
            self.credit.greeted(now_s=now_s)
            self.pump.hurry()

    def _send_frame(self, is_thinned: bool) -> None:  # noqa: ARG002, FBT001 - called by the pump; its frames are whole and small
        if self.comm is None:
            raise ConnectionError("the memory view is closed")
        hear_anywhere(self)
        seq = self.credit.next_seq()
        header, buffers = memory_message(self.look(), seq=seq)
        self.credit.sent(seq, sum(map(len, buffers)))
        POST.send(self, header, buffers)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        look = self.look()
        return {**(data or {}), **memory_png(look)}, {**metadata, "image/png": {"alt": f"memory: {look.sentence}"}}
