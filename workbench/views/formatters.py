# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures above the tables of results. The floors below know nothing of it: IPython asks here when it shows one."""

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import MissingExtraError
from workbench.views import charts

if TYPE_CHECKING:
    from workbench.load import Measurement
    from workbench.server import Explanation, ModelStatistics
    from workbench.simulate import Calibration, Prediction
    from workbench.sweep import Study


def statistics_html(statistics: ModelStatistics) -> str:
    """Where the time of a model's requests goes, its batch sizes, and the table."""
    steps = {
        "queue": statistics.queue,
        "input": statistics.compute_input,
        "compute": statistics.compute_infer,
        "output": statistics.compute_output,
    }
    split = charts.split_chart({name: step.mean_ns for name, step in steps.items()})
    return charts.figure(split, charts.size_chart(statistics.batches)) + statistics._repr_html_()


def measurement_html(measurement: Measurement) -> str:
    """The distribution of latency, where the time goes, the batch sizes, and the table."""
    split = measurement.split
    steps = {
        "queue": split.queue_ns,
        "input": split.compute_input_ns,
        "compute": split.compute_infer_ns,
        "output": split.compute_output_ns,
    }
    marks = [("p50", measurement.p50_ms), ("p99", measurement.p99_ms)]
    latency = charts.latency_chart(measurement.latencies_ms(), marks)
    return (
        charts.figure(latency, charts.split_chart(steps), charts.size_chart(measurement.batches))
        + measurement._repr_html_()
    )


def prediction_html(prediction: Prediction) -> str:
    """Where the time would go, the batch sizes, and the table, all of it marked as predicted."""
    parts = {"queue": prediction.queue_ns, "compute": prediction.service_ns, "way": prediction.overhead_ns}
    pictures = charts.figure(charts.split_chart(parts), charts.size_chart(prediction.batches))
    # Dashed: what was measured has a solid edge, or none.
    return f'<div style="border-left: 2px dashed {charts.FAINT}; padding-left: 10px">{pictures}</div>' + (
        prediction._repr_html_()
    )


def calibration_html(calibration: Calibration) -> str:
    """Service times by batch size: what was measured, medians, and the straight line; the table below."""
    return charts.figure(charts.service_chart(calibration)) + calibration._repr_html_()


def explanation_html(explanation: Explanation) -> str:
    """One request's life as a picture, and in words."""
    steps = {
        "queue": float(explanation.queue_ns),
        "input": float(explanation.compute_input_ns),
        "compute": float(explanation.compute_infer_ns),
        "output": float(explanation.compute_output_ns),
    }
    return f"{charts.figure(charts.split_chart(steps))}<p>{escape(str(explanation))}</p>"


def study_html(study: Study) -> str:
    """The table of a sweep, and its front of throughput and latency where two candidates or more were measured."""
    measured = sum(trial.point is not None for trial in study.finals)
    if measured < 2:
        return study._repr_html_()
    from workbench.views.sweep import front  # the table needs no picture's packages

    try:
        picture = base64.b64encode(front(study)._repr_png_()).decode()
    except MissingExtraError:
        return study._repr_html_()
    return f'{study._repr_html_()}<img style="max-width: 100%" src="data:image/png;base64,{picture}"/>'


# By the module and name of the type, so that nothing is imported before there is such a result.
FORMATTERS: Final[tuple[tuple[str, str, Callable[[Any], str]], ...]] = (
    ("workbench.server.statistics", "ModelStatistics", statistics_html),
    ("workbench.server.explanation", "Explanation", explanation_html),
    ("workbench.load.measurement", "Measurement", measurement_html),
    ("workbench.simulate.prediction", "Prediction", prediction_html),
    ("workbench.simulate.calibration", "Calibration", calibration_html),
    ("workbench.sweep.study", "Study", study_html),
)


def register(shell: Any) -> None:
    """Gives results their pictures in a notebook's shell; a second call changes nothing."""
    html = shell.display_formatter.formatters["text/html"]
    for module, name, formatter in FORMATTERS:
        html.for_type_by_name(module, name, formatter)
