# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them: three digits at most, a unit that fits the size, never an exponent."""

from __future__ import annotations

import math


def three_digits(value: float) -> str:
    """A number with at most three significant digits, such as "0.42", "4.2", "42", "12.4 k", "1.2 M"."""
    for factor, suffix in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= 0.9995 * factor:
            return _digits(value / factor) + suffix
    return _digits(value)


def duration(seconds: float | None) -> str:
    """Seconds as "850 ns", "12 µs", "1.8 ms" or "2.3 s"; a dash where there are none."""
    if seconds is None or math.isnan(seconds):
        return "–"
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(seconds) >= 0.9995 * factor:
            return f"{_digits(seconds / factor)} {unit}"
    return f"{_digits(seconds / 1e-9)} ns"


def byte_size(count: float) -> str:
    """Bytes as "512 B", "3.1 MiB"."""
    for factor, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= 0.9995 * factor:
            return f"{_digits(count / factor)} {unit}"
    return f"{_digits(count)} B"


def percent(share: float) -> str:
    """A part of one as "62 %"; what is there but below one in a hundred as "<1 %"."""
    if 0 < share < 0.01:
        return "<1 %"
    return f"{share * 100:.0f} %"


def _digits(value: float) -> str:
    size = abs(value)
    decimals = 0 if size >= 99.95 or size == 0 else 1 if size >= 9.995 else 2
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def counted(count: int, noun: str) -> str:
    """A number and its noun: "1 time", "3 times"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
