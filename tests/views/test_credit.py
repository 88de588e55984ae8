# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from workbench.views.credit import ABANDONED_S, MOST_IN_FLIGHT, Credit, Pace
from workbench.views.hearing import Hearing

FULL = Pace(1 / 30, is_thinned=False)
SLOW = Pace(1.0, is_thinned=True)


@pytest.fixture
def hearing(monkeypatch):
    monkeypatch.setattr("workbench.views.hearing.time.monotonic", lambda: 0.0)
    return Hearing()


@pytest.fixture
def credit(hearing):
    return Credit(frames_per_s=30.0, now_s=0.0, hearing=hearing)


def send(credit, byte_size):
    seq = credit.next_seq()
    credit.sent(seq, byte_size)
    return seq


def test_it_begins_at_full_speed(credit):
    assert credit.pace(0.0) == FULL


def test_too_many_bytes_without_an_answer_slow_it_down(credit):
    send(credit, MOST_IN_FLIGHT + 1)
    assert credit.pace(1.0) == SLOW


def test_an_answer_gives_credit_back_for_all_frames_up_to_it(credit):
    for _ in range(3):
        last = send(credit, MOST_IN_FLIGHT)
    credit.acknowledged(last - 1, is_hidden=False, now_s=1.0)
    assert credit.bytes_in_flight == MOST_IN_FLIGHT
    assert credit.pace(1.0) == FULL


def test_a_hidden_picture_gets_a_frame_a_second(credit):
    credit.acknowledged(0, is_hidden=True, now_s=1.0)
    assert credit.pace(1.0) == SLOW
    credit.acknowledged(0, is_hidden=False, now_s=2.0)
    assert credit.pace(2.0) == FULL


def test_silence_is_borne_for_a_while(credit):
    assert credit.pace(19.0) == FULL
    assert credit.pace(21.0) == SLOW
    assert credit.pace(121.0) == Pace(5.0, is_thinned=True)


def test_a_new_view_owes_nothing_of_what_was_sent_before(credit):
    send(credit, 5 * MOST_IN_FLIGHT)
    credit.greeted(now_s=200.0)
    assert credit.bytes_in_flight == 0
    assert credit.pace(200.0) == FULL


def test_of_two_pages_the_one_that_is_seen_counts(credit):
    for second in range(1, 6):
        credit.acknowledged(0, is_hidden=False, now_s=second)
        credit.acknowledged(0, is_hidden=True, now_s=second + 0.5)
        assert credit.pace(second + 0.5) == FULL
    credit.acknowledged(0, is_hidden=True, now_s=9.0)
    assert credit.pace(9.0) == SLOW


def test_silence_of_a_kernel_that_may_be_deaf_says_nothing(credit, hearing):
    hearing.cell_began()
    assert credit.pace(10 * ABANDONED_S) == FULL
    assert not credit.is_unseen(10 * ABANDONED_S)


def test_a_kernel_that_may_be_deaf_sends_only_so_much_ahead(credit, hearing):
    hearing.cell_began()
    send(credit, MOST_IN_FLIGHT + 1)
    assert credit.pace(1.0) == SLOW
    send(credit, MOST_IN_FLIGHT)
    assert credit.pace(1.0) == Pace(5.0, is_thinned=True)


def test_nobody_looks_who_could_have_said_so(credit):
    assert not credit.is_unseen(ABANDONED_S)
    assert credit.is_unseen(ABANDONED_S + 1)
    credit.acknowledged(0, is_hidden=True, now_s=ABANDONED_S + 1)
    assert credit.is_unseen(ABANDONED_S + 1)
    credit.acknowledged(0, is_hidden=False, now_s=ABANDONED_S + 1)
    assert not credit.is_unseen(ABANDONED_S + 1)
