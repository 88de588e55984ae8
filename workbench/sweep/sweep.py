# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The loop of a sweep: ask, configure, measure, tell; in the end the model is as it was."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal

from workbench.errors import InvalidArgumentError, WorkbenchError
from workbench.load import Measurement, Report, Workload, measure, reporting
from workbench.sweep.objective import Goodput, HighestThroughput, LowestP99, Objective
from workbench.sweep.space import Candidate, SearchSpace
from workbench.sweep.store import TrialStore, fingerprint
from workbench.sweep.strategy import Grid, Strategy, SuccessiveHalving
from workbench.sweep.study import Study
from workbench.sweep.trial import Point, Trial
from workbench.sweep.tunable import ReconfigurableModel, Tunable, TunableModel

_RESTORE_WAIT_S: Final = 0.1
"""After an interrupt: a reload that takes longer goes on in the background."""

StrategyOf = Callable[[Sequence[Candidate]], Strategy]
STRATEGIES: Final[Mapping[str, StrategyOf]] = {"grid": Grid, "halving": SuccessiveHalving}


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
    objective: Objective | Literal["auto", "goodput", "p99", "throughput"] = "auto",
    strategy: StrategyOf | Literal["grid", "halving"] = "halving",
    inputs: Mapping[str, Any] | None = None,
    checkpoint: str | Path = "",
    repeats: int = 2,
    progress: bool | Report = True,
) -> Study:
    """Finds the configuration that serves best within a latency objective.

    Batching is changed while the model serves; other batch sizes and instance counts are made ready in the background.
    In the end, also after an error or the stop button, the model has its own configuration again.

    Args:
        model: of a server.
        space: values of max_batch_size, preferred_batch_size, max_queue_delay_microseconds and count.
        workload: what each candidate is measured with; goodput begins at its rate.
        slo_p99_ms: the p99 that a candidate must keep to.
        objective: goodput (highest rate within slo_p99_ms), p99 (lowest, at the workload's rate), throughput (highest,
            at the workload's load), or one of one's own; auto: p99 for a rate, throughput for a concurrency.
        strategy: halving (all shortly, the better ones longer) or grid (all alike); or what makes one.
        inputs: arrays by input name; None for arrays made from the configuration.
        checkpoint: file that takes every trial; where it exists, its trials are not measured again.
        repeats: how often at most a run is repeated because the machine stood still.
        progress: true for a bar with remaining time, or a callable.

    Raises:
        InvalidArgumentError: an empty space, or options that make no sense.
        SweepInterruptedError: a KeyboardInterrupt with the study so far.
    """
    tunable = model if isinstance(model, Tunable) else TunableModel(model, inputs=inputs, seed=workload.seed)
    space = SearchSpace.of(space)
    candidates, excluded = space.split(tunable.base)
    if not candidates:
        raise InvalidArgumentError("nothing to try: " + "; ".join(sorted({e.reason for e in excluded})))
    sought = _objective(objective, workload, slo_p99_ms)
    chosen = (STRATEGIES[strategy] if isinstance(strategy, str) else strategy)(candidates)
    study = Study(tunable.name, sought.title, workload, slo_p99_ms, tunable.base, (), excluded)
    store = _store(checkpoint, tunable, space, workload, sought, chosen)
    words = f"{sought.title}, {workload}, best of {len(candidates)} combinations"
    title, total = f"sweep {tunable.name}", chosen.remaining()
    trials: list[Trial] = []
    try:
        with _restored(tunable), reporting(progress=progress, title=title, unit="workloads", total=total) as report:
            for trial in _trials(tunable, chosen, sought, workload, repeats, store):
                trials.append(replace(trial, before=tunable.base, sought=words))
                done = sum(trial.effort for trial in trials)
                report(done, done + chosen.remaining(), f"{len(trials)} trials, {trial.candidate}")
    except KeyboardInterrupt as stop:
        raise SweepInterruptedError(replace(study, trials=tuple(trials))) from stop
    return replace(study, trials=tuple(trials))


def _objective(objective: Objective | str, workload: Workload, slo_p99_ms: float) -> Objective:
    if not isinstance(objective, str):
        return objective
    if objective == "auto":
        objective = "p99" if workload.is_open_loop else "throughput"
    named = {"goodput": Goodput, "p99": LowestP99, "throughput": HighestThroughput}
    if objective not in named:
        raise InvalidArgumentError(f"no objective {objective!r}; there are {', '.join(named)}")
    made: Objective = named[objective](slo_p99_ms)
    return made


def _store(
    checkpoint: str | Path,
    tunable: Tunable,
    space: SearchSpace,
    workload: Workload,
    sought: Objective,
    chosen: Strategy,
) -> TrialStore | None:
    if not checkpoint:
        return None
    key = fingerprint(tunable.name, tunable.config, space, workload, sought, type(chosen).__name__)
    return TrialStore(Path(checkpoint), key=key)


def _trials(
    tunable: Tunable,
    strategy: Strategy,
    objective: Objective,
    workload: Workload,
    repeats: int,
    store: TrialStore | None,
) -> Iterator[Trial]:
    known = {(trial.candidate, trial.effort): trial for trial in (store.trials if store else ())}
    number = 0
    while (proposal := strategy.ask()) is not None:
        trial = known.get((proposal.candidate, proposal.effort))
        if trial is None:
            trial = _tried(tunable, proposal.candidate, objective, workload.longer(proposal.effort), repeats)
            trial = replace(trial, number=number, effort=proposal.effort, model=tunable.name)
            if store is not None:
                store.add(trial)
        strategy.tell(trial)
        number += 1
        yield trial


def _tried(tunable: Tunable, candidate: Candidate, objective: Objective, workload: Workload, repeats: int) -> Trial:
    begin = monotonic()
    try:
        tunable.apply(candidate)
        config = tunable.config
        measured = objective.measure(_measuring(tunable, repeats), workload)
    except InvalidArgumentError as refusal:
        return Trial(0, candidate, "refused", reason=str(refusal), seconds=monotonic() - begin)
    if tunable.config != config:
        reason = "the configuration was changed from elsewhere while it was measured"
        return Trial(0, candidate, "refused", reason=reason, seconds=monotonic() - begin)
    return Trial(
        0,
        candidate,
        config=config,
        score=objective.score(measured),
        points=tuple(map(Point.of, measured)),
        seconds=monotonic() - begin,
        measurement=measured[-1],
    )


def _measuring(tunable: Tunable, repeats: int) -> Callable[[Workload, int], Measurement]:
    return lambda workload, backlog_limit: measure(
        tunable.target, workload, repeats=repeats, backlog_limit=backlog_limit
    )


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
