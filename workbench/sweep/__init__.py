# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Search for the configuration that serves best within a latency objective."""

from workbench.sweep.analyzer_config import ImportedSearch, read_analyzer_config
from workbench.sweep.analyzer_results import ForeignResult, read_analyzer_results
from workbench.sweep.candidate import Candidate, QueuePolicy
from workbench.sweep.default_space import default_space
from workbench.sweep.forecast import Forecast, Predictor
from workbench.sweep.goodput import Goodput
from workbench.sweep.journal import Watch
from workbench.sweep.machines import Machines
from workbench.sweep.objective import HighestThroughput, LowestMemory, LowestP99, Objective, Weighted
from workbench.sweep.options import SWEEP_OPTIONS, sweep_arguments
from workbench.sweep.optuna_sampling import OptunaSampling
from workbench.sweep.planning import OBJECTIVES, STRATEGY_NAMES
from workbench.sweep.point import Point, Predicted
from workbench.sweep.score import Constraints, Score
from workbench.sweep.space import Exclusion, SearchSpace, parse_sizes, parse_switch, space_of_options
from workbench.sweep.store import TrialStore
from workbench.sweep.strategy import Grid, Proposal, Strategy, SuccessiveHalving
from workbench.sweep.study import Study
from workbench.sweep.sweep import SweepInterruptedError, sweep
from workbench.sweep.trial import Trial
from workbench.sweep.tunable import Tunable, TunableModel, candidate_of, tuned_config

__all__ = [
    "OBJECTIVES",
    "STRATEGY_NAMES",
    "SWEEP_OPTIONS",
    "Candidate",
    "Constraints",
    "Exclusion",
    "Forecast",
    "ForeignResult",
    "Goodput",
    "Grid",
    "HighestThroughput",
    "ImportedSearch",
    "LowestMemory",
    "LowestP99",
    "Machines",
    "Objective",
    "OptunaSampling",
    "Point",
    "Predicted",
    "Predictor",
    "Proposal",
    "QueuePolicy",
    "Score",
    "SearchSpace",
    "Strategy",
    "Study",
    "SuccessiveHalving",
    "SweepInterruptedError",
    "Trial",
    "TrialStore",
    "Tunable",
    "TunableModel",
    "Watch",
    "Weighted",
    "candidate_of",
    "default_space",
    "parse_sizes",
    "parse_switch",
    "read_analyzer_config",
    "read_analyzer_results",
    "space_of_options",
    "sweep",
    "sweep_arguments",
    "tuned_config",
]
