# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import re
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

from workbench.server import Duration, Explanation, ModelStatistics
from workbench.simulate import Calibration, predict
from workbench.views import charts, formatters


@pytest.fixture
def statistics():
    step = Duration(count=10, ns=40_000_000)
    return ModelStatistics(
        "m", 1, success=step, fail=Duration(0, 0), queue=Duration(10, 60_000_000), compute_input=Duration(10, 0),
        compute_infer=step, compute_output=Duration(10, 0), inference_count=10, execution_count=4,
        batches={1: 2, 4: 2}, last_inference_ms=0,
    )  # fmt: skip


@pytest.fixture
def shell():
    shell = SimpleNamespace(display_formatter=DisplayFormatter())
    formatters.register(shell)
    return shell


def shown(shell, value):
    return shell.display_formatter.format(value)[0]["text/html"]


def test_statistics_show_a_picture_above_their_table(shell, statistics):
    html = shown(shell, statistics)
    assert html.index("<svg") < html.index("<table")
    assert "6 ms · 60 %" in html


def test_pictures_are_well_formed(shell, statistics):
    for svg in re.findall(r"<svg.*?</svg>", shown(shell, statistics)):
        ET.fromstring(svg)


def test_a_model_that_never_ran_shows_its_table_alone(shell, statistics):
    nothing = Duration(0, 0)
    never = ModelStatistics("m", 1, *[nothing] * 6, 0, 0, {}, 0)
    assert "<svg" not in shown(shell, never)


def test_registering_twice_changes_nothing(shell, statistics):
    before = shown(shell, statistics)
    formatters.register(shell)
    assert shown(shell, statistics) == before


def test_the_longest_step_stands_out():
    assert re.search(r'font-weight="600">compute<', charts.split_chart({"queue": 1e6, "compute": 3e6}))


def test_many_sizes_share_bars():
    assert charts.size_chart({1: 5, 128: 3}).count("<rect") == 32


def test_latencies_are_drawn_up_to_the_slowest():
    svg = charts.latency_chart(np.array([1.0, 2.0, 40.0]), [("p50", 2.0)])
    assert "p50 2 ms" in svg
    assert "40 ms" in svg


def test_nothing_is_drawn_of_nothing():
    assert charts.latency_chart(np.empty(0), []) == charts.size_chart({}) == charts.split_chart({"queue": 0.0}) == ""


def test_a_prediction_shows_that_it_is_one(shell):
    calibration = Calibration(
        service_ns={1: 1_100_000, 8: 1_800_000}, samples_ns={1: (1_090_000, 1_120_000)}, model="m"
    )
    html = shown(shell, predict('name: "m" max_batch_size: 8 dynamic_batching { }', calibration, rate=2000))
    assert "dashed" in html
    assert "predicted" in html
    assert html.count("<svg") == 2


def test_a_calibration_shows_its_medians_samples_and_line(shell):
    calibration = Calibration(
        service_ns={1: 1_100_000, 8: 1_800_000}, samples_ns={1: (1_090_000, 1_120_000)}, model="m"
    )
    html = shown(shell, calibration)
    assert "1 ms + 100 µs a row" in html
    assert html.count("<circle") == 2 + 9
    for svg in re.findall(r"<svg.*?</svg>", html):
        ET.fromstring(svg)


def test_an_explanation_has_a_picture_and_its_words():
    explanation = Explanation(
        serial=7, model="m", version=1, status="OK", reason="delay_expired", queue_ns=3_000_000, compute_input_ns=0,
        compute_infer_ns=1_000_000, compute_output_ns=0, rows=1, batch_requests=7, instance=0, words="waited <long>",
    )  # fmt: skip
    html = formatters.explanation_html(explanation)
    assert "3 ms · 75 %" in html
    assert "request 7 of m: waited &lt;long&gt;" in html
