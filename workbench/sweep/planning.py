# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""From what a call of `sweep` asks for to what is done: what it leaves open, the model's calibration decides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from workbench.calibrate import calibrate
from workbench.display import Report
from workbench.errors import InvalidArgumentError
from workbench.load import Workload
from workbench.simulate import Calibration, Simulator, capacity
from workbench.sweep.candidate import Candidate
from workbench.sweep.default_space import default_space
from workbench.sweep.forecast import Predictor
from workbench.sweep.goodput import Goodput
from workbench.sweep.objective import HighestThroughput, LowestMemory, LowestP99, Objective, Weighted
from workbench.sweep.optuna_sampling import OptunaSampling
from workbench.sweep.score import Constraints
from workbench.sweep.search import StrategyOf
from workbench.sweep.space import Exclusion, SearchSpace
from workbench.sweep.strategy import Grid, SuccessiveHalving
from workbench.sweep.tunable import Tunable

STRATEGIES: Final[Mapping[str, StrategyOf]] = {"grid": Grid, "halving": SuccessiveHalving, "optuna": OptunaSampling}
"""Those that measure all candidates or choose among them; "predict" first simulates them all."""
STRATEGY_NAMES: Final = ("auto", "predict", *STRATEGIES)
OBJECTIVES: Final = ("auto", "goodput", "p99", "throughput", "memory")

_SAMPLES: Final = 4000
"""Requests of a run whose p99 is to be compared; its interval is then some 10 % wide at four fifths of the capacity."""
_MOST_INSTANCES: Final = 4
"""That a calibration looks at where the space is its own."""
_SHORTEST_S, _LONGEST_S = 0.7, 6.0


@dataclass(frozen=True, slots=True)
class Asked:
    """The call's own words."""

    model: Any
    tunable: Tunable
    space: SearchSpace | Mapping[str, Sequence[Any]] | str
    workload: Workload | str
    slo_p99_ms: float
    objective: Objective | str
    constraints: Constraints
    strategy: StrategyOf | str
    most: int

    @property
    def can_be_calibrated(self) -> bool:
        """Whether it is a model of a server, and no stand-in."""
        return self.model is not self.tunable


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done.

    Args:
        candidates, excluded: what is tried, what not and why.
        workload: what each is measured with.
        objective: what is sought.
        strategy: what chooses among the candidates, where nothing is predicted.
        predictor: where they are predicted first; None where not.
        calibration: what that runs on.
    """

    candidates: tuple[Candidate, ...]
    excluded: tuple[Exclusion, ...]
    workload: Workload
    objective: Objective
    strategy: StrategyOf
    predictor: Predictor | None = None
    calibration: Calibration | None = None


def planned(
    asked: Asked,
    *,
    calibration: Calibration | None,
    predictor: Predictor | None,
    inputs: Mapping[str, Any] | None,
    progress: bool | Report,
) -> Plan:
    """Fills in what the call left open; calibrates where that is needed, and only then.

    Raises:
        InvalidArgumentError: nothing to try, or options that make no sense.
    """
    if isinstance(asked.strategy, str) and asked.strategy not in STRATEGY_NAMES:
        raise InvalidArgumentError(f"no strategy {asked.strategy!r}; there are {', '.join(STRATEGY_NAMES)}")
    objective = _objective(asked)
    if calibration is None and "auto" in {asked.space if isinstance(asked.space, str) else "", asked.workload}:
        calibration = _calibrated(asked, (), inputs, progress)
    space = _space(asked, calibration)
    candidates, excluded = _split(asked, space)
    workload = _workload(asked, candidates, calibration)
    strategy = asked.strategy if not isinstance(asked.strategy, str) else STRATEGIES.get(asked.strategy)
    plan = Plan(candidates, excluded, workload, objective, strategy or SuccessiveHalving)
    if not _is_predicted(asked, objective, len(candidates), has_predictor=bool(predictor or calibration)):
        return plan
    if predictor is None and calibration is None:
        calibration = _calibrated(asked, candidates, inputs, progress)
    known = _with_base(asked, candidates)
    return replace(
        plan, candidates=known, predictor=predictor or Simulator(_known(calibration)), calibration=calibration
    )


def _with_base(asked: Asked, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The model as it is has to be among them, to be compared with, unless a constraint forbids it."""
    base = asked.tunable.base
    is_allowed = base not in candidates and not asked.constraints.objection(base.count)
    return (*candidates, base) if is_allowed else candidates


def _is_predicted(asked: Asked, objective: Objective, candidates: int, *, has_predictor: bool) -> bool:
    if asked.strategy == "predict":
        return True
    if asked.strategy != "auto" or _weighs_memory(objective):
        return False
    return has_predictor or (asked.can_be_calibrated and candidates > asked.most)


def _weighs_memory(objective: Objective) -> bool:
    """A simulation knows nothing of memory."""
    return isinstance(objective, LowestMemory) or (isinstance(objective, Weighted) and "memory" in objective.weights)


def _objective(asked: Asked) -> Objective:
    if not isinstance(asked.objective, str):
        return asked.objective
    name = asked.objective
    if name == "auto":
        name = _usual(asked.workload)
    named = {"goodput": Goodput, "p99": LowestP99, "throughput": HighestThroughput, "memory": LowestMemory}
    if name not in named:
        raise InvalidArgumentError(f"no objective {name!r}; there are {', '.join(named)}")
    made: Objective = named[name](asked.slo_p99_ms)
    return made


def _usual(workload: Workload | str) -> str:
    if isinstance(workload, str):
        return "goodput"
    return "p99" if workload.is_open_loop else "throughput"


def _calibrated(
    asked: Asked,
    candidates: Sequence[Candidate],
    inputs: Mapping[str, Any] | None,
    progress: bool | Report,  # noqa: FBT001 - as `sweep` takes it
) -> Calibration:
    """Up to the sizes and instances of the candidates; of the model's own size where there are none yet."""
    if not asked.can_be_calibrated:
        raise InvalidArgumentError("only a model of a server can be calibrated: give a calibration or a predictor")
    found = calibrate(
        asked.model,
        inputs=inputs,
        max_batch_size=max((one.max_batch_size for one in candidates), default=0),
        instances=max((one.count for one in candidates), default=_MOST_INSTANCES),
        progress=progress,
    )
    if not isinstance(found, Calibration):
        raise InvalidArgumentError(f"{asked.model.name!r} is an ensemble: sweep the models of its steps one by one")
    return found


def _known(calibration: Calibration | None) -> Calibration:
    if calibration is None:
        raise InvalidArgumentError("space and workload are left to the calibration, and there is none: give one")
    return calibration


def _space(asked: Asked, calibration: Calibration | None) -> SearchSpace:
    if isinstance(asked.space, str):
        return default_space(asked.tunable.base, _known(calibration), slo_p99_ms=asked.slo_p99_ms)
    return SearchSpace.of(asked.space)


def _split(asked: Asked, space: SearchSpace) -> tuple[tuple[Candidate, ...], tuple[Exclusion, ...]]:
    def objection(candidate: Candidate) -> str:
        return asked.constraints.objection(candidate.count) or asked.tunable.objection(candidate)

    candidates, excluded = space.split(asked.tunable.base, objection=objection)
    if not candidates:
        raise InvalidArgumentError("nothing to try: " + "; ".join(sorted({e.reason for e in excluded})))
    return candidates, excluded


def _workload(asked: Asked, candidates: Sequence[Candidate], calibration: Calibration | None) -> Workload:
    """Half of what the best candidate could answer, for as long as a p99 needs requests."""
    if isinstance(asked.workload, Workload):
        return asked.workload
    known = _known(calibration)
    most = max(capacity(known, max(one.max_batch_size, 1), instances=one.count) for one in candidates)
    rate = 2.0 ** math.floor(math.log2(most / 2))
    return Workload(rate=rate, duration_s=min(max(_SAMPLES / most, _SHORTEST_S), _LONGEST_S))
