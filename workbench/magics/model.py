# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%%model`: a cell of config.pbtxt text makes a model."""

from __future__ import annotations

from workbench.magics.arguments import server_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.server import Model


@magic_arguments()
@argument("name", help="the model")
@argument("--write", action="store_true", help="write the text to the model's config.pbtxt too")
@argument("--server", default="default", help="the server's name")
def model(line: str, cell: str) -> Model:
    """Load a model with the configuration of this cell; messages count the cell's own lines."""
    args = parse_argstring(model, line)
    server = server_named(args.server)
    # The magic's own line is the first line of the cell.
    loaded = server.load(args.name, config=f"\n{cell}")
    if args.write:
        server.write_config(args.name, cell)
    return loaded
