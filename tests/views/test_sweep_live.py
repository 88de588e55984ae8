# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json

import pytest

from workbench.load import Workload
from workbench.sweep import sweep
from workbench.testing.fake_predictor import FakePredictor
from workbench.testing.fake_tunable import FakeTunable
from workbench.views import SweepWatch
from workbench.views.sweep_rows import axes_of, rows_of

SPACE = {"max_batch_size": [1, 8], "max_queue_delay_microseconds": [0, 500], "preferred_batch_size": [[], [4]]}


@pytest.fixture(scope="module")
def watched():
    shown = SweepWatch()
    seen = []

    def watch(study):
        shown.show(study)
        seen.append((len(shown.rows), shown.words))

    options = {"workload": Workload(rate=500, duration_s=0.3), "slo_p99_ms": 8, "progress": False, "watch": watch}
    study = sweep(FakeTunable(), space=SPACE, predictor=FakePredictor(), most=2, simulated_requests=500, **options)
    return study, shown, seen


def test_the_widget_mirrors_the_study_after_every_step(watched):
    study, shown, seen = watched
    assert len(seen) == len(study.trials) + 1
    assert "5 predicted" in seen[0][1]
    assert shown.rows == rows_of(study)


def test_only_fields_that_were_searched_are_axes_with_ordered_values(watched):
    axes = {axis["name"]: axis["values"] for axis in axes_of(watched[0])}
    assert axes == {
        "max_batch_size": ["1", "8"],
        "preferred_batch_size": ["max", "4"],
        "max_queue_delay_microseconds": ["0", "500"],
    }


def test_measured_rows_come_first_with_the_best_at_the_head_and_predicted_ones_say_so(watched):
    study, shown, _ = watched
    kinds = [row["kind"] for row in shown.rows]
    assert kinds == sorted(kinds)
    assert [row["best"] for row in shown.rows] == [True] + [False] * (len(kinds) - 1)
    assert shown.rows[0]["id"] == str(study.best.candidate)


def test_rows_are_plain_json(watched):
    json.dumps(watched[1].rows, allow_nan=False)
