# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Sliders and fields that change the configuration of the running model, and its text beside them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final, Protocol, runtime_checkable

import ipywidgets

from workbench.errors import WorkbenchError
from workbench.views.colours import VERMILION
from workbench.views.facts import ModelFacts
from workbench.views.subshell import hear_anywhere
from workbench.views.units import duration

_DELAYS: Final = (0, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
_LOOK: Final = {"description_width": "initial"}
_NARROW: Final = {"width": "150px"}
LIVE: Final = frozenset({"max_queue_delay_microseconds", "preferred_batch_size", "priority_levels", "count"})
"""Fields that a running model follows; any other makes another model ready beside it."""

Fields = Mapping[str, Any]


@runtime_checkable
class Reconfigurable(Protocol):
    """What the sliders turn."""

    def reconfigure(self, **fields: Any) -> None:
        """Changes fields of the configuration, by their own names."""


class Controls(ipywidgets.VBox):  # type: ignore[misc] # ipywidgets has no types
    """Queue delay, batch sizes, instances and priorities of a model; what it refuses is said beside them.

    A control's message comes on the shell's thread, or on a subshell's while a cell runs; `show` comes from the thread
    that follows the model. So a change is made under a lock, and no thread waits for another's change. What needs
    another model is made ready on a thread of its own.
    """

    def __init__(self, model: Reconfigurable, facts: ModelFacts) -> None:
        self._model = model
        self._changing = threading.Lock()
        self._shown = facts
        self._undo: list[dict[str, Any]] = []
        self._imagined: dict[str, Any] = {}
        self._reload: threading.Thread | None = None
        self.on_change: Callable[[dict[str, Any]], None] | None = None
        self.delay = ipywidgets.SelectionSlider(
            options=_delays(facts), value=facts.max_queue_delay_microseconds, description="queue delay", style=_LOOK
        )
        self.preferred = ipywidgets.SelectionSlider(
            options=_sizes(facts), value=facts.preferred_batch_size, description="preferred size", style=_LOOK
        )
        self.most = _number("max batch size", facts.max_batch_size, 0, 4096)
        self.instances = _number("instances", facts.instances_per_group, 1, 64)
        self.priorities = _number("priorities", facts.priority_levels, 0, 16)
        self.on_imagine: Callable[[dict[str, Any]], str] | None = None
        self.what_if = ipywidgets.ToggleButton(
            description="what if",
            tooltip="Predict instead of changing: what these values would do to the load of this moment",
            layout={"width": "80px"},
        )
        self.undo = ipywidgets.Button(description="undo", disabled=True, layout={"width": "70px"})
        self.said = ipywidgets.HTML()
        row = ipywidgets.HBox(
            [self.delay, self.preferred, self.most, self.instances, self.priorities, self.what_if, self.undo, self.said]
        )
        row.layout.flex_flow = "row wrap"
        super().__init__([row])
        self.add_class("workbench-controls")
        for name, control in self._by_field().items():
            control.observe(lambda change, name=name: self.change({name: _plain(change["new"])}), "value")
        self.undo.on_click(lambda _: self.take_back())
        self.what_if.observe(lambda change: self._imagine_or_not(is_wanted=change["new"]), "value")
        self.what_if.layout.display = "none"

    def show(self, facts: ModelFacts) -> None:
        """Follows a configuration that was changed elsewhere; the thread that follows the model calls it often."""
        for control in (*self._by_field().values(), self.undo, self.what_if):
            hear_anywhere(control)
        if self.what_if.value or _fields(facts) == _fields(self._shown) or not self._changing.acquire(blocking=False):
            return
        try:
            self._set(facts)
        finally:
            self._changing.release()

    def change(self, fields: Fields, *, is_undone: bool = False) -> None:
        """Changes the model: at once what it follows under way, in the background what needs another model."""
        if not self._changing.acquire(blocking=False):
            return  # the controls are being set by `_set`, not by a hand
        if self.what_if.value:
            self._imagined |= fields
            self._show_imagined()
            self._changing.release()
            return
        before = {name: _fields(self._shown)[name] for name in fields}
        if LIVE.issuperset(fields):
            self._apply(fields, before, is_undone=is_undone)
            return
        self.said.value = "loading another model beside this one, which serves until then …"
        self._reload = threading.Thread(
            target=self._apply, args=(fields, before), kwargs={"is_undone": is_undone}, name="wb-reload", daemon=True
        )
        self._reload.start()

    def offer_what_if(self, imagine: Callable[[dict[str, Any]], str]) -> None:
        """Shows the switch; `imagine` draws what the given values would do, and returns what is in the way, or ""."""
        self.on_imagine = imagine
        self.what_if.layout.display = None

    def _imagine_or_not(self, *, is_wanted: bool) -> None:
        """Switched off, the controls go back to what runs: a prediction changes nothing."""
        self._imagined = {}
        if is_wanted:
            self._show_imagined()
            return
        with self._changing:  # no hand is heard while they are set
            self._set(self._shown)
        self.said.value = ""

    def _show_imagined(self) -> None:
        if self.on_imagine is not None:
            trouble = self.on_imagine(self._imagined)
            self.said.value = f'<span style="color: {VERMILION}">▲ {escape(trouble)}</span>' if trouble else ""

    def take_back(self) -> None:
        """Undoes the last change that was made here."""
        if self._undo:
            self.change(self._undo.pop(), is_undone=True)

    def _apply(self, fields: Fields, before: dict[str, Any], *, is_undone: bool) -> None:
        """Ends what `change` began: with the lock held."""
        try:
            self._model.reconfigure(**fields)
            self.said.value = ""
            if not is_undone:
                self._undo.append(before)
            if self.on_change is not None:
                self.on_change(dict(fields))
        except WorkbenchError as error:
            self.said.value = f'<span style="color: {VERMILION}">▲ {escape(str(error))}</span>'
            self._set(self._shown)
        finally:
            self.undo.disabled = not self._undo
            self._changing.release()

    def _by_field(self) -> dict[str, Any]:
        return {
            "max_queue_delay_microseconds": self.delay,
            "preferred_batch_size": self.preferred,
            "max_batch_size": self.most,
            "count": self.instances,
            "priority_levels": self.priorities,
        }

    def _set(self, facts: ModelFacts) -> None:
        self._shown = facts
        self.delay.options, self.preferred.options = _delays(facts), _sizes(facts)
        self.delay.value, self.preferred.value = facts.max_queue_delay_microseconds, facts.preferred_batch_size
        self.most.value, self.instances.value = facts.max_batch_size, facts.instances_per_group
        self.priorities.value = facts.priority_levels


def _number(description: str, value: int, least: int, most: int) -> Any:
    return ipywidgets.BoundedIntText(
        value=value, min=least, max=most, description=description, style=_LOOK, layout=_NARROW, continuous_update=False
    )


def _fields(facts: ModelFacts) -> dict[str, Any]:
    return {
        "max_queue_delay_microseconds": facts.max_queue_delay_microseconds,
        "preferred_batch_size": list(facts.preferred_batch_size),
        "max_batch_size": facts.max_batch_size,
        "count": facts.instances_per_group,
        "priority_levels": facts.priority_levels,
    }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _delays(facts: ModelFacts) -> list[tuple[str, int]]:
    return [(duration(us / 1e6), us) for us in sorted({*_DELAYS, facts.max_queue_delay_microseconds})]


def _sizes(facts: ModelFacts) -> list[tuple[str, tuple[int, ...]]]:
    most = max(facts.max_batch_size, 1)
    powers = [(1 << exponent,) for exponent in range(1, most.bit_length()) if 1 << exponent <= most]
    sizes = sorted({*powers, facts.preferred_batch_size})
    return [(" ".join(map(str, size)) or "none", size) for size in sizes]
