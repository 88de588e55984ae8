# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Load by hand: how many requests a second, and in which pattern, are sent to the model that is watched."""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import escape
from typing import Any, Final, Protocol

import ipywidgets

from workbench.errors import WorkbenchError
from workbench.views.colours import VERMILION
from workbench.views.subshell import hear_anywhere

_RATES: Final = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
_PATTERNS: Final = ("poisson", "constant", "gamma", "markov")
PIECE_S: Final = 1.0
"""A change of rate is heard when the piece under way is over."""


class Sender(Protocol):
    """Sends a piece of load and waits for its end."""

    def __call__(self, *, rate: float, arrivals: str, duration_s: float, seed: int) -> object:
        """Sends `rate` requests a second for `duration_s`."""


class LoadLoop:
    """A thread that sends piece after piece, each at the rate that is asked for when it begins.

    Threads: any.
    """

    def __init__(self, send: Sender, *, told: Callable[[str], None]) -> None:
        self._send = send
        self._told = told
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.rate = 100.0
        self.arrivals = "poisson"

    @property
    def is_running(self) -> bool:
        """Whether load is being sent."""
        return self._thread is not None and self._thread.is_alive() and not self._stop.is_set()

    def start(self) -> None:
        """Begins to send, where it does not yet."""
        if self.is_running:
            return
        self.stop()
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name="wb-load", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 3 * PIECE_S) -> None:
        """Ends with the piece under way."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        piece = 0
        while not self._stop.is_set():
            piece += 1
            try:
                self._send(rate=self.rate, arrivals=self.arrivals, duration_s=PIECE_S, seed=piece)
            except WorkbenchError as error:
                self._told(str(error))
                return


class LoadControls(ipywidgets.HBox):  # type: ignore[misc] # ipywidgets has no types
    """A switch, a rate and a pattern. Off until somebody switches it on."""

    def __init__(self, send: Sender) -> None:
        self.loop = LoadLoop(send, told=self._say)
        look = {"description_width": "initial"}
        self.is_on = ipywidgets.ToggleButton(description="send load", layout={"width": "100px"})
        self.rate = ipywidgets.SelectionSlider(
            options=[(f"{rate:,}/s", rate) for rate in _RATES], value=100, description="rate", style=look
        )
        self.arrivals = ipywidgets.Dropdown(
            options=_PATTERNS, value="poisson", description="arrivals", style=look, layout={"width": "170px"}
        )
        self.said = ipywidgets.HTML()
        super().__init__([self.is_on, self.rate, self.arrivals, self.said])
        self.layout.flex_flow = "row wrap"
        self.add_class("workbench-load")
        self.is_on.observe(self._switch, "value")
        self.rate.observe(lambda change: setattr(self.loop, "rate", float(change["new"])), "value")
        self.arrivals.observe(lambda change: setattr(self.loop, "arrivals", change["new"]), "value")

    def follow(self) -> None:
        """Lets messages of the browser in while a cell runs."""
        for control in (self.is_on, self.rate, self.arrivals):
            hear_anywhere(control)

    def stop(self) -> None:
        """Ends the load."""
        self.loop.stop()
        self.is_on.value = False

    def _switch(self, change: dict[str, Any]) -> None:
        if change["new"]:
            self.said.value = ""
            self.loop.start()
        else:
            self.loop.stop(timeout_s=0.0)

    def _say(self, trouble: str) -> None:
        self.said.value = f'<span style="color: {VERMILION}">▲ {escape(trouble)}</span>'
        self.is_on.value = False
