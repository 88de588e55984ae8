# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a view shows of a reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from workbench.events import EventColumns
from workbench.views.facts import ModelFacts
from workbench.views.history import ENDED
from workbench.views.reducers import of_models, since

_OWN: Final = (*ENDED, "sequences")


def own_of(columns: EventColumns, facts: ModelFacts) -> EventColumns:
    """What is of the models that are shown."""
    kept: dict[str, Any] = {name: of_models(getattr(columns, name), facts) for name in _OWN}
    steps = of_models(columns.steps, facts) if facts.lanes else columns.steps[:0]
    return replace(columns, steps=steps, **kept)


def within(own: EventColumns, oldest_ns: int) -> EventColumns:
    """What ended since; the columns themselves where that is all."""
    kept: dict[str, Any] = {name: since(getattr(own, name), oldest_ns) for name in _OWN}
    is_all = all(records is getattr(own, name) for name, records in kept.items())
    return own if is_all else replace(own, **kept)
