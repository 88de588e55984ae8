# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Search for the configuration that serves best within a latency objective."""

from workbench.sweep.objective import Goodput, HighestThroughput, LowestP99, Objective, Score
from workbench.sweep.space import Candidate, Exclusion, SearchSpace, parse_sizes, space_of_options
from workbench.sweep.store import TrialStore
from workbench.sweep.strategy import Grid, Proposal, Strategy, SuccessiveHalving
from workbench.sweep.study import Study
from workbench.sweep.sweep import STRATEGIES, SweepInterruptedError, sweep
from workbench.sweep.trial import Point, Trial
from workbench.sweep.tunable import Tunable, TunableModel, candidate_of, tuned_config

__all__ = [
    "STRATEGIES",
    "Candidate",
    "Exclusion",
    "Goodput",
    "Grid",
    "HighestThroughput",
    "LowestP99",
    "Objective",
    "Point",
    "Proposal",
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
    "candidate_of",
    "parse_sizes",
    "space_of_options",
    "sweep",
    "tuned_config",
]
