# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What a sweep does: simulates all candidates, or none; measures what a strategy asks for; confirms the winner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from workbench.config import parse_config
from workbench.sweep.attempt import Attempt
from workbench.sweep.candidate import Candidate
from workbench.sweep.forecast import Forecast, Predictor, forecasts
from workbench.sweep.journal import Journal
from workbench.sweep.loop import measured_elsewhere, measured_here
from workbench.sweep.machines import Machines, MeasuringTask
from workbench.sweep.point import Point
from workbench.sweep.race import confirmed, race, shortlist
from workbench.sweep.store import TrialStore
from workbench.sweep.strategy import Proposal, Strategy
from workbench.sweep.trial import Trial
from workbench.sweep.tunable import Tunable

StrategyOf: TypeAlias = Callable[[Sequence[Candidate]], Strategy]
"""Makes a strategy for candidates."""

_Known: TypeAlias = Mapping[tuple[Candidate, float, int], Trial]


@dataclass(frozen=True, slots=True)
class Search:
    """A sweep's parts, put together.

    Args:
        tunable: what is tuned.
        attempt: how a candidate is tried.
        candidates: what may be tried.
        store: the checkpoint; None without.
        executor: where simulations run; None for here.
        machines: where candidates are measured; None for here.
        inputs: what is sent; other machines make or get the same.
        simulated_requests: fewest of one simulation.
    """

    tunable: Tunable
    attempt: Attempt
    candidates: Sequence[Candidate]
    store: TrialStore | None = None
    executor: Executor | None = None
    machines: Machines | None = None
    inputs: Mapping[str, Any] | None = None
    simulated_requests: int = 20_000

    def run(self, journal: Journal, strategy_of: StrategyOf) -> None:
        """Measures what a strategy asks for."""
        self._measure(journal, strategy_of(self.candidates))

    def run_predicted(self, journal: Journal, predictor: Predictor, *, most: int) -> None:
        """Simulates all, races the `most` best, confirms the winner."""
        predicted = self._predicted(journal, predictor)
        chosen = shortlist(predicted, base=self.tunable.base, most=most)
        self._measure(journal, race(chosen, self.attempt.objective))
        for best in journal.study.ranking[:1]:
            self._confirm(journal, best, predictor)

    def _confirm(self, journal: Journal, best: Trial, predictor: Predictor) -> None:
        found = confirmed(self.attempt, self.tunable, best)
        if found is not None:
            trial, workload = found
            config = parse_config(self.tunable.config_of(best.candidate))
            journal.confirmed(trial, Point.predicted(predictor(config, workload), workload), workload)

    def _predicted(self, journal: Journal, predictor: Predictor) -> Sequence[Forecast]:
        found = list(self.store.forecasts) if self.store else []
        if not found:
            for row in self._simulated(predictor):
                found += row
                journal.predicting(len(found), len(self.candidates))
            if self.store:
                self.store.keep(found)
        journal.predicted(found)
        return found

    def _simulated(self, predictor: Predictor) -> Iterator[list[Forecast]]:
        return forecasts(
            self.candidates,
            self.tunable.config_of,
            predictor=predictor,
            objective=self.attempt.objective,
            workload=self.attempt.workload,
            constraints=self.attempt.constraints,
            executor=self.executor,
            requests=self.simulated_requests,
        )

    def _measure(self, journal: Journal, strategy: Strategy) -> None:
        known = {_key(trial): trial for trial in (self.store.trials if self.store else ())}
        for number, measured in enumerate(self._trials(strategy, known)):
            trial = replace(measured, number=number)
            if self.store and _key(trial) not in known:
                self.store.add(trial)
            journal.measured(trial, ahead=strategy.remaining())

    def _trials(self, strategy: Strategy, known: _Known) -> Iterator[Trial]:
        def here(proposal: Proposal) -> Trial:
            return known.get(_key(proposal)) or self.attempt(self.tunable, proposal)

        if self.machines is None:
            return measured_here(strategy, here)
        send = self._sender(self.machines, known)
        return measured_elsewhere(strategy, send, workers=self.machines.workers)

    def _sender(self, machines: Machines, known: _Known) -> Callable[[Proposal], Future[Trial]]:
        config = self.tunable.config
        backends = tuple(map(str, machines.backends))

        def send(proposal: Proposal) -> Future[Trial]:
            if (trial := known.get(_key(proposal))) is not None:
                done: Future[Trial] = Future()
                done.set_result(trial)
                return done
            task = MeasuringTask(
                str(machines.repository), backends, self.tunable.name, config, self.inputs, self.attempt, proposal
            )
            return machines.submit(task)

        return send


def _key(one: Trial | Proposal) -> tuple[Candidate, float, int]:
    return one.candidate, one.effort, one.turn
