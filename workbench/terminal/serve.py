# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`serve`: a server with its doors open, until it is told to end."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from typing import Any, Final

from workbench.server import Server
from workbench.terminal.lifetime import serve_until_signal
from workbench.terminal.output import Output
from workbench.terminal.serve_flags import add_flags
from workbench.terminal.serve_plan import ServePlan, plan_of

_LINE: Final = "%(levelname).1s %(asctime)s %(name)s: %(message)s"


def register(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser(
        "serve",
        help="load models and serve them over HTTP and gRPC until interrupted",
        description="Serve models until SIGINT or SIGTERM, which lets requests in flight end; a second one hurries.",
        allow_abbrev=False,
    )
    add_flags(parser)
    parser.add_argument("--json", action="store_true", help="print models and doors as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Serve until a signal; the exit status is 1 where requests were given up."""
    # Until the server stands, the one signal ends the command as the other does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    plan = plan_of(arguments)
    _show_log(plan)
    server = Server(**plan.server)
    try:
        _open(server, plan, output, with_doors=not arguments.once)
    except BaseException:
        server.close()
        raise
    return int(not server.close()) if arguments.once else serve_until_signal(server)


def _show_log(plan: ServePlan) -> None:
    """On standard error, where no file was named."""
    logger = logging.getLogger("workbench")
    logger.setLevel(logging.DEBUG if plan.log["log_verbose_level"] else logging.INFO)
    if not plan.log["log_file"] and not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(_LINE))
        logger.addHandler(handler)


def _open(server: Server, plan: ServePlan, output: Output, *, with_doors: bool) -> None:
    """Print the models, and one line that says where they are served; as JSON, one document of both."""
    server.log_settings(**plan.log)
    if plan.trace:
        server.trace(**plan.trace)
    doors = [getattr(server, name)(**options) for name, options in plan.doors.items() if with_doors]
    urls = {door.kind: door.url for door in doors}
    index = server.index()
    output.result({"models": index.facts(), "doors": urls}, index, index.table())
    if with_doors:
        output.note("ready: " + (", ".join(f"{kind} {url}" for kind, url in urls.items()) or "no doors"))
