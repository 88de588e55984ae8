# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The live dashboard: a widget that mirrors what a follower reads. It thinks nothing; reducers do."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Final

import anywidget
import traitlets

from workbench.views import esm, wire
from workbench.views.colours import palette
from workbench.views.credit import NEWS_PER_S, Credit
from workbench.views.facts import ModelFacts, Source
from workbench.views.follower import Follower
from workbench.views.heap import give_back
from workbench.views.picture import png_of
from workbench.views.post import POST
from workbench.views.pump import Pump
from workbench.views.recorded import RecordingSource
from workbench.views.records import Records
from workbench.views.subshell import hear_anywhere
from workbench.views.transport import Transport
from workbench.views.view import View
from workbench.views.what_if import Imagined

_THINNED: Final = {"most_batches": 150, "most_requests": 150}


class Dashboard(anywidget.AnyWidget):
    """A canvas that shows a model at work. Any thread may call it.

    Args:
        source: what to follow.
        window_s: width of the time axis.
        frames_per_s: how often the picture moves while someone looks; news come ten times a second at most.
    """

    _esm = traitlets.Unicode(esm.module()).tag(sync=True)
    _css = traitlets.Unicode(esm.stylesheet()).tag(sync=True)
    uid = traitlets.Unicode().tag(sync=True)
    palette = traitlets.Dict().tag(sync=True)
    tables = traitlets.Dict().tag(sync=True)
    is_live = traitlets.Bool(default_value=False).tag(sync=True)
    frames_per_s = traitlets.Float(30.0).tag(sync=True)
    saved = traitlets.Bytes().tag(sync=True)

    def __init__(self, source: Source, *, window_s: float = 10.0, frames_per_s: float = 30.0) -> None:
        self._window_s = window_s
        self._reading = threading.Lock()
        self._follower = _begun(source, window_s)
        self.credit = Credit(frames_per_s=min(frames_per_s, NEWS_PER_S), now_s=time.monotonic())
        self._wants_all = threading.Event()
        self._jumps = 0
        self._prediction: dict[str, Any] | None = None
        self.on_facts: Callable[[ModelFacts], None] | None = None
        self.pump: Final = Pump(self._send_frame, self.credit)
        super().__init__(
            uid=uuid.uuid4().hex,
            frames_per_s=frames_per_s,
            palette=palette(),
            tables={name: list(columns) for name, columns in wire.TABLES.items()},
        )
        self.on_msg(self._hear)
        POST.add(self)

    def __repr__(self) -> str:
        state = "live" if self.pump.is_running else "stopped"
        return f"<Dashboard of {self.facts.name}, {state}, {self.pump.frames} frames>"

    @property
    def facts(self) -> ModelFacts:
        """The model as it was last seen."""
        return self._follower.facts

    @property
    def kept_byte_size(self) -> int:
        """Bytes of what it keeps to show the window; little while nobody looks."""
        with self._reading:
            return self._follower.byte_size

    def start(self) -> Dashboard:
        """Begins to follow."""
        self.pump.start()
        self.is_live = True
        return self

    def follow(self, source: Source) -> None:
        """Shows another source from now on."""
        self._begin_anew(source)

    def look_back(self, window_s: float) -> None:
        """Shows another length of time; 1 second to 10 minutes."""
        self._window_s = min(max(window_s, 1.0), 600.0)
        self._begin_anew()

    def show_prediction(self, imagined: Imagined | None) -> None:
        """Draws a prediction over what is measured; None takes it away."""
        self._prediction = None if imagined is None else wire.prediction(imagined)
        self.send({"kind": "prediction", "prediction": self._prediction})

    def stop(self) -> None:
        """Stops following; the last picture stays, and a saved notebook keeps it."""
        self.pump.stop()
        self.saved = wire.packed(*wire.message(self.view(), seq=0))
        self.is_live = False

    def close(self) -> None:
        """Stops following and removes the widget."""
        self.pump.stop()
        super().close()

    def view(self) -> View:
        """What the window holds now."""
        with self._reading:
            self._follower = self._knowing()
            self._follower.news()
            self._wants_all.set()  # what was read here is news to the browser too
            return self._follower.whole()

    def measured(self) -> tuple[Records, float]:
        """The batches of the window and the requests a second, as far as they were read: nothing is read anew."""
        with self._reading:
            return self._follower.measured()

    def _hear(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """Called on the shell's thread, or on a subshell's while a cell runs."""
        POST.heard(self)
        now_s = time.monotonic()
        if content.get("kind") == "ack":
            POST.answered(content["frames"], now_s=now_s)
        elif content.get("kind") == "hello":
            self.credit.greeted(now_s=now_s)
            self._wants_all.set()
            self.pump.hurry()
        elif content.get("kind") == "window":
            self.look_back(float(content["value"]))
        elif content.get("kind") == "transport" and (transport := self._transport) is not None:
            transport.obey(content)

    def _send_frame(self, is_thinned: bool) -> None:  # noqa: FBT001 - called by the pump alone
        if self.comm is None:
            raise ConnectionError(f"the dashboard of {self.facts.name} is closed")
        hear_anywhere(self)
        self._follow_jumps()
        is_let_go = self._mind_who_looks()
        view, is_whole, source = self._news(is_thinned=is_thinned)
        seq = self.credit.next_seq()
        header, buffers = wire.message(view, seq=seq, is_whole=is_whole)
        self._add_transport(header, source, is_whole=is_whole)
        self.credit.sent(seq, sum(map(len, buffers)))
        POST.send(self, header, buffers)
        if is_let_go:
            give_back()
        if view.totals is not None and self.on_facts is not None:
            self.on_facts(view.facts)

    @property
    def _transport(self) -> Transport | None:
        """The clock of a replay; a running server has none."""
        source = self._follower.source
        return source.transport if isinstance(source, RecordingSource) else None

    def _follow_jumps(self) -> None:
        """Where a replay jumped, what was read before is of another time."""
        transport = self._transport
        if transport is not None and transport.jumps != self._jumps:
            self._jumps = transport.jumps
            self._begin_anew()

    def _mind_who_looks(self) -> bool:
        """A window that nobody sees is not kept; who looks again gets what the log still has.

        A cell that is run again leaves its views behind, for as long as the kernel lives.

        Returns:
            whether the window is let go now.
        """
        is_unseen = self.credit.is_unseen(time.monotonic())
        with self._reading:
            did_keep_few = self._follower.keeps_few
            if is_unseen:
                self._follower.keep_few()
        if did_keep_few and not is_unseen:
            self._begin_anew()
        return is_unseen and not did_keep_few

    def _begin_anew(self, source: Source | None = None) -> None:
        """Follows a source from its beginning; the one that is followed where none is given.

        Other threads may choose another source or window meanwhile, which must not be undone.
        """
        is_begun = False
        while not is_begun:
            kept, window_s = self._follower, self._window_s
            fresh = _begun(source or kept.source, window_s)
            with self._reading:
                is_begun = self._window_s == window_s and (source is not None or self._follower is kept)
                if is_begun:
                    self._follower = fresh
                    self._wants_all.set()

    def _knowing(self) -> Follower:
        """A follower that knows the whole window, as far as the log has it."""
        kept = self._follower
        return _begun(kept.source, self._window_s) if kept.keeps_few else kept

    def _add_transport(self, header: dict[str, Any], source: Source, *, is_whole: bool) -> None:
        if is_whole:
            header["prediction"] = self._prediction
        if isinstance(source, RecordingSource):
            header["transport"] = source.transport.state()
            if is_whole:
                header["overview"] = source.overview()

    def _news(self, *, is_thinned: bool) -> tuple[View, bool, Source]:
        """What goes out next, whether it is the whole window, and what it was read from."""
        with self._reading:
            is_whole = self._wants_all.is_set()
            self._wants_all.clear()
            news = self._follower.news(**(_THINNED if is_thinned else {}))
            return self._follower.whole() if is_whole else news, is_whole, self._follower.source

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return with_picture(data or {}, metadata, self.view())


def _begun(source: Source, window_s: float) -> Follower:
    """A follower; a recording is told how far it looks back."""
    if isinstance(source, RecordingSource):
        source.look_back(window_s)
    return Follower(source, window_s=window_s)


def with_picture(data: dict[str, Any], metadata: dict[str, Any], view: View) -> tuple[dict[str, Any], dict[str, Any]]:
    """A widget's MIME bundle with what a saved notebook shows: a picture, once anything happened, and its words."""
    if view.is_empty:
        return data, metadata
    words = f"{view.facts.name}: {view.sentence}"
    return {**data, **png_of(view)}, {**metadata, "image/png": {"alt": words}}
