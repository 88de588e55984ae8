# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from workbench.events import EVENT_DTYPE, EventColumns, EventKind, EventNames, columns

Record = Callable[..., np.ndarray]
MS = 1_000_000


@pytest.fixture
def record() -> Record:
    """Makes one record: `record(EventKind.REQUEST, id=7)`."""

    def make(kind: EventKind, **values: int) -> np.ndarray:
        row = np.zeros(1, EVENT_DTYPE)
        for name, value in {"kind": kind, **values}.items():
            row[name] = value
        return row

    return make


@pytest.fixture
def run(record: Record) -> EventColumns:
    """A batch of seven, a batch of one, a refusal, some memory and a model that became ready."""
    times: dict[str, Any] = {"compute_start_ns": 3 * MS, "compute_end_ns": 9 * MS, "end_ns": 10 * MS}
    seven = {"start_ns": 2 * MS, **times, "batch": 1, "model": 1, "count": 7, "detail": 4}
    alone = {"start_ns": 2 * MS, **times, "batch": 1, "instance": 1, "model": 1, "count": 1, "detail": 5}
    rows = [record(EventKind.MODEL_STATE, model=1, detail=2, arrival_ns=1)]
    rows += [
        record(EventKind.REQUEST, id=serial, rows=1, arrival_ns=100_000 * serial, **seven) for serial in range(1, 8)
    ]
    rows += [record(EventKind.BATCH, rows=7, arrival_ns=100_000, **seven)]
    rows += [record(EventKind.REQUEST, id=8, rows=3, arrival_ns=2 * MS, **alone)]
    rows += [record(EventKind.REFUSED, id=9, model=1, arrival_ns=1 * MS, end_ns=6 * MS, status=5)]
    rows += [record(EventKind.ALLOCATED, model=1, arrival_ns=5, start_ns=64, compute_end_ns=64, end_ns=4096)]
    rows += [record(EventKind.FALLBACK, instance=1, arrival_ns=6, start_ns=128)]
    names = EventNames(models=(("", 0), ("echo", 3)), pools=("pinned", "cpu"))
    return columns(np.concatenate(rows), names=names, next_since=len(rows), dropped=2)
