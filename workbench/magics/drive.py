# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%drive`: load on a model, measured."""

from __future__ import annotations

from workbench.load import DRIVE_OPTIONS, Measurement, RemoteModel, drive_arguments
from workbench.load import drive as run_drive
from workbench.magics.arguments import head_and_inputs, model_named, user_variables
from workbench.magics.declare import argument, magic_arguments, parse_argstring


def drive(line: str) -> Measurement:
    """Send load to a model and measure it; `%drive identity --rate 2000`."""
    head, inputs = head_and_inputs(line, user_variables())
    args = parse_argstring(drive, head)
    options = drive_arguments(args)
    if inputs:
        options["inputs"] = inputs
    model = RemoteModel(args.url, args.model) if args.url else model_named(args.model, args.server)
    return run_drive(model, **options, progress=True)


# The one outside comes first.
drive = argument("--server", default="default", help="the server's name")(drive)
drive = argument("--url", help="a server elsewhere, such as http://localhost:8000 or grpc://localhost:8001")(drive)
for _name, _settings in reversed(DRIVE_OPTIONS):
    drive = argument(_name, **_settings)(drive)
drive = argument("inputs", nargs="*", help="NAME=value: a variable, JSON, an expression or a text")(drive)
drive = magic_arguments()(argument("model", help="name, or name:version")(drive))
