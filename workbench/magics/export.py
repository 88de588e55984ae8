# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%export`: a model repository for the real server."""

from __future__ import annotations

from workbench.export import ExportedRepository
from workbench.export import export as write_repository
from workbench.magics.arguments import model_named, user_variables
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.sweep import Study, Trial


@magic_arguments()
@argument("what", help="a variable that holds a study or a trial, or a model's name")
@argument("folder", help="the model repository to write")
@argument("--server", default="default", help="the server's name")
def export(line: str) -> ExportedRepository:
    """Write what a sweep found, or a model as it is served; `%export study out/tuned`."""
    args = parse_argstring(export, line)
    found = user_variables().get(args.what)
    if isinstance(found, Study | Trial):
        name = found.model
        return write_repository(found, args.folder, model=model_named(name, args.server))
    return write_repository(model_named(args.what, args.server), args.folder)
