# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep: what is searched and how, from the call to the study; in the end the model is as it was."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final, Literal

from workbench.errors import InvalidArgumentError, WorkbenchError
from workbench.load import Report, Workload, reporting
from workbench.sweep.attempt import Attempt
from workbench.sweep.forecast import Predictor
from workbench.sweep.goodput import Goodput
from workbench.sweep.journal import Journal, Watch, unwatched
from workbench.sweep.machines import Machines
from workbench.sweep.objective import HighestThroughput, LowestMemory, LowestP99, Objective
from workbench.sweep.optuna_sampling import OptunaSampling
from workbench.sweep.score import UNCONSTRAINED, Constraints
from workbench.sweep.search import Search, StrategyOf
from workbench.sweep.space import SearchSpace
from workbench.sweep.store import TrialStore, fingerprint
from workbench.sweep.strategy import Grid, SuccessiveHalving
from workbench.sweep.study import Study
from workbench.sweep.tunable import ReconfigurableModel, Tunable, TunableModel

_RESTORE_WAIT_S: Final = 0.1
"""After an interrupt: a reload that takes longer goes on in the background."""

STRATEGIES: Final[Mapping[str, StrategyOf]] = {"grid": Grid, "halving": SuccessiveHalving, "optuna": OptunaSampling}
"""Those that measure all candidates or choose among them; "predict" first simulates them all."""
STRATEGY_NAMES: Final = ("auto", "predict", *STRATEGIES)
OBJECTIVES: Final = ("auto", "goodput", "p99", "throughput", "memory")


class SweepInterruptedError(KeyboardInterrupt):
    """The stop button; `study` holds the trials until then."""

    def __init__(self, study: Study) -> None:
        super().__init__(f"the sweep was stopped after {len(study.trials)} trials; they are in the exception's `study`")
        self.study = study


def sweep(
    model: ReconfigurableModel | Tunable,
    *,
    space: SearchSpace | Mapping[str, Sequence[Any]],
    workload: Workload,
    slo_p99_ms: float = math.inf,
    objective: Objective | Literal["auto", "goodput", "p99", "throughput", "memory"] = "auto",
    constraints: Constraints = UNCONSTRAINED,
    strategy: StrategyOf | Literal["auto", "predict", "grid", "halving", "optuna"] = "auto",
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
            priority_levels and default_queue_policy.
        workload: what each candidate is measured with; goodput begins at its rate.
        slo_p99_ms: the p99 that a candidate must keep to.
        objective: goodput (highest rate within slo_p99_ms), p99 (lowest, at the workload's rate), throughput (highest,
            at the workload's load), memory (least), or one of one's own; auto: p99 for a rate, throughput for a
            concurrency.
        constraints: what a candidate must keep to beside.
        strategy: predict (simulate all, race the best, confirm the winner), halving (all shortly, the better ones
            longer), grid (all alike), optuna (its sampler chooses), or what makes one; auto: predict where there is a
            predictor, else halving.
        predictor: what simulates a workload under a configuration.
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
    tunable = model if isinstance(model, Tunable) else TunableModel(model, inputs=inputs, seed=workload.seed)
    space = SearchSpace.of(space)
    candidates, excluded = space.split(
        tunable.base, objection=lambda c: constraints.objection(c.count) or tunable.objection(c)
    )
    if not candidates:
        raise InvalidArgumentError("nothing to try: " + "; ".join(sorted({e.reason for e in excluded})))
    attempt = Attempt(_objective(objective, workload, slo_p99_ms), workload, repeats, constraints)
    names = (space, workload, attempt.objective, constraints, str(strategy))
    store = TrialStore(Path(checkpoint), key=fingerprint(tunable.name, tunable.config, *names)) if checkpoint else None
    search = Search(tunable, attempt, candidates, store, executor, machines, inputs, simulated_requests)
    title = attempt.objective.title
    study = Study(tunable.name, title, workload, slo_p99_ms, tunable.base, (), excluded)
    words = f"{title}, {workload}, best of {len(candidates)} combinations"
    with reporting(progress=progress, title=f"sweep {tunable.name}", unit="workloads", total=1) as report:
        journal = Journal(study, words=words, report=report, watch=watch)
        try:
            with _restored(tunable):
                chosen = _strategy(strategy, predictor)
                if predictor is None or chosen is not None:
                    search.run(journal, chosen or SuccessiveHalving)
                else:
                    search.run_predicted(journal, predictor, most=most)
        except KeyboardInterrupt as stop:
            raise SweepInterruptedError(journal.study) from stop
    return journal.study


def _strategy(strategy: StrategyOf | str, predictor: Predictor | None) -> StrategyOf | None:
    """What makes the strategy; None for prediction."""
    if not isinstance(strategy, str):
        return strategy
    if strategy == "auto":
        strategy = "halving" if predictor is None else "predict"
    if strategy == "predict" and predictor is None:
        raise InvalidArgumentError("strategy predict needs a predictor")
    if strategy not in STRATEGY_NAMES:
        raise InvalidArgumentError(f"no strategy {strategy!r}; there are {', '.join(STRATEGY_NAMES)}")
    return STRATEGIES.get(strategy)


def _objective(objective: Objective | str, workload: Workload, slo_p99_ms: float) -> Objective:
    if not isinstance(objective, str):
        return objective
    if objective == "auto":
        objective = "p99" if workload.is_open_loop else "throughput"
    named = {"goodput": Goodput, "p99": LowestP99, "throughput": HighestThroughput, "memory": LowestMemory}
    if objective not in named:
        raise InvalidArgumentError(f"no objective {objective!r}; there are {', '.join(named)}")
    made: Objective = named[objective](slo_p99_ms)
    return made


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
