# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The configuration of a running model as text, in step with its controls both ways, and what differs from the file."""

from __future__ import annotations

import difflib
import threading
from html import escape
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

import ipywidgets

from workbench.config import parse_config, write_config
from workbench.errors import WorkbenchError
from workbench.views.colours import GREEN, VERMILION
from workbench.views.subshell import hear_anywhere

_MONO: Final = (
    "font-family: var(--jp-code-font-family, monospace); font-size: 12px; white-space: pre; line-height: 1.35"
)


@runtime_checkable
class Configurable(Protocol):
    """A model whose configuration can be read and replaced."""

    def config_text(self) -> str:
        """The configuration that runs."""

    def load_text(self, text: str) -> None:
        """Makes a model with this configuration ready, and replaces the one that runs."""

    def file_text(self) -> tuple[Path, str] | None:
        """The configuration's file and its text; None where the model has none."""


class ConfigText(ipywidgets.Accordion):  # type: ignore[misc] # ipywidgets has no types
    """The text, a button that loads it, and the difference to the file. Closed until somebody opens it."""

    def __init__(self, model: Configurable) -> None:
        self._model = model
        self._told = ""
        self._loading: threading.Thread | None = None
        self.text = ipywidgets.Textarea(layout={"width": "100%", "height": "260px"})
        self.text.add_class("jp-mod-code")
        self.load = ipywidgets.Button(description="load this text", layout={"width": "130px"}, disabled=True)
        self.said = ipywidgets.HTML()
        self.difference = ipywidgets.HTML()
        left = ipywidgets.VBox([self.text, ipywidgets.HBox([self.load, self.said])], layout={"width": "52%"})
        right = ipywidgets.VBox([self.difference], layout={"width": "46%", "overflow": "auto", "max_height": "300px"})
        super().__init__([ipywidgets.HBox([left, right])], titles=("config.pbtxt",), selected_index=None)
        self.text.observe(lambda _: self._judge(), "value")
        self.load.on_click(lambda _: self.replace_model())
        self.follow()

    @property
    def is_edited(self) -> bool:
        """Whether the text is another than the one that runs."""
        return bool(self.text.value != self._told)

    def follow(self) -> None:
        """Shows what runs now; a text that somebody is writing stays."""
        for control in (self.text, self.load):
            hear_anywhere(control)
        try:
            running = self._model.config_text()
        except WorkbenchError:
            return
        if running == self._told:
            return
        was_edited, self._told = self.is_edited, running
        if not was_edited:
            self.text.value = running
        self.difference.value = difference_html(running, self._model.file_text())

    def replace_model(self) -> None:
        """Loads the text that stands there, in the background; what is wrong with it is said with its line."""
        if self._loading is not None and self._loading.is_alive():
            return
        self.said.value = "loading; what runs serves until then …"
        self._loading = threading.Thread(target=self._replace, args=(self.text.value,), name="wb-reload", daemon=True)
        self._loading.start()

    def wait(self, timeout_s: float = 30.0) -> None:
        """Waits for a load that was begun here."""
        if self._loading is not None:
            self._loading.join(timeout_s)

    def _replace(self, text: str) -> None:
        try:
            self._model.load_text(text)
        except WorkbenchError as error:
            self.said.value = _trouble(error)
            return
        self.said.value, self._told, self.load.disabled = "", text, True
        self.follow()

    def _judge(self) -> None:
        self.load.disabled = not self.is_edited
        try:
            parse_config(self.text.value)
        except WorkbenchError as error:
            self.said.value, self.load.disabled = _trouble(error), True
        else:
            self.said.value = ""


def difference_html(running: str, file: tuple[Path, str] | None) -> str:
    """Lines that differ between the file and what runs."""
    if file is None:
        return "<i>This model has no file.</i>"
    path, text = file
    try:
        saved = write_config(parse_config(text, source=str(path)))
    except WorkbenchError as error:
        return f"<i>The file can not be read: {escape(str(error))}</i>"
    lines = [
        line
        for line in difflib.unified_diff(saved.splitlines(), running.splitlines(), lineterm="", n=1)
        if not line.startswith(("---", "+++"))
    ]
    if not lines:
        return f"<i>As in {escape(path.name)}.</i>"
    shown = "".join(f'<div style="color: {_colour(line)}">{escape(line) or " "}</div>' for line in lines)
    return f'<div><i>{escape(path.name)} − and what runs +</i><div style="{_MONO}">{shown}</div></div>'


def _colour(line: str) -> str:
    return {"+": GREEN, "-": VERMILION}.get(line[:1], "inherit")


def _trouble(error: Any) -> str:
    return f'<span style="color: {VERMILION}">▲ {escape(str(error))}</span>'
