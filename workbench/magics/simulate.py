# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%simulate`: what a model would do with other settings."""

from __future__ import annotations

from typing import Any

from workbench.calibrate import load_calibration
from workbench.calibrate import what_if as ask
from workbench.magics.arguments import model_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.simulate import Prediction
from workbench.sweep import parse_sizes

_FIELDS = ("max_batch_size", "preferred_batch_size", "max_queue_delay_microseconds", "count")


@magic_arguments()
@argument("model", help="name, or name:version")
@argument("--rate", type=float, required=True, help="requests per second, Poisson arrivals")
@argument("--max_batch_size", type=int, help="of the configuration, instead of the model's")
@argument("--preferred_batch_size", type=parse_sizes, metavar="SIZES", help="such as 4,8; max for the largest alone")
@argument("--max_queue_delay_microseconds", type=int, help="of the configuration, instead of the model's")
@argument("--count", type=int, help="instances of each group, instead of the model's")
@argument("--requests", type=int, default=50_000, help="how many are simulated")
@argument("--seed", type=int, default=1, help="of the arrivals")
@argument("--calibration", default="", metavar="FILE", help="service times; measured, once, without")
@argument("--server", default="default", help="the server's name")
def simulate(line: str) -> Prediction:
    """Predict what a model would do; `%simulate m --rate 2000 --max_queue_delay_microseconds 500`."""
    args = parse_argstring(simulate, line)
    fields: dict[str, Any] = {name: getattr(args, name) for name in _FIELDS if getattr(args, name) is not None}
    calibration = load_calibration(args.calibration) if args.calibration else None
    options = {"rate": args.rate, "requests": args.requests, "seed": args.seed}
    return ask(model_named(args.model, args.server), calibration=calibration, progress=True, **options, **fields)
