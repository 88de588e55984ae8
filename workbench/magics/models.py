# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%models`: the models of the server."""

from __future__ import annotations

from workbench.magics.arguments import server_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.server import ModelIndex


@magic_arguments()
@argument("--ready", action="store_true", help="only those that take requests")
@argument("--server", default="default", help="the server's name")
def models(line: str) -> ModelIndex:
    """Every version of every model with its state, and the shared object that really runs."""
    args = parse_argstring(models, line)
    return server_named(args.server).index(ready=args.ready)
