# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a serving core: live dashboards, and the same facts on paper."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import MissingExtraError
from workbench.views.facts import ModelFacts, Source
from workbench.views.reducers import reduce
from workbench.views.view import Totals, View

if TYPE_CHECKING:
    from workbench.views.dashboard import Dashboard
    from workbench.views.live import SideBySide, Watch, watch
    from workbench.views.memory_watch import MemoryWatch, watch_memory
    from workbench.views.picture import draw, save
    from workbench.views.replayed import Replay, replay
    from workbench.views.sweep_live import SweepWatch, shown_sweep
    from workbench.views.sweep_report import report

__all__ = [
    "Dashboard",
    "MemoryWatch",
    "ModelFacts",
    "Replay",
    "SideBySide",
    "Source",
    "SweepWatch",
    "Totals",
    "View",
    "Watch",
    "draw",
    "reduce",
    "replay",
    "report",
    "save",
    "shown_sweep",
    "watch",
    "watch_memory",
]

# What needs the notebook's packages is imported when it is used.
_LAZY: Final = {
    "Dashboard": "dashboard",
    "MemoryWatch": "memory_watch",
    "Replay": "replayed",
    "SweepWatch": "sweep_live",
    "SideBySide": "live",
    "Watch": "live",
    "draw": "picture",
    "replay": "replayed",
    "report": "sweep_report",
    "save": "picture",
    "shown_sweep": "sweep_live",
    "watch": "live",
    "watch_memory": "memory_watch",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"workbench.views.{_LAZY[name]}"), name)
    except ModuleNotFoundError as exc:
        if exc.name is not None and exc.name.startswith("workbench"):
            raise
        raise MissingExtraError(f"workbench.views.{name}", extra="lab") from exc
