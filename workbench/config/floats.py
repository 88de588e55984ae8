# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of single precision, which the configuration keeps its fractions in."""

from __future__ import annotations

import math
import struct


def shortest_float(value: float) -> float:
    """The number with the fewest decimals that single precision keeps as `value`: 0.1 for 0.10000000149011612."""
    if not math.isfinite(value):
        return value
    stored = _single(value)
    return next((short for digits in range(6, 10) if _single(short := float(f"{stored:.{digits}g}")) == stored), stored)


def _single(value: float) -> float:
    single: float = struct.unpack("f", struct.pack("f", value))[0]
    return single
