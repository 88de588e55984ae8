# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from workbench.errors import InvalidArgumentError
from workbench.load import Interval, Workload
from workbench.sweep import Point, sweep
from workbench.testing.fake_tunable import FakeTunable
from workbench.views.sweep import front, heat_map, pareto

SPACE = {"max_batch_size": [1, 8], "max_queue_delay_microseconds": [0, 500], "count": [1, 2, 9]}


@pytest.fixture(scope="module")
def study():
    workload = Workload(rate=1500, duration_s=2)
    return sweep(FakeTunable(), space=SPACE, workload=workload, slo_p99_ms=5, strategy="grid", progress=False)


def words(picture):
    return [text.get_text() for axes in picture.figure.axes for text in axes.texts]


def test_a_cell_shows_the_p99_with_its_interval(study):
    best = study.best.point.p99_ms
    assert any(text.split("\n")[0] == f"{best.value:.2f}".rstrip("0") for text in words(heat_map(study)))
    assert all("–" in text or text == "refused" for text in words(heat_map(study)))


def test_what_misses_the_objective_or_was_refused_looks_so(study):
    said = words(heat_map(study))
    assert any(text.startswith("✗") for text in said)
    assert "refused" in said


def test_a_heat_map_needs_two_different_fields(study):
    with pytest.raises(InvalidArgumentError, match="two different fields"):
        heat_map(study, x="count", y="count")
    with pytest.raises(InvalidArgumentError, match="max_batch_size"):
        heat_map(study, x="batch")


def test_pictures_save_and_show_themselves(study, tmp_path):
    assert heat_map(study)._repr_png_().startswith(b"\x89PNG")
    assert front(study).save(tmp_path / "deep" / "front.svg").read_text().startswith("<?xml")


def point(throughput, p99):
    return Point(throughput, throughput, throughput + 10, Interval(1, 1, 1), Interval(p99, p99, math.inf), 1.0, True)


def test_the_front_holds_what_no_other_beats():
    points = [point(100, 1), point(200, 2), point(200, 3), point(300, 5), point(150, 4)]
    assert [p.throughput for _, p in pareto([(None, p) for p in points])] == [100, 200, 300]


def test_throughputs_that_may_be_the_same_are_no_front():
    points = [point(1000, 3), point(995, 2), point(1004, 4)]
    assert [p.p99_ms.value for _, p in pareto([(None, p) for p in points])] == [2]
