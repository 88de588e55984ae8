# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Metrics of a model on the server's page, and its words in the server's log."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from workbench.python_backend.exceptions import TritonModelException
from workbench.python_backend.services import NativeMetric, current

_KINDS: Final = ("COUNTER", "GAUGE", "HISTOGRAM")
_NO_LABELS: Final[Mapping[str, str]] = {}


class Metric:
    """One metric of a family. Threads: any."""

    __slots__ = ("_native",)

    def __init__(self, native: NativeMetric) -> None:
        self._native = native

    def increment(self, value: float) -> None:
        """Add; a counter takes no negative value."""
        self._native.increment(value)

    def set(self, value: float) -> None:
        """Set a gauge."""
        self._native.set(value)

    def observe(self, value: float) -> None:
        """Count a value into a histogram."""
        self._native.observe(value)

    def value(self) -> float:
        """The value of a counter or a gauge."""
        return self._native.value()


class MetricFamily:
    """Metrics of one name, told apart by labels.

    Args:
        name: on the page, such as `requests_total`.
        description: the help text on the page.
        kind: MetricFamily.COUNTER, GAUGE or HISTOGRAM.
    """

    COUNTER: Final = 0
    GAUGE: Final = 1
    HISTOGRAM: Final = 2

    __slots__ = ("_kind", "_native")

    def __init__(self, name: str, description: str, kind: int) -> None:
        if kind not in range(len(_KINDS)):
            raise TritonModelException(f"no kind {kind!r} of metric; there are MetricFamily.{', '.join(_KINDS)}")
        self._native = current().family(name, description, kind)
        self._kind = kind

    def Metric(self, labels: Mapping[str, str] = _NO_LABELS, buckets: Sequence[float] = ()) -> Metric:  # noqa: N802
        """The metric with these labels; a histogram needs the upper bounds of its buckets."""
        if bool(buckets) != (self._kind == self.HISTOGRAM):
            raise TritonModelException("a histogram needs buckets, ascending upper bounds; other kinds have none")
        return Metric(self._native.metric(dict(labels), list(buckets)))


class Logger:
    """Writes to the server's log, with the place of the caller."""

    INFO: Final = 0
    WARNING: Final = 1
    ERROR: Final = 2
    VERBOSE: Final = 3

    @classmethod
    def log(cls, message: str, level: int = INFO) -> None:
        """Write at a level."""
        _log(level, message)

    @classmethod
    def log_info(cls, message: str) -> None:
        """Write at level INFO."""
        _log(cls.INFO, message)

    @classmethod
    def log_warn(cls, message: str) -> None:
        """Write at level WARNING."""
        _log(cls.WARNING, message)

    @classmethod
    def log_error(cls, message: str) -> None:
        """Write at level ERROR."""
        _log(cls.ERROR, message)

    @classmethod
    def log_verbose(cls, message: str) -> None:
        """Write at level VERBOSE."""
        _log(cls.VERBOSE, message)


def _log(level: int, message: str) -> None:
    frame = sys._getframe(2)  # noqa: SLF001 - the way to who calls
    current().log(level, str(message), frame.f_code.co_filename, frame.f_lineno)
