# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""A notebook's shell in the process of the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

import workbench as wb
from workbench.server import RUNNING


@contextmanager
def notebook_shell() -> Iterator[Any]:
    """With the magics. Afterwards its servers are closed, and `__main__` is what new processes are made from again."""
    main = sys.modules["__main__"]
    shell = InteractiveShell.instance()
    wb.load_ipython_extension(shell)
    try:
        yield shell
    finally:
        shell.reset()
        RUNNING.close_all()
        InteractiveShell.clear_instance()
        sys.modules["__main__"] = main
