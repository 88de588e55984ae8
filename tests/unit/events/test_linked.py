# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Requests of sequences and steps of ensembles: who belongs together, in words and in a trace."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.events import (
    EventKind,
    EventNames,
    SequenceFlag,
    chrome_trace,
    columns,
    explain_request,
    places_of_requests,
    sequence_place,
    sequence_texts,
    steps_of,
)
from workbench.events.flows import rows_of

MS = 1_000_000
NAMES = EventNames(models=(("", 0), ("whole", 1), ("resize", 1), ("classify", 1)))


def told(*rows):
    return columns(np.concatenate(rows), names=NAMES)


@pytest.fixture
def sequence(record):
    """Two requests of sequence 42: the second came early, and waited for the first."""
    ran = {"model": 2, "count": 1, "rows": 1, "detail": 8, "instance": 1}
    return told(
        record(
            EventKind.SEQUENCE, id=1, arrival_ns=MS, start_ns=42, compute_start_ns=3 * MS, end_ns=3 * MS, rows=2,
            detail=1,
        ),
        record(EventKind.REQUEST, id=1, arrival_ns=MS, start_ns=4 * MS, end_ns=9 * MS, batch=1, **ran),
        record(
            EventKind.SEQUENCE, id=2, arrival_ns=2 * MS, start_ns=42, compute_start_ns=3 * MS, compute_end_ns=9 * MS,
            end_ns=9 * MS, batch=1, rows=2, detail=2,
        ),
        record(EventKind.REQUEST, id=2, arrival_ns=2 * MS, start_ns=10 * MS, end_ns=12 * MS, batch=2, **ran),
        record(EventKind.REQUEST, id=3, arrival_ns=2 * MS, start_ns=10 * MS, end_ns=12 * MS, batch=3, **ran),
    )  # fmt: skip


@pytest.fixture
def ensemble(record):
    """Two requests of an ensemble of two steps; of the second one's last step the record is gone."""
    ran = {"count": 1, "rows": 1, "detail": 1}
    return told(
        record(EventKind.STEP, id=11, start_ns=1, arrival_ns=MS, model=1, instance=0),
        record(EventKind.REQUEST, id=11, model=2, arrival_ns=MS, start_ns=2 * MS, end_ns=4 * MS, **ran),
        record(EventKind.STEP, id=12, start_ns=1, arrival_ns=4 * MS, model=1, instance=1),
        record(EventKind.REQUEST, id=12, model=3, arrival_ns=4 * MS, start_ns=5 * MS, end_ns=15 * MS, **ran),
        record(EventKind.REQUEST, id=1, model=1, arrival_ns=MS, start_ns=MS, end_ns=16 * MS, rows=1),
        record(EventKind.STEP, id=13, start_ns=2, arrival_ns=3 * MS, model=1, instance=0),
        record(EventKind.STEP, id=14, start_ns=2, arrival_ns=6 * MS, model=1, instance=1),
        record(EventKind.REFUSED, id=13, model=2, arrival_ns=3 * MS, end_ns=5 * MS, status=5),
        record(EventKind.REQUEST, id=2, model=1, arrival_ns=3 * MS, start_ns=3 * MS, end_ns=17 * MS, rows=1, status=5),
    )


def test_a_request_knows_its_place_and_the_parts_of_its_wait(sequence) -> None:
    place = sequence_place(sequence, sequence.requests[1])
    assert (place.label, place.position, place.slot, place.is_start, place.is_end) == ("42", 1, 2, False, True)
    assert (place.slot_wait_ns, place.previous_wait_ns, place.ready_ns) == (MS, 6 * MS, 9 * MS)
    assert sequence_place(sequence, sequence.requests[2]) is None


def test_a_request_of_a_sequence_is_explained_with_what_it_waited_for(sequence) -> None:
    words = explain_request(sequence, 2)
    assert words.startswith(
        "request 2 of sequence 42, its end, in slot 2: 1 ms until its sequence had a slot, "
        "6 ms until the request before it was done, 1 ms then for its batch; waited 8 ms for its batch"
    )
    assert "sequence" not in explain_request(sequence, 3).split(";")[0]


def test_a_request_that_ran_several_times_has_a_place_for_each(record) -> None:
    again = [
        row
        for time in (1, 2, 3)
        for row in (
            record(EventKind.SEQUENCE, id=7, start_ns=(1 << 63) + 4, end_ns=10 * time, batch=time - 1, detail=8),
            record(EventKind.REQUEST, id=7, start_ns=10 * time + 5, count=1),
        )
    ]
    events = told(*again)
    assert places_of_requests(events.requests, events.sequences).tolist() == [0, 1, 2]
    assert sequence_place(events, events.requests[2]).label == "own 4"


def test_a_request_whose_sequence_record_is_gone_has_no_place(sequence) -> None:
    assert places_of_requests(sequence.requests, sequence.sequences[1:]).tolist() == [-1, 0, -1]
    assert places_of_requests(sequence.requests, sequence.sequences[:0]).tolist() == [-1, -1, -1]


def test_a_text_is_put_together_from_its_parts(record) -> None:
    text = "an id of more than thirty-two bytes, ünïcode too".encode()
    parts = []
    for at in range(0, len(text), 32):
        words = np.frombuffer(text[at : at + 32].ljust(32, b"\0"), "<u8")
        fields = dict(zip(("start_ns", "compute_start_ns", "compute_end_ns", "end_ns"), words.tolist(), strict=True))
        parts.append(record(EventKind.SEQUENCE_NAME, id=9, rows=at, count=len(text), **fields))
    flags = int(SequenceFlag.TEXT | SequenceFlag.START)
    use = record(EventKind.SEQUENCE, id=1, start_ns=9, detail=flags)
    request = record(EventKind.REQUEST, id=1, start_ns=5, count=1)
    events = told(*parts, use, request)
    assert sequence_texts(events.sequence_names) == {9: text.decode()}
    assert sequence_place(events, events.requests[0]).label == text.decode()
    gone = told(*parts[1:], use, request)
    assert sequence_place(gone, gone.requests[0]).label == "#0000000000000009"


def test_an_ensembles_request_tells_which_step_took_what(ensemble) -> None:
    words = explain_request(ensemble, 1)
    assert words == (
        "ran 15 ms through 2 steps; step 0 (resize) took 3 ms: waited 1 ms, then ran 2 ms on instance 0, alone; "
        "step 1 (classify) took 11 ms: waited 1 ms, then ran 10 ms on instance 0, alone"
    )
    assert explain_request(ensemble, 2) == (
        "ran 14 ms through 2 steps, and failed: UNAVAILABLE; step 0 (resize) was refused after 2 ms: UNAVAILABLE; "
        "step 1: its record is gone"
    )
    assert [number for number, _ in steps_of(ensemble, 1)] == [0, 1]


def test_arrows_lead_from_an_ensembles_request_to_its_steps(ensemble) -> None:
    slices = chrome_trace(ensemble)["traceEvents"]
    whole = [one for one in slices if one["ph"] == "X" and one.get("cat") == "ensemble"]
    assert [(one["pid"], one["dur"]) for one in whole] == [(1, 15_000), (1, 14_000)]
    assert whole[0]["tid"] != whole[1]["tid"]
    arrows = [one for one in slices if one["ph"] in "sf" and one["cat"] == "ensemble"]
    begin, end, *_ = arrows
    assert (begin["ph"], begin["pid"], begin["tid"], begin["ts"]) == ("s", 1, whole[0]["tid"], 0)
    assert (end["ph"], end["bp"], end["pid"], end["ts"], end["id"]) == ("f", "e", 2, 1_000, begin["id"])
    assert len(arrows) == 4


def test_arrows_lead_from_request_to_request_of_a_sequence(sequence) -> None:
    arrows = [one for one in chrome_trace(sequence)["traceEvents"] if one["ph"] in "sf"]
    assert [(one["ph"], one["name"], one["tid"], one["ts"]) for one in arrows] == [
        ("s", "sequence 42", 2, 3_000),
        ("f", "sequence 42", 2, 9_000),
    ]
    assert len({one["id"] for one in arrows}) == 1


def test_requests_that_overlap_stand_in_rows_of_their_own(record) -> None:
    spans = [(0, 4), (1, 2), (3, 6), (4, 5)]
    requests = np.concatenate([record(EventKind.REQUEST, arrival_ns=a, end_ns=b) for a, b in spans])
    assert rows_of(requests) == [0, 1, 1, 0]
