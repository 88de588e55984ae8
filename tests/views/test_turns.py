# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The turns of threads while pictures are live."""

import sys

import pytest

from workbench.views.turns import LIVE_S, Turns


def test_turns_are_short_while_anybody_needs_it_and_as_before_afterwards():
    turns, usual_s = Turns(), sys.getswitchinterval()
    turns.shorten()
    turns.shorten()
    assert sys.getswitchinterval() == pytest.approx(LIVE_S)
    turns.restore()
    assert sys.getswitchinterval() == pytest.approx(LIVE_S)
    turns.restore()
    assert sys.getswitchinterval() == pytest.approx(usual_s)
