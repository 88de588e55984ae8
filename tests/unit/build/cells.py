# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Cells for tests: small, on the plain interface, so that they compile in a third of a second."""

from __future__ import annotations

_EXECUTE = """\
extern "C" TRITONSERVER_Error* TRITONBACKEND_ModelInstanceExecute(
    TRITONBACKEND_ModelInstance*, TRITONBACKEND_Request**, const uint32_t) { return nullptr; }
"""


def cell(body: str = "", *, before: str = "") -> str:
    """A backend whose Initialize runs `body`, which stands on the fourth line and after; `before` is the third."""
    head = '#include "triton/core/tritonbackend.h"\n#include <stdlib.h>\n'
    entry = 'extern "C" TRITONSERVER_Error* TRITONBACKEND_Initialize(TRITONBACKEND_Backend*) {'
    initialize = f"{entry}\n{body}\n  return nullptr; }}\n"
    return f"{head}{before or '// nothing'}\n{initialize}{_EXECUTE}"


BODY_LINE = 5
"""The line on which `body` begins."""

WITH_HEADER = """\
#include <workbench/backend.hpp>
struct Echo {
  void Execute(workbench::Request& request) { request.output("OUTPUT0").CopyFrom(request.input("INPUT0")); }
};
WORKBENCH_BACKEND(Echo)
"""
