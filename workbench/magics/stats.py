# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%stats`: the statistics of a model, or of all."""

from __future__ import annotations

from workbench.magics.arguments import model_named, server_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.server import ModelStatistics


@magic_arguments()
@argument("model", nargs="?", help="name, or name:version; all models without")
@argument("--server", default="default", help="the server's name")
def stats(line: str) -> ModelStatistics | tuple[ModelStatistics, ...]:
    """Requests, executions and where the time goes, since the model was loaded."""
    args = parse_argstring(stats, line)
    if args.model:
        return model_named(args.model, args.server).statistics()
    return server_named(args.server).statistics()
