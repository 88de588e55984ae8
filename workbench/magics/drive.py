# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%drive`: load on a model, measured."""

from __future__ import annotations

from workbench.load import ARRIVAL_KINDS, Measurement
from workbench.load import drive as run_drive
from workbench.magics.arguments import head_and_inputs, model_named, user_variables
from workbench.magics.declare import argument, magic_arguments, parse_argstring


@magic_arguments()
@argument("model", help="name, or name:version")
@argument("inputs", nargs="*", help="NAME=value: a variable, JSON, an expression or a text; made up without")
@argument("--rate", type=float, help="open loop: requests per second")
@argument("--concurrency", type=int, help="closed loop: requests in flight")
@argument("--arrivals", default="poisson", choices=ARRIVAL_KINDS, help="of the open loop")
@argument("--duration", type=float, default=5.0, metavar="SECONDS", help="how long requests are sent")
@argument("--seed", type=int, default=1, help="of arrivals and made up inputs")
@argument("--server", default="default", help="the server's name")
def drive(line: str) -> Measurement:
    """Send load to a model and measure it; `%drive identity --rate 2000`."""
    head, inputs = head_and_inputs(line, user_variables())
    args = parse_argstring(drive, head)
    return run_drive(
        model_named(args.model, args.server),
        inputs=inputs or None,
        rate=args.rate,
        concurrency=args.concurrency,
        arrivals=args.arrivals,
        duration_s=args.duration,
        seed=args.seed,
        progress=True,
    )
