# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`wb.watch`: a dashboard with the controls of what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
from IPython.display import display

from workbench.errors import InvalidArgumentError, UnavailableError, WorkbenchError
from workbench.server import Model, Server
from workbench.views.config_text import ConfigText, Configurable
from workbench.views.controls import Controls, Reconfigurable
from workbench.views.dashboard import Dashboard, with_picture
from workbench.views.facts import ModelFacts, Source
from workbench.views.load_controls import LoadControls
from workbench.views.page import save_still
from workbench.views.picture import draw, save
from workbench.views.source import ModelSource
from workbench.views.view import View
from workbench.views.what_if import imagine

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def watch(
    target: Model | Server | Source | Sequence[Model | Source],
    *,
    window_s: float = 10.0,
    objective_p99_ms: float | None = None,
    controls: bool = True,
    frames_per_s: float = 30.0,
) -> Watch | SideBySide:
    """A live dashboard of a model: how long requests wait, how batches form and why, what the memory pools do.

    Args:
        target: a model; a server, whose models one may choose from; any other source of events; or several models or
            sources, which are shown side by side.
        window_s: width of the time axis.
        objective_p99_ms: a latency that p99 shall stay below, drawn as a line.
        controls: whether sliders that change the running model stand above.
        frames_per_s: how often the picture moves while someone looks; news come ten times a second at most.

    Raises:
        NotFoundError: the model's server is closed.
        UnavailableError: the server has no model that is ready.
    """
    if isinstance(target, Sequence):
        if not target:
            raise InvalidArgumentError("nothing to watch: give a model, or several")
        each = [_sources(one, objective_p99_ms) for one in target]
        return SideBySide([Watch(one, window_s=window_s, controls=False, frames_per_s=frames_per_s) for one in each])
    sources = _sources(target, objective_p99_ms)
    return Watch(sources, window_s=window_s, controls=controls, frames_per_s=frames_per_s)


class Watch(ipywidgets.VBox):  # type: ignore[misc] # ipywidgets has no types
    """A dashboard, and above it the choice of the model and its sliders. `close` ends it."""

    def __init__(self, sources: dict[str, Source], *, window_s: float, controls: bool, frames_per_s: float) -> None:
        self._sources = sources
        self._has_controls = controls
        name = next(iter(sources))
        self.dashboard = Dashboard(sources[name], window_s=window_s, frames_per_s=frames_per_s)
        self.choice = ipywidgets.Dropdown(options=list(sources), value=name, description="model")
        self.choice.add_class("workbench-choice")
        self.controls: Controls | None = None
        self.load: LoadControls | None = None
        self.config: ConfigText | None = None
        self._display_id = f"workbench-{self.dashboard.uid}"
        self._is_displayed = False
        super().__init__()
        self.choice.observe(self._choose, "value")
        self._arrange(sources[name])
        self.dashboard.start()

    def __repr__(self) -> str:
        return f"<Watch of {self.choice.value}: {self.dashboard!r}>"

    def view(self) -> View:
        """What the dashboard shows now, as values."""
        return self.dashboard.view()

    def snapshot(self, path: str | Path | None = None) -> Figure | Path:
        """The picture now: a figure, or a file where a path is given (".svg", ".png", ".pdf", ".html")."""
        if path is None:
            return draw(self.view())
        return save_still(self.view(), path) if Path(path).suffix == ".html" else save(self.view(), path)

    def stop(self) -> None:
        """Stops following; the last picture stays, also in the saved notebook."""
        if self.load is not None:
            self.load.stop()
        self.dashboard.stop()
        if self._is_displayed:
            self._ipython_display_()

    def close(self) -> None:
        """Stops following and removes the widget."""
        if self.load is not None:
            self.load.stop()
        self.dashboard.close()
        super().close()

    def _choose(self, change: dict[str, Any]) -> None:
        source = self._sources[change["new"]]
        self.dashboard.follow(source)
        self._arrange(source)

    def _arrange(self, source: Source) -> None:
        if self.load is not None:
            self.load.stop()
        self.controls = self.load = self.config = None
        if self._has_controls and isinstance(source, Reconfigurable):
            self.controls = Controls(source, self.dashboard.facts)
        if self._has_controls and isinstance(source, ModelSource):
            self.load, self.config = LoadControls(source.drive), ConfigText(source)
        if self.controls is not None and isinstance(source, Configurable):
            self.controls.offer_what_if(lambda fields: self._imagine(source, fields))
            self.controls.what_if.observe(self._end_prediction, "value")
        self.dashboard.on_facts = self._show
        above = [self.choice] if len(self._sources) > 1 else []
        below = [part for part in (self.controls, self.load, self.config) if part is not None]
        self.children = (*above, *below, self.dashboard)

    def _show(self, facts: ModelFacts) -> None:
        """The configuration as it is now, told by the thread that follows the model."""
        if self.controls is not None:
            self.controls.show(facts)
        if self.load is not None:
            self.load.follow()
        if self.config is not None:
            self.config.follow()

    def _end_prediction(self, change: dict[str, Any]) -> None:
        if not change["new"]:
            self.dashboard.show_prediction(None)

    def _imagine(self, source: Configurable, fields: dict[str, Any]) -> str:
        batches, rate = self.dashboard.measured()
        try:
            self.dashboard.show_prediction(imagine(source.config_text(), fields, batches, rate=rate))
        except WorkbenchError as error:
            self.dashboard.show_prediction(None)
            return str(error)
        return ""

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return with_picture(data or {}, metadata, self.view())

    def _ipython_display_(self) -> None:
        """Displays under an id, so that `stop` can renew the picture that a saved notebook keeps."""
        data, metadata = self._repr_mimebundle_()
        display(  # type: ignore[no-untyped-call]
            data, metadata=metadata, raw=True, display_id=self._display_id, update=self._is_displayed
        )
        self._is_displayed = True


class SideBySide(ipywidgets.GridBox):  # type: ignore[misc] # ipywidgets has no types
    """Several dashboards in a grid, two beside each other where there is room. `close` ends them."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        self.watches = tuple(watches)
        super().__init__(list(watches))
        self.layout.grid_template_columns = "repeat(auto-fit, minmax(560px, 1fr))"

    def __repr__(self) -> str:
        return f"<{len(self.watches)} models side by side>"

    def stop(self) -> None:
        """Stops following; the last pictures stay."""
        for one in self.watches:
            one.stop()

    def close(self) -> None:
        """Stops following and removes the widgets."""
        for one in self.watches:
            one.close()
        super().close()


def _sources(target: Model | Server | Source, objective_p99_ms: float | None) -> dict[str, Source]:
    if isinstance(target, Model):
        return {target.name: ModelSource(target, objective_p99_ms=objective_p99_ms)}
    if not isinstance(target, Server):
        return {target.facts().name: target}
    names = sorted({entry.name for entry in target.index(ready=True)})
    if not names:
        message = f"server {target.name!r} has no model that is ready: load one by server.load(name), then watch"
        raise UnavailableError(message)
    return {name: ModelSource(target.model(name), objective_p99_ms=objective_p99_ms) for name in names}
