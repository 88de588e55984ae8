# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep while it runs: a table of trials and parallel coordinates, with one selection for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from workbench.sweep import Study
from workbench.views import esm
from workbench.views.sweep_rows import axes_of, rows_of


class SweepWatch(anywidget.AnyWidget):
    """Shows a study, and again after every trial: `wb.sweep(model, ..., watch=shown.show)`.

    Selection and sorting are the browser's alone, so that they work while the kernel measures.
    """

    _esm = traitlets.Unicode(esm.module("sweep.js")).tag(sync=True)
    _css = traitlets.Unicode(esm.stylesheet("sweep.css")).tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    axes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def show(self, study: Study) -> None:
        """Mirrors a study."""
        with self.hold_sync():
            self.title = f"{study.model}: {study.objective}"
            self.words = _words(study)
            self.axes = axes_of(study)
            self.rows = rows_of(study)

    def __repr__(self) -> str:
        return f"<SweepWatch {self.title or 'of nothing yet'}, {len(self.rows)} rows>"


def shown_sweep() -> Callable[[Study], None]:
    """Shows a widget below the running cell; what it gives back mirrors a study in it."""
    from IPython.display import display

    watch = SweepWatch()
    display(watch)  # type: ignore[no-untyped-call]
    return watch.show


def _words(study: Study) -> str:
    candidates = len({trial.candidate for trial in study.trials})
    parts = [f"{candidates} measured", f"{len(study.trials)} trials", f"{study.seconds:.0f} s"]
    if study.forecasts:
        parts.insert(0, f"{len(study.forecasts):,} predicted")
    if study.confirmation is not None:
        parts.append("confirmed" if study.confirmation.is_feasible else "not confirmed")
    return " · ".join(parts)
