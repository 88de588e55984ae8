# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep: what is searched and how, from the call to the study; in the end the model is as it was."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal

from workbench.display import Report, reporting
from workbench.errors import WorkbenchError
from workbench.load import Workload
from workbench.simulate import Calibration
from workbench.sweep.attempt import Attempt
from workbench.sweep.forecast import Predictor
from workbench.sweep.journal import Journal, Watch, unwatched
from workbench.sweep.machines import Machines
from workbench.sweep.objective import Objective
from workbench.sweep.planning import Asked, planned
from workbench.sweep.score import UNCONSTRAINED, Constraints
from workbench.sweep.search import Search, StrategyOf
from workbench.sweep.space import SearchSpace
from workbench.sweep.store import TrialStore, fingerprint
from workbench.sweep.study import Study
from workbench.sweep.tunable import ReconfigurableModel, Tunable, TunableModel

_RESTORE_WAIT_S: Final = 0.1
"""After an interrupt: a reload that takes longer goes on in the background."""


class SweepInterruptedError(KeyboardInterrupt):
    """The stop button; `study` holds the trials until then."""

    def __init__(self, study: Study) -> None:
        super().__init__(f"the sweep was stopped after {len(study.trials)} trials; they are in the exception's `study`")
        self.study = study


def sweep(
    model: ReconfigurableModel | Tunable,
    *,
    space: SearchSpace | Mapping[str, Sequence[Any]] | Literal["auto"] = "auto",
    workload: Workload | Literal["auto"] = "auto",
    slo_p99_ms: float = math.inf,
    objective: Objective | Literal["auto", "goodput", "p99", "throughput", "memory"] = "auto",
    constraints: Constraints = UNCONSTRAINED,
    strategy: StrategyOf | Literal["auto", "predict", "grid", "halving", "optuna"] = "auto",
    calibration: Calibration | None = None,
    predictor: Predictor | None = None,
    most: int = 8,
    simulated_requests: int = 20_000,
    inputs: Mapping[str, Any] | None = None,
    checkpoint: str | Path = "",
    repeats: int = 2,
    executor: Executor | None = None,
    machines: Machines | None = None,
    progress: bool | Report = True,
    watch: Watch = unwatched,
) -> Study:
    """Finds the configuration that serves best within a latency objective.

    Batching is changed while the model serves; other batch sizes and instance counts are made ready in the background.
    In the end, also after an error or the stop button, the model has its own configuration again.

    Args:
        model: of a server.
        space: values of max_batch_size, preferred_batch_size, max_queue_delay_microseconds, count, dynamic_batching,
            priority_levels and default_queue_policy; auto: what the calibration says may pay.
        workload: what each candidate is measured with; goodput begins at its rate; auto: Poisson arrivals, for as long
            as a p99 needs.
        slo_p99_ms: the p99 that a candidate must keep to.
        objective: goodput (highest rate within slo_p99_ms), p99 (lowest, at the workload's rate), throughput (highest,
            at the workload's load), memory (least), or one of one's own; auto: goodput where no workload is given,
            else p99 for a rate and throughput for a concurrency.
        constraints: what a candidate must keep to beside.
        strategy: predict (simulate all, race the best, confirm the winner), halving (all shortly, the better ones
            longer), grid (all alike), optuna (its sampler chooses), or what makes one; auto: predict where more
            is to be tried than `most`, else halving.
        calibration: of the model; None to calibrate it where that is needed.
        predictor: what simulates a workload under a configuration, instead of the simulator on the calibration.
        most: how many candidates `predict` measures beside the model's own configuration.
        simulated_requests: fewest of one simulation.
        inputs: arrays by input name; None for arrays made from the configuration.
        checkpoint: file that takes every trial; where it exists, its trials are not measured again.
        repeats: how often at most a run is repeated because the machine stood still.
        executor: where simulations run; None for here.
        machines: where candidates are measured; None for here.
        progress: true for a bar with remaining time, or a callable.
        watch: told of the study after every step.

    Raises:
        InvalidArgumentError: an empty space, or options that make no sense.
        SweepInterruptedError: a KeyboardInterrupt with the study so far.
    """
    seed = 1 if isinstance(workload, str) else workload.seed
    tunable = model if isinstance(model, Tunable) else TunableModel(model, inputs=inputs, seed=seed)
    asked = Asked(model, tunable, space, workload, slo_p99_ms, objective, constraints, strategy, most)
    begin = monotonic()
    plan = planned(asked, calibration=calibration, predictor=predictor, inputs=inputs, progress=progress)
    attempt = Attempt(plan.objective, plan.workload, repeats, constraints)
    names = (space, workload, slo_p99_ms, plan.objective.title, constraints, str(strategy))
    store = TrialStore(Path(checkpoint), key=fingerprint(tunable.name, tunable.config, *names)) if checkpoint else None
    search = Search(tunable, attempt, plan.candidates, store, executor, machines, inputs, simulated_requests)
    title = attempt.objective.title
    study = Study(tunable.name, title, plan.workload, slo_p99_ms, tunable.base, (), plan.excluded)
    study = replace(study, calibration=plan.calibration)
    words = f"{title}, {plan.workload}, best of {len(plan.candidates)} combinations"
    with reporting(progress=progress, title=f"sweep {tunable.name}", unit="workloads", total=1) as report:
        journal = Journal(study, words=words, report=report, watch=watch, begin_s=begin)
        try:
            with _restored(tunable):
                if plan.predictor is None:
                    search.run(journal, plan.strategy)
                else:
                    search.run_predicted(journal, plan.predictor, most=most)
        except KeyboardInterrupt as stop:
            raise SweepInterruptedError(journal.study) from stop
    return journal.study


@contextlib.contextmanager
def _restored(tunable: Tunable) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        restoring = threading.Thread(target=_restore_quietly, args=(tunable,), name="wb-sweep-restore")
        restoring.start()
        restoring.join(_RESTORE_WAIT_S)
        raise
    except BaseException:
        tunable.restore()
        raise
    tunable.restore()


def _restore_quietly(tunable: Tunable) -> None:
    # The server may be gone by then, with the model.
    with contextlib.suppress(WorkbenchError):
        tunable.restore()
