# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import json
import math
from dataclasses import replace

import pytest

from workbench.export.record import ExportRecord, Figures, read_record, record_of
from workbench.export.side_by_side import SideBySide, record_or
from workbench.load import Workload

FIGURES = Figures(1000.0, 1.5, 4.0, 3.5, math.inf, math.nan, "the machine stood still")
RECORD = ExportRecord(Workload(rate=900, seed=7, duration_s=2), 5.0, FIGURES, replace(FIGURES, remark=""))


def test_a_record_reads_back_as_it_was_written(tmp_path):
    record = replace(RECORD, measured=replace(FIGURES, mean_batch_size=3.0), predicted=None, slo_p99_ms=math.inf)
    record.write(tmp_path)
    json.loads((tmp_path / "workbench.json").read_text(), parse_constant=pytest.fail)
    assert read_record(tmp_path) == record


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"workload": {}}'])
def test_what_is_no_record_is_none(tmp_path, text):
    assert read_record(tmp_path) is None
    (tmp_path / "workbench.json").write_text(text)
    assert read_record(tmp_path) is None


def test_a_study_is_recorded_at_the_load_that_confirmed_it(study):
    workload = Workload(rate=1234, seed=100901)
    predicted = replace(study.best.point, is_predicted=True)
    confirmed = replace(study, confirmation=study.best, confirming_workload=workload, predicted_confirmation=predicted)
    record = record_of(study.best, confirmed)
    assert record.workload == workload
    assert record.predicted == record.measured
    assert record_of(study.best, study).predicted is None
    assert record_of(study.best, None) is None


def test_the_figures_of_the_export_are_shown_beside_their_own_load_only(tmp_path):
    RECORD.write(tmp_path)
    assert record_or(tmp_path, None)[0] == RECORD.workload
    assert record_or(tmp_path, RECORD.workload)[1] is not None
    assert record_or(tmp_path, Workload(rate=1)) == (Workload(rate=1), None)
    assert record_or(tmp_path / "other", None) == (None, None)


def test_figures_stand_side_by_side_and_say_what_is_flagged():
    lines = str(SideBySide("m", Workload(rate=900), None, FIGURES, FIGURES, None)).splitlines()
    assert len(lines) == 3
    assert "p99 4 (3.5–?) ms [flagged: the machine stood still]" in lines[1]
