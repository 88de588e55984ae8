# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%sweep`: the configuration that serves best within a latency objective."""

from __future__ import annotations

import math

from workbench.load import Workload
from workbench.magics.arguments import model_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.sweep import STRATEGY_NAMES, Study, parse_sizes, space_of_options
from workbench.sweep import sweep as run_sweep


@magic_arguments()
@argument("model", help="name, or name:version")
@argument("--max_batch_size", type=int, nargs="+", default=[], help="sizes to try")
@argument("--preferred_batch_size", type=parse_sizes, nargs="+", default=[], help="lists to try, such as max 4 4,8")
@argument("--max_queue_delay_microseconds", type=int, nargs="+", default=[], help="delays to try")
@argument("--count", type=int, nargs="+", default=[], help="instance counts to try")
@argument("--rate", type=float, default=0.0, help="open loop: requests per second")
@argument("--concurrency", type=int, default=0, help="closed loop: requests in flight")
@argument("--duration", type=float, default=2.0, metavar="SECONDS", help="of one measurement")
@argument("--slo", type=float, default=math.inf, metavar="MS", help="the p99 to keep to")
@argument("--objective", default="auto", choices=("auto", "goodput", "p99", "throughput"), help="what is sought")
@argument("--strategy", default="auto", choices=STRATEGY_NAMES, help="what is measured, for how long")
@argument("--checkpoint", default="", metavar="FILE", help="keeps every trial; goes on where a sweep stopped")
@argument("--server", default="default", help="the server's name")
def sweep(line: str) -> Study:
    """Find the best configuration; `%sweep m --max_batch_size 1 8 --count 1 2 --rate 2000 --slo 5`."""
    args = parse_argstring(sweep, line)
    return run_sweep(
        model_named(args.model, args.server),
        space=space_of_options(args),
        workload=Workload(rate=args.rate, concurrency=args.concurrency, duration_s=args.duration),
        slo_p99_ms=args.slo,
        objective=args.objective,
        strategy=args.strategy,
        checkpoint=args.checkpoint,
    )
