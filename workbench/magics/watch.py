# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%watch`: the live dashboard of a model, or of a server's models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.magics.arguments import model_named, server_named
from workbench.magics.declare import argument, magic_arguments, parse_argstring

if TYPE_CHECKING:
    from workbench.views import MemoryWatch, SideBySide, Watch


@magic_arguments()
@argument("model", nargs="*", help="name, or name:version; several side by side; a choice of all models without")
@argument("--server", default="default", help="the server's name")
@argument("-w", "--window", type=float, default=10.0, metavar="SECONDS", help="width of the time axis")
@argument("-o", "--objective", type=float, default=None, metavar="MS", help="latency that p99 shall stay below")
@argument("-m", "--memory", action="store_true", help="the server's memory pools instead, block by block")
@argument("--no-controls", action="store_true", help="leave out the sliders")
def watch(line: str) -> Watch | SideBySide | MemoryWatch:
    """How long requests wait, how batches form and why, what the memory pools do: live."""
    from workbench import views  # brings the notebook's packages

    args = parse_argstring(watch, line)
    if args.memory:
        return views.watch_memory(server_named(args.server))
    several = [model_named(name, args.server) for name in args.model]
    target = several[0] if len(several) == 1 else several or server_named(args.server)
    return views.watch(target, window_s=args.window, objective_p99_ms=args.objective, controls=not args.no_controls)
