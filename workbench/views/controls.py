# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sliders that change the configuration of the running model."""

from __future__ import annotations

import threading
from html import escape
from typing import Any, Final, Protocol, runtime_checkable

import ipywidgets

from workbench.errors import WorkbenchError
from workbench.views.colours import VERMILION
from workbench.views.facts import ModelFacts
from workbench.views.subshell import hear_anywhere
from workbench.views.units import duration

_DELAYS: Final = (0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)


@runtime_checkable
class Reconfigurable(Protocol):
    """What the sliders turn."""

    def reconfigure(self, **fields: Any) -> None:
        """Changes fields of the configuration, by their own names."""


class Controls(ipywidgets.HBox):  # type: ignore[misc] # ipywidgets has no types
    """Queue delay and preferred batch size of a model; what it refuses is said beside the sliders.

    A slider's message comes on the shell's thread, or on a subshell's while a cell runs; `show` comes from the thread
    that follows the model. So a change is made under a lock, and no thread waits for another's change.
    """

    def __init__(self, model: Reconfigurable, facts: ModelFacts) -> None:
        self._model = model
        self._changing = threading.Lock()
        self._shown = facts
        look = {"description_width": "initial"}
        self.delay = ipywidgets.SelectionSlider(
            options=_delays(facts), value=facts.max_queue_delay_microseconds, description="queue delay", style=look
        )
        self.preferred = ipywidgets.SelectionSlider(
            options=_sizes(facts), value=facts.preferred_batch_size, description="preferred size", style=look
        )
        self.said = ipywidgets.HTML()
        super().__init__([self.delay, self.preferred, self.said])
        self.layout.flex_flow = "row wrap"
        self.add_class("workbench-controls")
        self.delay.observe(self._change_delay, "value")
        self.preferred.observe(self._change_preferred, "value")

    def show(self, facts: ModelFacts) -> None:
        """Follows a configuration that was changed elsewhere; the thread that follows the model calls it often."""
        for slider in (self.delay, self.preferred):
            hear_anywhere(slider)
        if _same(facts, self._shown) or not self._changing.acquire(blocking=False):
            return
        try:
            self._set(facts)
        finally:
            self._changing.release()

    def _change_delay(self, change: dict[str, Any]) -> None:
        self._change(max_queue_delay_microseconds=change["new"])

    def _change_preferred(self, change: dict[str, Any]) -> None:
        self._change(preferred_batch_size=list(change["new"]))

    def _change(self, **fields: Any) -> None:
        if not self._changing.acquire(blocking=False):
            return  # the sliders are being set by `_set`, not by a hand
        try:
            self._model.reconfigure(**fields)
            self.said.value = ""
        except WorkbenchError as error:
            self.said.value = f'<span style="color: {VERMILION}">▲ {escape(str(error))}</span>'
            self._set(self._shown)
        finally:
            self._changing.release()

    def _set(self, facts: ModelFacts) -> None:
        self._shown = facts
        self.delay.options, self.preferred.options = _delays(facts), _sizes(facts)
        self.delay.value, self.preferred.value = facts.max_queue_delay_microseconds, facts.preferred_batch_size


def _same(one: ModelFacts, other: ModelFacts) -> bool:
    return (one.max_queue_delay_microseconds, one.preferred_batch_size, one.max_batch_size) == (
        other.max_queue_delay_microseconds,
        other.preferred_batch_size,
        other.max_batch_size,
    )


def _delays(facts: ModelFacts) -> list[tuple[str, int]]:
    return [(duration(us / 1e6), us) for us in sorted({*_DELAYS, facts.max_queue_delay_microseconds})]


def _sizes(facts: ModelFacts) -> list[tuple[str, tuple[int, ...]]]:
    most = max(facts.max_batch_size, 1)
    powers = [(1 << exponent,) for exponent in range(1, most.bit_length()) if 1 << exponent <= most]
    sizes = sorted({*powers, facts.preferred_batch_size})
    return [(" ".join(map(str, size)) or "none", size) for size in sizes]
