# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`sweep`: the configuration that serves best, and a repository with it."""

from __future__ import annotations

import argparse
import math
from typing import Any

from workbench.export import export
from workbench.load import Workload
from workbench.server import Server
from workbench.sweep import STRATEGY_NAMES, parse_sizes, space_of_options, sweep


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser("sweep", help="find the configuration that serves best within a latency objective")
    parser.add_argument("repository", help="folder of models")
    parser.add_argument("model", help="the model")
    parser.add_argument("--backends", action="append", default=[], metavar="FOLDER", help="a folder of backends")
    parser.add_argument("--max_batch_size", type=int, nargs="+", default=[], help="sizes to try")
    parser.add_argument("--preferred_batch_size", type=parse_sizes, nargs="+", default=[], help="such as max 4 4,8")
    parser.add_argument("--max_queue_delay_microseconds", type=int, nargs="+", default=[], help="delays to try")
    parser.add_argument("--count", type=int, nargs="+", default=[], help="instance counts to try")
    parser.add_argument("--rate", type=float, default=0.0, help="open loop: requests per second")
    parser.add_argument("--concurrency", type=int, default=0, help="closed loop: requests in flight")
    parser.add_argument("--duration", type=float, default=2.0, metavar="SECONDS", help="of one measurement")
    parser.add_argument("--slo", type=float, default=math.inf, metavar="MS", help="the p99 to keep to")
    parser.add_argument("--objective", default="auto", choices=("auto", "goodput", "p99", "throughput"))
    parser.add_argument("--strategy", default="auto", choices=STRATEGY_NAMES)
    parser.add_argument("--checkpoint", default="", metavar="FILE", help="goes on where a sweep stopped")
    parser.add_argument("--export", default="", metavar="FOLDER", help="write the best as a model repository")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the ranking; the exit status is 2 where nothing met the objective."""
    with Server(arguments.repository, name="sweep", backends=arguments.backends) as server:
        model = server.load(arguments.model)
        study = sweep(
            model,
            space=space_of_options(arguments),
            workload=Workload(rate=arguments.rate, concurrency=arguments.concurrency, duration_s=arguments.duration),
            slo_p99_ms=arguments.slo,
            objective=arguments.objective,
            strategy=arguments.strategy,
            checkpoint=arguments.checkpoint,
        )
        print(study)
        if arguments.export:
            print(export(study, arguments.export, model=model))
    return 0 if study.best.is_feasible else 2
