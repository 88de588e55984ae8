# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What would be if the configuration were another: a simulation calibrated on the batches that were just measured."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from workbench.config import edit_config
from workbench.errors import UnavailableError
from workbench.simulate import Calibration, Prediction, predict
from workbench.views.records import Records
from workbench.views.units import duration, three_digits

_FEWEST: Final = 20
_KEPT_UP: Final = 0.9
_REQUESTS: Final = 10_000
_SEEDS: Final = (1, 2, 3)
_PATHS: Final = {
    "max_queue_delay_microseconds": "dynamic_batching.max_queue_delay_microseconds",
    "preferred_batch_size": "dynamic_batching.preferred_batch_size",
    "priority_levels": "dynamic_batching.priority_levels",
    "max_batch_size": "max_batch_size",
    "count": "instance_group[0].count",
}

Band = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Imagined:
    """A prediction, as the range of some simulations that differ in nothing but chance. Nothing here was measured.

    Attributes:
        p50_ns, p99_ns: latency.
        throughput: answers a second.
        mean_rows: rows of a batch.
        sizes: share of the batches by their rows.
        is_overloaded: more comes than could be answered.
        words: all that in a sentence.
        took_s: how long it took to find out.
    """

    p50_ns: Band
    p99_ns: Band
    throughput: Band
    mean_rows: float
    sizes: Mapping[int, float]
    is_overloaded: bool
    words: str
    took_s: float


def imagine(config: str, fields: Mapping[str, Any], batches: Records, *, rate: float) -> Imagined:
    """What the running model would do under the load of this moment with other fields of its configuration.

    Args:
        config: the text of the configuration that runs.
        fields: the other values, by the configuration's own names.
        batches: executions of the last seconds: how long a batch of which size takes.
        rate: requests a second.

    Raises:
        UnavailableError: too little was measured to predict from.
        ConfigError, InvalidArgumentError: the configuration would not be legal.
    """
    begun_s = time.perf_counter()
    text = edit_config(config, {_PATHS[name]: value for name, value in fields.items()}) if fields else config
    calibration = calibration_of(batches)
    if rate <= 0:
        raise UnavailableError("no request came in this window: send some, then ask what if")
    told = [predict(text, calibration, rate=rate, requests=_REQUESTS, seed=seed) for seed in _SEEDS]
    return _imagined(told, fields, len(batches), rate, time.perf_counter() - begun_s)


def calibration_of(batches: Records) -> Calibration:
    """Median execution time by batch size, out of what was measured.

    Raises:
        UnavailableError: fewer than 20 executions.
    """
    if len(batches) < _FEWEST:
        message = f"{len(batches)} batches were measured in this window, a prediction needs {_FEWEST}: send some load"
        raise UnavailableError(message)
    times = (batches["end_ns"] - batches["start_ns"]).astype(np.float64)
    rows = np.maximum(batches["rows"], 1)
    return Calibration({int(size): max(float(np.median(times[rows == size])), 1.0) for size in np.unique(rows)})


def _imagined(
    told: Sequence[Prediction], fields: Mapping[str, Any], batches: int, rate: float, took_s: float
) -> Imagined:
    p50, p99 = _band([one.p50_ns for one in told]), _band([one.p99_ns for one in told])
    throughput = _band([one.throughput for one in told])
    sizes: dict[int, float] = {}
    for one in told:
        total = max(sum(one.batches.values()), 1)
        for rows, count in one.batches.items():
            sizes[rows] = sizes.get(rows, 0.0) + count / total / len(told)
    is_overloaded = any(one.is_overloaded or one.throughput < _KEPT_UP * rate for one in told)
    mean_rows = sum(rows * share for rows, share in sizes.items())
    end = "more would come than can be answered" if is_overloaded else f"p50 {_times(p50)}, p99 {_times(p99)}"
    change = ", ".join(_changed(name, value) for name, value in fields.items()) or "nothing changed"
    words = (
        f"Predicted, with {change}: {end}, {three_digits(throughput[0])} answers/s, {mean_rows:.2g} rows "
        f"a batch (never measured; from {batches:,} batches that were)."
    )
    return Imagined(p50, p99, throughput, mean_rows, dict(sorted(sizes.items())), is_overloaded, words, took_s)


def _changed(name: str, value: Any) -> str:
    if name == "max_queue_delay_microseconds":
        return f"a queue delay of {duration(value / 1e6)}"
    if name == "count":
        return f"{value} instances"
    words = {
        "preferred_batch_size": "preferred size",
        "max_batch_size": "max batch size",
        "priority_levels": "priorities",
    }
    return f"{words[name]} {' '.join(map(str, value)) if isinstance(value, list) else value}"


def _band(values: Sequence[float]) -> Band:
    return min(values), max(values)


def _times(band: Band) -> str:
    low, high = (duration(value / 1e9) for value in band)
    return low if low == high else f"{low} to {high}"
