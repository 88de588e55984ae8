# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics that a measurement takes the difference of: of one model, or summed over those of a mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from workbench.load.target import Statistics

_DURATIONS: Final = ("success", "queue", "compute_input", "compute_infer", "compute_output")


@dataclass(frozen=True, slots=True)
class Total:
    """How often, and for how long in all."""

    count: int = 0
    ns: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """A snapshot of `Statistics`."""

    success: Total = Total()
    queue: Total = Total()
    compute_input: Total = Total()
    compute_infer: Total = Total()
    compute_output: Total = Total()
    batches: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of_protocol(cls, reply: Mapping[str, Any]) -> Totals:
        """From the statistics extension's reply, in JSON, over all versions that it tells of."""
        return summed(cls._of_version(version) for version in reply.get("model_stats", ()))

    @classmethod
    def _of_version(cls, version: Mapping[str, Any]) -> Totals:
        inference = version.get("inference_stats", {})
        totals = {name: _total(inference.get(name, {})) for name in _DURATIONS}
        sizes = (
            (int(batch.get("batch_size", 0)), int(batch.get("compute_infer", {}).get("count", 0)))
            for batch in version.get("batch_stats", ())
        )
        return cls(**totals, batches=dict(sizes))


def _total(values: Mapping[str, Any]) -> Total:
    return Total(int(values.get("count", 0)), int(values.get("ns", 0)))


def summed(snapshots: Iterable[Statistics]) -> Totals:
    """Over several models."""
    several = list(snapshots)
    batches: Counter[int] = Counter()
    for one in several:
        batches.update(one.batches)
    totals = {name: _sum(getattr(one, name) for one in several) for name in _DURATIONS}
    return Totals(**totals, batches=dict(batches))


def _sum(totals: Iterable[Any]) -> Total:
    several = list(totals)
    return Total(sum(one.count for one in several), sum(one.ns for one in several))
