# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""One event: the twin of native/src/events/event.h, which says what the fields mean for each kind."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

EVENT_DTYPE: Final = np.dtype(
    [
        ("arrival_ns", "<u8"),
        ("start_ns", "<u8"),
        ("compute_start_ns", "<u8"),
        ("compute_end_ns", "<u8"),
        ("end_ns", "<u8"),
        ("id", "<u8"),
        ("batch", "<u4"),
        ("rows", "<u2"),
        ("model", "<u2"),
        ("count", "<u2"),
        ("instance", "u1"),
        ("kind", "u1"),
        ("detail", "u1"),
        ("status", "u1"),
        ("priority", "u1"),
        ("spare", "u1"),
    ]
)


class EventKind(IntEnum):
    """What a record is about."""

    REQUEST = 1
    REFUSED = 2
    BATCH = 3
    ALLOCATED = 4
    FREED = 5
    POOL_GROWN = 6
    POOL_SHRUNK = 7
    FALLBACK = 8
    ALLOCATION_FAILED = 9
    MODEL_STATE = 10


class BatchReason(IntEnum):
    """Why a batch left the queue. The list is closed; values are kept in recordings."""

    NONE = 0
    DIRECT = 1
    FULL = 2
    PREFERRED = 3
    DELAY_EXPIRED = 4
    INSTANCE_FREE = 5
    SHAPE_MISMATCH = 6
    CUSTOM = 7
    SEQUENCE = 8
    SHUTDOWN = 9


class ModelState(IntEnum):
    """States of a model, as `detail` of a MODEL_STATE record."""

    UNKNOWN = 0
    LOADING = 1
    READY = 2
    UNLOADING = 3
    UNAVAILABLE = 4
