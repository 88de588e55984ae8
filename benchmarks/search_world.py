# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A world that is simulated, and unlike what the searches' calibration says of it: `search_table.py --simulated`."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from workbench.config import parse_config
from workbench.load import Workload
from workbench.simulate import Calibration, Simulator
from workbench.sweep import Candidate, Point, tuned_config

PLAIN: Final = """
name: "m" backend: "synthetic" max_batch_size: 32
input [ { name: "I" data_type: TYPE_FP32 dims: [ 16 ] } ] output [ { name: "O" data_type: TYPE_FP32 dims: [ 16 ] } ]
dynamic_batching { } instance_group [ { count: 1 kind: KIND_CPU } ]
"""
"""Any model, as far as batching goes."""


@dataclass(frozen=True)
class Law:
    """Of service time: tau0 + alpha × rows microseconds."""

    name: str
    tau0: int
    alpha: int


LAWS: Final = (
    Law("steep", 1900, 100),  # batching pays much
    Law("one_ms", 900, 100),
    Law("flat", 500, 500),  # batching pays little
    Law("middle", 1200, 200),
    Law("long", 4500, 500),
)


def believed(law: Law) -> Calibration:
    """What a calibration says of it."""
    return Calibration(service_ns={size: 1e3 * (law.tau0 + law.alpha * size) for size in (1, 8, 32)})


def simulating(law: Law, source: random.Random) -> Callable[[Candidate, Workload], Point]:
    """As it is: 3 % off in the service times, 6 % in the contention, 3 % of noise on each p99."""
    factor = 1 + source.gauss(0, 0.03)
    service = {size: time * factor for size, time in believed(law).service_ns.items()}
    simulator = Simulator(Calibration(service_ns=service, contention={1: 1.0, 2: 1 - abs(source.gauss(0, 0.06))}))
    config = parse_config(PLAIN)

    def run(candidate: Candidate, workload: Workload) -> Point:
        tuned = tuned_config(config, candidate)
        p99 = (point := Point.predicted(simulator(tuned, workload), workload)).p99_ms
        return replace(point, p99_ms=p99.scaled(1 + source.gauss(0, 0.03)))

    return run
