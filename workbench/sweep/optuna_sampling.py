# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Optuna behind ask and tell, for spaces of which only a part can be measured."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from workbench.errors import MissingExtraError
from workbench.sweep.candidate import Candidate
from workbench.sweep.strategy import Proposal
from workbench.sweep.trial import Trial

_REPEATED: Final = 20
"""Proposals in a row that were measured already: then the sampler has nothing new to say."""


class OptunaSampling:
    """Lets a sampler of Optuna choose among the candidates; each is measured once.

    The sampler chooses a value for each field. A combination that is no candidate is told as failed and costs nothing.

    Args:
        candidates: all that may be tried.
        trials: how many are measured.
        sampler: of Optuna; None for its TPE.
        seed: of that.

    Raises:
        MissingExtraError: Optuna is not installed.
    """

    def __init__(
        self, candidates: Sequence[Candidate], *, trials: int = 20, sampler: Any = None, seed: int = 1
    ) -> None:
        try:
            import optuna
        except ImportError as error:
            raise MissingExtraError("strategy optuna", extra="tune") from error
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = sampler or optuna.samplers.TPESampler(seed=seed)
        self._failed = optuna.trial.TrialState.FAIL
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._rows = {_row(candidate): candidate for candidate in candidates}
        self._distributions = _distributions(list(self._rows), optuna.distributions.CategoricalDistribution)
        self._budget = min(trials, len(self._rows))
        self._asked: set[Candidate] = set()
        self._under_way: dict[Candidate, deque[Any]] = {}

    def ask(self) -> Proposal | None:
        """What the sampler proposes and was not measured before."""
        repeated = 0
        while self._budget > 0 and repeated < _REPEATED:
            trial = self._study.ask(self._distributions)
            candidate = self._rows.get(tuple(trial.params[name] for name in self._distributions))
            if candidate is None or candidate in self._asked:
                repeated += 1
                self._study.tell(trial, state=self._failed)
                continue
            return self._proposed(candidate, trial)
        rest = [candidate for candidate in self._rows.values() if candidate not in self._asked]
        return self._proposed(rest[0], None) if self._budget > 0 and rest else None

    def tell(self, trial: Trial) -> None:
        """What came of it; what was refused has failed, what misses the objective is worse than all that meet it."""
        asked = self._under_way.pop(trial.candidate).popleft()
        if asked is None:
            return
        if trial.score is None:
            self._study.tell(asked, state=self._failed)
            return
        gain = trial.score.rank[1]
        self._study.tell(asked, gain if trial.is_feasible else min(gain, 0.0) - 1e6)

    def remaining(self) -> float:
        """What is left of the budget."""
        return float(self._budget + len(self._under_way))

    def _proposed(self, candidate: Candidate, trial: Any) -> Proposal:
        self._budget -= 1
        self._asked.add(candidate)
        self._under_way.setdefault(candidate, deque()).append(trial)
        return Proposal(candidate)


def _row(candidate: Candidate) -> tuple[str | int | bool, ...]:
    """Plain values, in the order of the fields: what a categorical distribution takes."""
    facts = candidate.facts()
    facts["preferred_batch_size"] = " ".join(map(str, candidate.preferred_batch_size))
    return tuple(facts.values())


def _distributions(rows: Sequence[tuple[Any, ...]], categorical: Any) -> dict[str, Any]:
    names = Candidate.__dataclass_fields__
    return {name: categorical(sorted(set(column))) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
