# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What each instance did: its executions on a lane, and who waited for them. Pure functions over batches."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from workbench.events import taken_at
from workbench.views.latency import between_ns
from workbench.views.records import Records, joined

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Thinned:
    """Which of many batches are drawn.

    Attributes:
        kept: their positions, ascending.
        total: how many there were.
        whole_from_ns: batches that started from here on are all kept, so that a close-up of that time has no holes.
    """

    kept: Indices
    total: int
    whole_from_ns: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return len(self.kept) == self.total


def thin(batches: Records, *, limit: int) -> Thinned:
    """Chooses at most `limit` batches to draw: half evenly, the slowest always, and the newest without a gap.

    The slowest are those with the longest wait and the longest execution: thinning must not hide them.
    """
    total = len(batches)
    by_start = np.argsort(batches["start_ns"], kind="stable")
    if total <= limit:
        first = int(batches["start_ns"].min()) if total else 0
        return Thinned(kept=np.arange(total), total=total, whole_from_ns=first)
    extremes = max(limit // 16, 1)
    newest = by_start[-max(limit * 3 // 8, 1) :]
    even = by_start[np.linspace(0, total - 1, max(limit // 2, 1)).astype(np.int64)]
    waited = _largest(between_ns(batches, "arrival_ns", "start_ns"), extremes)
    executed = _largest(between_ns(batches, "start_ns", "end_ns"), extremes)
    kept = np.unique(np.concatenate([even, newest, waited, executed]))
    return Thinned(kept=kept, total=total, whole_from_ns=int(batches["start_ns"][newest[0]]))


def waiting_fan(requests: Records, *, limit: int, whole_from_ns: int = 0) -> Records:
    """The requests whose wait is drawn above their batch: all that started in the gapless part, the rest evenly."""
    if len(requests) <= limit:
        return requests
    ordered = taken_at(requests, np.argsort(requests["start_ns"], kind="stable"))
    whole = ordered[ordered["start_ns"] >= whole_from_ns][-limit // 2 :]
    rest = ordered[: len(ordered) - len(whole)]
    even = np.linspace(0, len(rest) - 1, min(limit - len(whole), len(rest))).astype(np.int64)
    return joined([rest.take(even), whole])


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What is drawn of some batches and their requests.

    Attributes:
        batches, requests: the records that are drawn.
        batch_total: batches that they were chosen from.
        whole_from_ns: from here on there is no gap.
        encoded: as in a `View`.
    """

    batches: Records
    requests: Records
    batch_total: int
    whole_from_ns: int
    encoded: dict[tuple[int, int], tuple[bytes, bytes]] = field(default_factory=dict)


def drawn_of(batches: Records, requests: Records, *, most_batches: int, most_requests: int) -> Drawn:
    """At most so many batches, and so many of the requests that waited for them."""
    chosen = thin(batches, limit=most_batches)
    fan = waiting_fan(requests, limit=most_requests, whole_from_ns=chosen.whole_from_ns)
    return Drawn(batches.take(chosen.kept), fan, chosen.total, chosen.whole_from_ns)


def _largest(values: NDArray[np.float64], count: int) -> Indices:
    return np.argpartition(values, len(values) - count)[-count:]
