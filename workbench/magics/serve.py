# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%serve`: a server in the kernel."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.server import Server, current

_SERVER: Final = "default"


@magic_arguments()
@argument("repository", nargs="*", help="folders of models; without one, the server that runs")
@argument("--name", default=_SERVER, help="the server's name in this kernel")
@argument("--control", default="explicit", choices=("explicit", "none", "poll"), help="who loads models")
@argument("--backends", action="append", default=[], help="a folder of backends; may be given again")
@argument("--load", action="append", default=[], help="a model to load at the start, * for all; may be given again")
@argument("--http", type=int, nargs="?", const=0, metavar="PORT", help="open HTTP; a free port where none is told")
@argument("--grpc", type=int, nargs="?", const=0, metavar="PORT", help="open gRPC")
@argument("--metrics", type=int, nargs="?", const=0, metavar="PORT", help="open the metrics page")
@argument("--create", action="store_true", help="make the folder where there is none")
def serve(line: str) -> Server:
    """Start a server; the one that had the name answers what it took and closes."""
    args = parse_argstring(serve, line)
    server = _started(args) if args.repository else current(args.name)
    return server.open_doors(http=args.http, grpc=args.grpc, metrics=args.metrics)


def _started(args: Namespace) -> Server:
    for folder in args.repository if args.create else ():
        Path(folder).mkdir(parents=True, exist_ok=True)
    return Server(
        args.repository, name=args.name, control=args.control, backends=args.backends, startup_models=args.load
    )
