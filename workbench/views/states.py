# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""When a model changed its state, as marks. Pure functions over model state events."""

from __future__ import annotations

from workbench.events import EventNames, ModelState
from workbench.views.facts import ModelFacts
from workbench.views.memory import Mark
from workbench.views.records import Records


def state_marks(states: Records, names: EventNames, facts: ModelFacts) -> tuple[Mark, ...]:
    """The changes of a model by its name: a reload gives it another number."""
    return tuple(
        Mark(int(event["arrival_ns"]), "state", f"{facts.name} v{version}: {_word(int(event['detail']))}")
        for event in states
        for name, version in [_owner(names, int(event["model"]))]
        if name == facts.name
    )


def _owner(names: EventNames, number: int) -> tuple[str, int]:
    return names.models[number] if number < len(names.models) else ("", 0)


def _word(state: int) -> str:
    try:
        return ModelState(state).name
    except ValueError:
        return f"state {state}"
