# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%%model_py`: a cell of a model.py makes a model."""

from __future__ import annotations

from pathlib import Path

from workbench.magics.arguments import server_named, user_variables
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.server import Model


@magic_arguments()
@argument("name", help="the model")
@argument("--config", default="", metavar="VARIABLE", help="a variable with the configuration; else the repository's")
@argument("--file", action="append", default=[], metavar="FILE", help="a further file of the model's version folder")
@argument("--write", action="store_true", help="write the cell to the model's 1/model.py too")
@argument("--server", default="default", help="the server's name")
def model_py(line: str, cell: str) -> Model:
    """Load a Python model of this cell; what serves goes on until it is ready. Messages count the cell's own lines."""
    args = parse_argstring(model_py, line)
    server = server_named(args.server)
    config = user_variables()[args.config] if args.config else None
    files = {f"1/{Path(file).name}": Path(file).read_bytes() for file in args.file}
    # The magic's own line is the first line of the cell.
    loaded = server.load_model_py(args.name, cell, config=config, files=files, first_line=2)
    if args.write:
        server.write_model_py(args.name, cell)
    return loaded
