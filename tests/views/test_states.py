# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Marks of a model's states."""

import numpy as np

from workbench.events import EVENT_DTYPE, EventNames
from workbench.views.states import state_marks


def test_the_states_of_a_model_are_told_over_its_reloads(facts):
    states = np.zeros(4, EVENT_DTYPE)
    states["arrival_ns"], states["model"], states["detail"] = [1, 2, 3, 4], [1, 2, 3, 9], [2, 3, 1, 2]
    names = EventNames(models=(("", 0), ("m", 1), ("other", 1), ("m", 2)))
    marks = state_marks(states, names, facts)
    assert [(mark.when_ns, mark.kind, mark.words) for mark in marks] == [
        (1, "state", "m v1: READY"),
        (3, "state", "m v2: LOADING"),
    ]


def test_a_state_of_a_later_version_has_a_number(facts):
    states = np.zeros(1, EVENT_DTYPE)
    states["model"], states["detail"] = 1, 99
    (mark,) = state_marks(states, EventNames(models=(("", 0), ("m", 1))), facts)
    assert mark.words == "m v1: state 99"
