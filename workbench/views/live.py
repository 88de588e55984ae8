# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`wb.watch`: a dashboard with the controls of what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
from IPython.display import display

from workbench.errors import UnavailableError
from workbench.server import Model, Server
from workbench.views.controls import Controls, Reconfigurable
from workbench.views.dashboard import Dashboard, saved_picture
from workbench.views.facts import Source
from workbench.views.page import save_still
from workbench.views.picture import draw, save
from workbench.views.source import ModelSource
from workbench.views.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def watch(
    target: Model | Server | Source,
    *,
    window_s: float = 10.0,
    objective_p99_ms: float | None = None,
    controls: bool = True,
    frames_per_s: float = 30.0,
) -> Watch:
    """A live dashboard of a model: how long requests wait, how batches form and why, what the memory pools do.

    Args:
        target: a model; a server, whose models one may choose from; or any other source of events.
        window_s: width of the time axis.
        objective_p99_ms: a latency that p99 shall stay below, drawn as a line.
        controls: whether sliders that change the running model stand above.
        frames_per_s: how often the picture is renewed while someone looks.

    Raises:
        NotFoundError: the model's server is closed.
        UnavailableError: the server has no model that is ready.
    """
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
        self.controls: Controls | None = None
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
        self.dashboard.stop()
        if self._is_displayed:
            self._ipython_display_()

    def close(self) -> None:
        """Stops following and removes the widget."""
        self.dashboard.close()
        super().close()

    def _choose(self, change: dict[str, Any]) -> None:
        source = self._sources[change["new"]]
        self.dashboard.follow(source)
        self._arrange(source)

    def _arrange(self, source: Source) -> None:
        self.controls = None
        if self._has_controls and isinstance(source, Reconfigurable):
            self.controls = Controls(source, self.dashboard.facts)
        self.dashboard.on_facts = self.controls.show if self.controls is not None else None
        above = [self.choice] if len(self._sources) > 1 else []
        self.children = (*above, *([self.controls] if self.controls is not None else []), self.dashboard)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**(data or {}), **saved_picture(self.view())}, metadata

    def _ipython_display_(self) -> None:
        """Displays under an id, so that `stop` can renew the picture that a saved notebook keeps."""
        data, metadata = self._repr_mimebundle_()
        display(  # type: ignore[no-untyped-call]
            data, metadata=metadata, raw=True, display_id=self._display_id, update=self._is_displayed
        )
        self._is_displayed = True


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
