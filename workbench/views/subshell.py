# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Being heard while a cell runs, and belonging to no cell: what ipykernel 7 needs to be told of widgets and threads."""

from __future__ import annotations

import contextvars
from typing import Any

from IPython.core.getipython import get_ipython


def hear_anywhere(widget: Any) -> None:
    """Lets the browser's messages to a widget arrive while a cell runs.

    Since ipykernel 7.2 a message goes to the subshell that spoke last on the widget's comm; for one made by a cell that
    is the shell that runs cells. Without one it goes to the browser's own subshell. Earlier kernels have nothing of it.
    """
    comm = getattr(widget, "comm", None)
    if comm is not None:
        comm.__dict__.pop("_reply_subshell_id", None)


def forget_parent() -> None:
    """On ipykernel 7 messages of a thread go to the cell that ran last in any thread; here they go to none."""
    parent = getattr(getattr(get_ipython(), "kernel", None), "_shell_parent", None)
    if isinstance(parent, contextvars.ContextVar):
        parent.set({})
