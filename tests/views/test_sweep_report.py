# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import re
from dataclasses import replace

import nbformat
import pytest

import workbench as wb
from workbench.errors import InvalidArgumentError
from workbench.load import Workload
from workbench.simulate import Calibration
from workbench.sweep import sweep
from workbench.testing.fake_predictor import FakePredictor
from workbench.testing.fake_tunable import FakeTunable
from workbench.views.sweep_curves import batches_before_and_after, latency_against_load, shown_trials
from workbench.views.sweep_sensitivity import neighbours, predicted_map, sensitivity
from workbench.views.sweep_theory import predicted_curve

SPACE = {"max_batch_size": [1, 4, 8], "max_queue_delay_microseconds": [0, 500]}


@pytest.fixture(scope="module")
def study():
    options = {"workload": Workload(rate=500, duration_s=0.4), "slo_p99_ms": 8, "objective": "goodput"}
    options |= {"most": 3, "simulated_requests": 500, "progress": False}
    return sweep(FakeTunable(), space=SPACE, predictor=FakePredictor(), **options)


def labels(picture):
    return [text.get_text() for axes in picture.figure.axes for text in axes.get_legend().get_texts()]


def test_a_report_is_one_file_that_needs_nothing_else(study, tmp_path):
    text = wb.report(study, tmp_path / "deep" / "report.html").read_text()
    assert text.count("data:image/svg+xml;base64,") >= 5
    assert not re.findall(r'(?:src|href)="(?!data:)', text)
    assert "Why not the others" in text


def test_a_report_as_a_notebook_is_valid(study, tmp_path):
    path = wb.report(study, tmp_path / "report.ipynb")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert any("The model as it was" in cell.source for cell in notebook.cells)


@pytest.mark.parametrize("space", [{"max_batch_size": [4]}, {"max_batch_size": [1, 4], "count": [1, 9]}])
@pytest.mark.parametrize("load", [Workload(rate=300, duration_s=0.2), Workload(concurrency=4, duration_s=0.2)])
def test_small_sweeps_have_a_report_too(space, load, tmp_path):
    study = sweep(FakeTunable(), space=space, workload=load, strategy="grid", progress=False)
    assert "Why this configuration" in wb.report(study, tmp_path / "report.html").read_text()


def test_a_report_has_a_format_that_there_is(study, tmp_path):
    with pytest.raises(InvalidArgumentError, match=r"\.html or \.ipynb"):
        wb.report(study, tmp_path / "report.pdf")


def test_the_curves_show_the_winner_and_the_model_as_it_was(study):
    assert [t.candidate for t in shown_trials(study, 2)] == [study.best.candidate, study.base]
    assert any(label.startswith("before: ") for label in labels(latency_against_load(study)))


def test_with_a_calibration_curve_and_theory_are_drawn(study):
    calibration = Calibration(service_ns={1: 1.1e6, 8: 1.8e6})
    calibrated = replace(study, calibration=calibration)
    curve = predicted_curve(calibrated, study.best)
    assert len(curve) > len(predicted_curve(study, study.best))
    assert all(point.is_predicted for point in curve)
    before, after = (latency_against_load(one).figure.axes[0] for one in (study, calibrated))
    assert len(after.lines) > len(before.lines)


def test_neighbours_of_the_winner_differ_in_one_field(study):
    line = neighbours(study, "max_batch_size")
    assert {one.value for one in line if not one.is_measured} == {1, 4, 8} - (
        set() if study.best.candidate.max_queue_delay_microseconds == 0 else {1}
    )
    assert any(one.is_measured for one in line)


def test_the_map_bears_predicted_and_measured_figures(study):
    cells = [text.get_text() for axes in predicted_map(study).figure.axes for text in axes.texts]
    assert sum("meas." in cell for cell in cells) == len({t.candidate for t in study.trials})
    assert cells.count("") == 1


def test_every_picture_draws(study):
    for picture in (sensitivity(study), batches_before_and_after(study)):
        assert picture._repr_png_().startswith(b"\x89PNG")
