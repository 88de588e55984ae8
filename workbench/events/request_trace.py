# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Traces of single requests: when each passed which point, and its tensors where they were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TracedTensor:
    """A tensor at one point of a request's way; `data` is its bytes on the wire, none where they could not be read."""

    activity: str
    name: str
    datatype: str
    shape: tuple[int, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """What was heard of one request.

    Attributes:
        id: number of the trace in this process; `parent_id` is that of the request that this one is a part of, 0: none.
        timestamps: names of activities, and nanoseconds of the steady clock; as they came.
        tensors: at the points where they were shown.
    """

    id: int
    parent_id: int
    model_name: str
    model_version: int
    request_id: str
    timestamps: tuple[tuple[str, int], ...]
    tensors: tuple[TracedTensor, ...]

    def ns(self, activity: str) -> int | None:
        """When the request passed that point; None where that was not heard."""
        return next((ns for name, ns in self.timestamps if name == activity), None)

    def span_ns(self, begin: str, end: str) -> int | None:
        """Nanoseconds between two points; None where one was not heard."""
        first, last = self.ns(begin), self.ns(end)
        return None if first is None or last is None else last - first

    def __str__(self) -> str:
        origin = self.timestamps[0][1] if self.timestamps else 0
        points = ", ".join(f"{name} {(ns - origin) / 1e3:.0f} us" for name, ns in self.timestamps)
        return f"trace {self.id} of {self.model_name} v{self.model_version}: {points or 'no timestamps'}"


def trace_of(row: Mapping[str, Any]) -> RequestTrace:
    """The trace that a record of the core tells."""
    return RequestTrace(
        id=row["id"],
        parent_id=row["parent_id"],
        model_name=row["model_name"],
        model_version=row["model_version"],
        request_id=row["request_id"],
        timestamps=tuple((name, ns) for name, ns in row["timestamps"]),
        tensors=tuple(TracedTensor(**tensor) for tensor in row["tensors"]),
    )
