# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The clock of a replay, by a clock in the test's hand."""

import pytest

from workbench.errors import InvalidArgumentError
from workbench.views.transport import Transport

S = 1_000_000_000


@pytest.fixture
def hand():
    return [50 * S]


@pytest.fixture
def transport(hand):
    return Transport(start_ns=100 * S, end_ns=110 * S, clock=lambda: hand[0])


def test_it_plays_as_fast_as_it_is_told(transport, hand):
    hand[0] += 2 * S
    assert transport.at_s == 2
    transport.play_at(0.5)
    hand[0] += 2 * S
    assert (transport.at_s, transport.now_ns()) == (3, 103 * S)


def test_it_stands_at_its_end(transport, hand):
    hand[0] += 100 * S
    assert (transport.at_s, transport.is_playing) == (10, False)


def test_it_begins_anew_when_it_is_played_at_its_end(transport, hand):
    hand[0] += 100 * S
    transport.play()
    hand[0] += S
    assert (transport.at_s, transport.is_playing, transport.jumps) == (1, True, 1)


def test_a_pause_keeps_the_time(transport, hand):
    hand[0] += S
    transport.pause()
    hand[0] += 5 * S
    assert transport.at_s == 1
    transport.play()
    hand[0] += S
    assert (transport.at_s, transport.jumps) == (2, 0)


@pytest.mark.parametrize(("to_s", "at_s"), [(4, 4), (-1, 0), (99, 10)])
def test_a_jump_stays_inside(transport, to_s, at_s):
    transport.seek(to_s)
    assert (transport.at_s, transport.jumps) == (at_s, 1)


def test_it_obeys_the_bar_and_ignores_what_it_does_not_know(transport):
    for content in (
        {"action": "seek", "value": 3},
        {"action": "speed", "value": 2},
        {"action": "pause"},
        {"action": "moo"},
        {},
    ):
        transport.obey(content)
    assert transport.state() == {"at_s": 3.0, "span_s": 10.0, "speed": 2, "is_playing": False}


def test_a_speed_of_nothing_is_refused(transport):
    with pytest.raises(InvalidArgumentError, match=r"pause\(\)"):
        transport.play_at(0)
