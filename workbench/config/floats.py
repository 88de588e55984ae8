# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Fractions, written with as many decimals as they need and no more."""

from __future__ import annotations

import math
import struct

from google.protobuf.descriptor import FieldDescriptor


def shortest(value: float, field: FieldDescriptor) -> float:
    """The number with the fewest decimals that the field keeps as `value`: 0.1 for 0.10000000149011612 in 32 bits."""
    if not math.isfinite(value) or field.cpp_type != FieldDescriptor.CPPTYPE_FLOAT:
        return value
    stored = _single(value)
    return next((short for digits in range(6, 10) if _single(short := float(f"{stored:.{digits}g}")) == stored), stored)


def _single(value: float) -> float:
    single: float = struct.unpack("f", struct.pack("f", value))[0]
    return single
