# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from workbench.errors import NotFoundError
from workbench.events import BatchReason, EventColumns, EventKind, columns, duration, explain_request, words


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [(0, "0 ns"), (999, "999 ns"), (1_850, "1.85 µs"), (999_900, "1 ms"), (123_456_789, "123 ms"), (2.5e9, "2.5 s")],
)
def test_duration_has_three_digits_and_a_fitting_unit(nanoseconds: float, text: str) -> None:
    assert duration(nanoseconds) == text


def test_delay_that_ended_is_told_with_the_figures() -> None:
    told = words(BatchReason.DELAY_EXPIRED, rows=7, max_batch_size=8, max_queue_delay_ns=2_000_000)
    assert told == "7 of 8 came, then the delay of 2 ms ended"


def test_delay_that_ended_is_told_without_the_configuration() -> None:
    assert words(BatchReason.DELAY_EXPIRED, rows=7) == "7 came, then the queue delay ended"


@pytest.mark.parametrize("reason", list(BatchReason))
def test_every_reason_has_its_own_words(reason: BatchReason) -> None:
    others = {words(other, rows=3, max_batch_size=8) for other in BatchReason if other is not reason}
    assert words(reason, rows=3, max_batch_size=8) not in others


def test_request_is_explained_by_its_batch(run: EventColumns) -> None:
    told = explain_request(run, 1, max_batch_size=8, max_queue_delay_ns=2_000_000)
    assert told == (
        "waited 1.9 ms for its batch: 7 of 8 came, then the delay of 2 ms ended; "
        "then ran 8 ms on instance 0, with 6 others"
    )


def test_request_that_ran_alone_counts_its_rows(run: EventColumns) -> None:
    assert explain_request(run, 8) == (
        "waited 0 ns for its batch: 3 came; an instance was free and did not wait for more; "
        "then ran 8 ms on instance 1, alone"
    )


def test_refused_request_says_how_long_it_waited(run: EventColumns) -> None:
    assert explain_request(run, 9) == "waited 5 ms and was refused: UNAVAILABLE"


def test_failed_request_says_its_status(record) -> None:
    told = explain_request(columns(record(EventKind.REQUEST, id=1, count=1, status=2)), 1)
    assert told.endswith("alone, and failed: INTERNAL")


def test_request_that_is_not_there_is_not_found(run: EventColumns) -> None:
    with pytest.raises(NotFoundError, match="no request 77"):
        explain_request(run, 77)
