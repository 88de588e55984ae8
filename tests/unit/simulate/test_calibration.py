# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A calibration tells the service time of every batch size, and is stored and restored as it was."""

from __future__ import annotations

import json
import pickle

import pytest

from workbench.errors import InvalidArgumentError
from workbench.simulate import Calibration

MEASURED = Calibration(
    service_ns={1: 1_100_000, 8: 1_800_000},
    contention={2: 0.9},
    model="m",
    spread=(0.9, 1.1),
    after_pause_ns={1000: 7.0},
)


def test_sizes_between_are_interpolated() -> None:
    assert MEASURED.service_time_ns(1) == 1_100_000
    assert MEASURED.service_time_ns(2) == pytest.approx(1_200_000)
    assert MEASURED.service_time_ns(8) == 1_800_000


def test_beyond_the_largest_size_the_slope_goes_on() -> None:
    assert MEASURED.service_time_ns(16) == pytest.approx(2_600_000)


def test_a_larger_batch_never_takes_less_time() -> None:
    noisy = Calibration(service_ns={1: 100, 2: 90, 3: 200})
    assert [noisy.service_time_ns(rows) for rows in (1, 2, 3)] == [95, 95, 200]


def test_more_instances_than_measured_share_what_those_get_through() -> None:
    assert MEASURED.speed(1) == 1.0
    assert MEASURED.speed(2) == 0.9
    assert MEASURED.speed(4) == pytest.approx(0.45)


def test_the_line_goes_through_what_lies_on_a_line() -> None:
    line = MEASURED.line
    assert line.row_ns == pytest.approx(100_000)
    assert line.fixed_ns == pytest.approx(1_000_000)
    assert line.error < 1e-9


def test_survives_json_and_pickle() -> None:
    assert Calibration.from_mapping(json.loads(json.dumps(MEASURED.to_mapping()))) == MEASURED
    assert pickle.loads(pickle.dumps(MEASURED)) == MEASURED


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"service_ns": {}}, "empty"),
        ({"service_ns": {1: 0}}, "positive"),
        ({"service_ns": {0: 5}}, "begin at 1"),
        ({"service_ns": {1: 5}, "overhead_ns": -1}, "overhead_ns"),
        ({"service_ns": {1: 5}, "spread": (0.0,)}, "factors"),
    ],
)
def test_nonsense_is_refused(values: dict[str, object], told: str) -> None:
    with pytest.raises(InvalidArgumentError, match=told):
        Calibration(**values)  # type: ignore[arg-type]


def test_what_is_no_calibration_is_told() -> None:
    with pytest.raises(InvalidArgumentError, match="no calibration"):
        Calibration.from_mapping({"service": 1})
