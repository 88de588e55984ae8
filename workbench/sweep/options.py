# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The options of a sweep on a command line: the same words for the magic and for the terminal."""

from __future__ import annotations

import math
from typing import Any, Final

from workbench.load import ARRIVAL_KINDS, Workload
from workbench.sweep.analyzer_config import read_analyzer_config
from workbench.sweep.planning import OBJECTIVES, STRATEGY_NAMES
from workbench.sweep.score import Constraints
from workbench.sweep.space import parse_sizes, parse_switch, space_of_options

SWEEP_OPTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("--max_batch_size", {"type": int, "nargs": "+", "default": [], "help": "sizes to try"}),
    ("--preferred_batch_size", {"type": parse_sizes, "nargs": "+", "default": [], "help": "lists: max 4 4,8"}),
    ("--max_queue_delay_microseconds", {"type": int, "nargs": "+", "default": [], "help": "delays to try"}),
    ("--count", {"type": int, "nargs": "+", "default": [], "help": "instance counts to try"}),
    ("--dynamic_batching", {"type": parse_switch, "nargs": "+", "default": [], "help": "on, off or both"}),
    ("--priority_levels", {"type": int, "nargs": "+", "default": [], "help": "numbers of levels to try"}),
    ("--rate", {"type": float, "default": 0.0, "help": "open loop: requests per second"}),
    ("--concurrency", {"type": int, "default": 0, "help": "closed loop: requests in flight"}),
    ("--arrivals", {"default": "poisson", "choices": ARRIVAL_KINDS, "help": "of the open loop"}),
    ("--duration", {"type": float, "default": 2.0, "metavar": "SECONDS", "help": "of one measurement"}),
    ("--seed", {"type": int, "default": 1, "help": "of arrivals and inputs"}),
    ("--slo", {"type": float, "default": math.inf, "metavar": "MS", "help": "the p99 to keep to"}),
    ("--least", {"type": float, "default": 0.0, "metavar": "PER_SECOND", "help": "fewest answers per second"}),
    ("--most_memory", {"type": float, "default": math.inf, "metavar": "BYTES", "help": "most that the model holds"}),
    ("--objective", {"default": "auto", "choices": OBJECTIVES, "help": "what is sought"}),
    ("--strategy", {"default": "auto", "choices": STRATEGY_NAMES, "help": "what is measured, for how long"}),
    ("--most", {"type": int, "default": 8, "help": "candidates to measure once all are predicted"}),
    ("--model_analyzer", {"default": "", "metavar": "FILE", "help": "takes space and objective from its YAML file"}),
    ("--checkpoint", {"default": "", "metavar": "FILE", "help": "keeps every trial; goes on where a sweep stopped"}),
)
"""Names and settings, as `argparse` takes them."""


def sweep_arguments(options: Any) -> dict[str, Any]:
    """The arguments of `sweep` that parsed options spell; space and load come from a calibration where none is told."""
    space = space_of_options(options)
    given: dict[str, Any] = {
        "space": space if space.names else "auto",
        "workload": _workload(options) if options.rate or options.concurrency else "auto",
        "slo_p99_ms": options.slo,
        "constraints": Constraints(throughput=options.least, memory_bytes=options.most_memory),
        "objective": options.objective,
        "strategy": options.strategy,
        "most": options.most,
        "checkpoint": options.checkpoint,
    }
    if options.model_analyzer:
        given |= read_analyzer_config(options.model_analyzer, options.model.partition(":")[0]).arguments()
    return given


def _workload(options: Any) -> Workload:
    return Workload(
        rate=options.rate,
        concurrency=options.concurrency,
        arrivals=options.arrivals,
        duration_s=options.duration,
        seed=options.seed,
    )
