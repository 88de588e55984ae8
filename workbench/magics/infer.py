# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""`%infer`: one request."""

from __future__ import annotations

from workbench.magics.arguments import head_and_inputs, model_named, user_variables
from workbench.magics.declare import argument, magic_arguments, parse_argstring
from workbench.server import Reply


@magic_arguments()
@argument("model", help="name, or name:version")
@argument("--id", default="", help="id of the request, for explain")
@argument("--server", default="default", help="the server's name")
def infer(line: str) -> Reply:
    """Send one request and show its reply: `%infer identity INPUT0=[1,2,3]`.

    Further words are inputs, NAME=value: a variable, JSON, a Python expression or a text.
    """
    head, inputs = head_and_inputs(line, user_variables())
    args = parse_argstring(infer, head)
    return model_named(args.model, args.server).infer(inputs, request_id=args.id)
