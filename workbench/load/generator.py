# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Drives a model and measures it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Sequence as Several
from dataclasses import replace
from time import monotonic, sleep
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from workbench.display import Report, reporting, silent
from workbench.errors import InvalidArgumentError, WorkbenchError
from workbench.load.measurement import Measurement, measurement_of
from workbench.load.model_target import ModelTarget, ServedModel
from workbench.load.plan import Sequences
from workbench.load.remote_model import RemoteModel
from workbench.load.remote_target import RemoteTarget
from workbench.load.sample import Inputs, Sample, Shapes
from workbench.load.target import LoadRun, Target
from workbench.load.workload import Workload

_WAIT_S: Final = 0.05
"""How often a waiting call looks for the stop button."""
_STRAGGLERS_S: Final = 2.0


def drive(
    model: ServedModel | RemoteModel | Target,
    *,
    inputs: Inputs = None,
    rate: float | None = None,
    concurrency: int | None = None,
    arrivals: str | ArrayLike = "poisson",
    shape: float = 0.5,
    duration_s: float = 5.0,
    requests: int = 0,
    workload: Workload | None = None,
    sequences: Sequences | None = None,
    priority: int = 0,
    timeout_s: float | None = None,
    parameters: Mapping[str, bool | int | float | str] | None = None,
    rows: int = 1,
    dims: Mapping[str, Several[int]] | None = None,
    seed: int = 1,
    warmup: float | str = "auto",
    repeats: int = 1,
    progress: bool | Report = False,
) -> Measurement:
    """Sends requests to a model and measures how it serves them.

    Open loop (`rate`): each request goes out at its own time whatever has been answered, and its latency runs from
    that time, so a server that stalls can not hide it. Closed loop (`concurrency`): a request goes out when another
    comes back.

    Args:
        model: a model of a server in this process, a `RemoteModel`, or any `Target`.
        inputs: arrays by input name, with the batch dimension; or several of those, or `Sample`s, which take turns or
            have weights and may go to other models; or a file in the JSON format of perf_analyzer's `--input-data`;
            None for arrays made from the configuration.
        rate: requests per second.
        concurrency: requests in flight.
        arrivals: constant, poisson, gamma or markov; or the times themselves, seconds since the start.
        shape: of gamma and markov arrivals, see `draw_arrivals`.
        duration_s: how long requests are sent.
        requests: how many are sent, instead of a duration; 0 where the duration decides.
        workload: all of these at once, instead of `rate` to `requests`; it has a seed of its own.
        sequences: how requests make up sequences; None where they stand alone.
        priority: of the requests, as in `Model.infer`; a `Sample` has its own, and its own two that follow.
        timeout_s: how long they may wait in the queue, where the model allows that.
        parameters: handed on to the backend.
        rows: batch dimension of made arrays.
        dims: shapes of made arrays by input name, without the batch dimension, where the configuration leaves it open.
        seed: of arrivals, made inputs, weights and sequences: the same seed sends the same trace.
        warmup: seconds to leave out, or "auto" for MSER-5.
        repeats: how often at most a run is repeated because the machine stood still; the calmest counts. A run in
            which requests were not served is never repeated.
        progress: true for a bar, or a callable.

    Returns:
        What was measured, flagged with its reasons where it is not to be believed.

    Raises:
        InvalidArgumentError: neither or both of rate and concurrency, or values that make no sense.
        NotFoundError, UnavailableError: the model is not ready.
        KeyboardInterrupt: within 0.1 s of the stop button; nothing is sent any more.
    """
    if workload is None:
        extent = {"duration_s": duration_s, "requests": requests}
        workload = _workload(rate, concurrency, arrivals, shape=shape, seed=seed, **extent)
    like = Sample(priority=priority, timeout_s=timeout_s, parameters=parameters or {})
    shapes = Shapes(rows, dims or {})
    target = target_of(model, inputs=inputs, like=like, sequences=sequences, shapes=shapes, seed=seed)
    with reporting(progress=progress, title=f"drive {target.name}", unit="", total=_extent(workload)) as report:
        return measure(target, workload, warmup_s=_warmup_s(warmup), repeats=repeats, report=report)


def target_of(model: ServedModel | RemoteModel | Target, **sent: Any) -> Target:
    """The target that stands for a model, and is sent what the arguments of `ModelTarget` say; a target is its own."""
    if isinstance(model, RemoteModel):
        return RemoteTarget(model, **sent)
    return model if isinstance(model, Target) else ModelTarget(model, **sent)


def measure(
    target: Target,
    workload: Workload,
    *,
    warmup_s: float | None = None,
    repeats: int = 0,
    backlog_limit: int = 0,
    report: Report = silent,
) -> Measurement:
    """One workload on one target.

    Args:
        target: what is driven.
        workload: what is sent.
        warmup_s: left out of the measurement; None to find it.
        repeats: see `drive`.
        backlog_limit: ends a run early in which more requests than this wait for their answers; 0 for none.
        report: told of the progress.
    """
    calmest = _measure_once(target, workload, warmup_s, backlog_limit, report)
    for attempt in range(repeats):
        if not calmest.steadiness.is_disturbed or calmest.errors or calmest.unanswered:
            break  # what was not served must not be hidden by a run that was
        again = _measure_once(target, workload, warmup_s, backlog_limit, report)
        calmest = min(calmest, again, key=lambda measurement: measurement.steadiness.stalls.share)
        calmest = replace(calmest, attempts=attempt + 2)
    return calmest


def _measure_once(
    target: Target, workload: Workload, warmup_s: float | None, backlog_limit: int, report: Report
) -> Measurement:
    before = target.statistics()
    schedule_ns = workload.schedule_ns()
    run = target.start(workload, schedule_ns)
    try:
        _await_end(run, workload, backlog_limit, report)
        records, observations = run.records(), run.observations()
    finally:
        run.stop()
    _await_stragglers(run)
    return measurement_of(
        target.name,
        workload,
        records,
        observations,
        before=before,
        after=_statistics_after(target, before),
        warmup_s=warmup_s,
        planned=len(schedule_ns),
    )


def _statistics_after(target: Target, before: Any) -> Any:
    """A model that was unloaded meanwhile tells no more; what its clients saw is still a measurement."""
    try:
        return target.statistics()
    except WorkbenchError:
        return before


def _await_end(run: LoadRun, workload: Workload, backlog_limit: int, report: Report) -> None:
    """Waits for the end, but for answers only half as long again as requests are sent."""
    give_up_ns = (1.5 * workload.expected_s + 1) * 1e9
    is_timed = math.isfinite(workload.expected_s)
    while not run.wait(_WAIT_S):
        progress = run.progress()
        done = progress.elapsed_ns / 1e9 if is_timed else progress.answered
        report(done, _extent(workload), f"{progress.answered:,} answered")
        is_swamped = bool(backlog_limit) and progress.sent - progress.answered > backlog_limit
        if progress.elapsed_ns > give_up_ns or is_swamped:
            return


def _extent(workload: Workload) -> float:
    """What a bar counts: seconds, or requests where the time is not known."""
    return workload.expected_s if math.isfinite(workload.expected_s) else workload.requests


def _await_stragglers(run: LoadRun) -> None:
    """What was given up is still served; left in the queue it would disturb whatever is measured next."""
    end_s = monotonic() + _STRAGGLERS_S
    while (progress := run.progress()).answered < progress.sent and monotonic() < end_s:
        sleep(_WAIT_S / 5)


def _workload(
    rate: float | None, concurrency: int | None, arrivals: str | ArrayLike, *, duration_s: float, **options: Any
) -> Workload:
    kind = arrivals if isinstance(arrivals, str) else "replay"
    times: tuple[float, ...] = ()
    if not isinstance(arrivals, str):
        times = tuple(np.asarray(arrivals, dtype=np.float64).ravel().tolist())
        duration_s = max((duration_s, *times))
    if rate is None and concurrency is None and not times:
        raise InvalidArgumentError("give a rate (open loop) or a concurrency (closed loop)")
    return Workload(
        rate=rate or 0.0,
        concurrency=concurrency or 0,
        arrivals=kind,
        times_s=times,
        duration_s=duration_s,
        **options,
    )


def _warmup_s(warmup: float | str) -> float | None:
    if isinstance(warmup, str):
        if warmup != "auto":
            raise InvalidArgumentError(f'warmup is a number of seconds or "auto", not {warmup!r}')
        return None
    return warmup
