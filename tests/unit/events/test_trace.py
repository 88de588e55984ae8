# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from workbench.events import EVENT_DTYPE, EventColumns, RequestTrace, chrome_trace, columns, save_chrome_trace


@pytest.fixture
def slices(run: EventColumns) -> list[dict]:
    return chrome_trace(run)["traceEvents"]


def test_batch_is_a_slice_on_its_instance_with_its_reason(slices: list[dict]) -> None:
    seven, alone = (one for one in slices if one["ph"] == "X" and "args" in one)
    assert (seven["pid"], seven["tid"], seven["name"]) == (1, 1, "7 rows")
    assert seven["args"]["reason"] == "delay_expired"
    assert seven["dur"] == 8_000
    assert (alone["tid"], alone["args"]["reason"]) == (2, "instance_free")


def test_phases_fill_their_batch(slices: list[dict]) -> None:
    phases = [one for one in slices if one["ph"] == "X" and one["tid"] == 1 and "args" not in one]
    assert [one["name"] for one in phases] == ["input", "compute", "output"]
    assert sum(one["dur"] for one in phases) == 8_000


def test_request_runs_from_arrival_to_answer(slices: list[dict]) -> None:
    begin, started, end = (one for one in slices if one.get("cat") == "request" and one["id"] == 1)
    assert [begin["ph"], started["ph"], end["ph"]] == ["b", "n", "e"]
    assert started["ts"] - begin["ts"] == pytest.approx(1_900)
    assert end["ts"] - started["ts"] == pytest.approx(8_000)


def test_models_instances_and_memory_are_named(slices: list[dict]) -> None:
    names = [one["args"]["name"] for one in slices if one["ph"] == "M"]
    assert names == ["echo v3", "instance 0", "instance 1", "memory"]


def test_pools_are_counters_and_a_fallback_is_marked(slices: list[dict]) -> None:
    counters = [one for one in slices if one["ph"] == "C"]
    assert counters[0]["name"] == "pinned bytes"
    assert counters[0]["args"] == {"live": 64, "reserved": 4096}
    assert [one["name"] for one in slices if one["ph"] == "i"] == ["refused: UNAVAILABLE", "fallback", "READY"]


def test_times_start_at_the_oldest_event(slices: list[dict]) -> None:
    assert min(one["ts"] for one in slices if "ts" in one) == 0


def test_no_events_give_an_empty_trace() -> None:
    assert chrome_trace(columns(np.zeros(0, EVENT_DTYPE)))["traceEvents"] == []


def test_trace_is_written_as_json(run: EventColumns, tmp_path: Path) -> None:
    written = json.loads(save_chrome_trace(run, tmp_path / "trace.json").read_text())
    assert written == json.loads(json.dumps(chrome_trace(run)))


def test_traces_of_requests_are_nests_of_slices_of_their_own() -> None:
    points = [("REQUEST_START", 5_000), ("QUEUE_START", 6_000), ("COMPUTE_START", 9_000), ("tokenized", 9_500)]
    trace = RequestTrace(7, 0, "m", 1, "seven", (*points, ("REQUEST_END", 20_000)), ())
    slices = chrome_trace(columns(np.zeros(0, EVENT_DTYPE)), traces=[trace])["traceEvents"]
    told = [(slice_["ph"], slice_["name"], slice_.get("ts")) for slice_ in slices if slice_["ph"] != "M"]
    assert told == [
        ("b", "request", 0.0),
        ("e", "request", 15.0),
        ("b", "queue", 1.0),
        ("e", "queue", 4.0),
        ("n", "tokenized", 4.5),
    ]
    assert slices[0]["args"] == {"name": "traces of m v1"}
    assert {slice_["id"] for slice_ in slices if "id" in slice_} == {7}
