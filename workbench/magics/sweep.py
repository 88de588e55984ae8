# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%sweep`: the configuration that serves best within a latency objective."""

from __future__ import annotations

from workbench.magics.arguments import model_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.sweep import SWEEP_OPTIONS, Study, sweep_arguments
from workbench.sweep import sweep as run_sweep


def sweep(line: str) -> Study:
    """Find the best configuration; `%sweep m --max_batch_size 1 8 --count 1 2 --rate 2000 --slo 5`."""
    args = parse_argstring(sweep, line)
    options = sweep_arguments(args)
    if args.live:
        from workbench.views import shown_sweep  # the notebook's packages

        options["watch"] = shown_sweep()
    study = run_sweep(model_named(args.model, args.server), **options)
    if args.report:
        from workbench.views import report

        report(study, args.report)
    return study


# The one outside comes first.
sweep = argument("--server", default="default", help="the server's name")(sweep)
sweep = argument("--report", default="", metavar="FILE", help="write why it won, .html or .ipynb")(sweep)
sweep = argument("--live", action="store_true", help="show table and parallel coordinates while it runs")(sweep)
for _name, _settings in reversed(SWEEP_OPTIONS):
    sweep = argument(_name, **_settings)(sweep)
sweep = magic_arguments()(argument("model", help="name, or name:version")(sweep))
