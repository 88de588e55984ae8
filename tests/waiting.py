# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Waiting for what other threads do, where there is nothing to be told by."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(holds: Callable[[], object], *, seconds: float = 20) -> None:
    """Until the condition holds; fails when it does not in that time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)
