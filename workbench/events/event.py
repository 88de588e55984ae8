# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The event record: the numpy twin of the core's `Event`, and its enumerations.

Times are nanoseconds of the steady clock. What a field holds depends on `kind`:

- request, refused: `arrival_ns`, `start_ns` (execution), `compute_start_ns`, `compute_end_ns`, `end_ns`; `id` = serial
  number of the request; `batch` = serial number of its execution on that instance; `count` = requests of that
  execution; `rows` = batch rows of the request; `detail` = BatchReason; `status` = StatusCode.
- batch: `arrival_ns` of its oldest request, the other times as above; `id` = 0; `count` = requests; `rows` of all of
  them; `detail` = BatchReason.
- memory: `arrival_ns` = when; `start_ns` = bytes; `compute_start_ns` = address; `compute_end_ns` and `end_ns` = live
  and reserved bytes of the pool after; `model` = owner or 0; `instance` = number of the pool.
- model state: `arrival_ns` = when; `detail` = ModelState.
- step: `arrival_ns` of the step's request; `id` = its serial number; `start_ns` = serial number of the ensemble's
  request; `model` = the ensemble; `instance` = number of the step. The request of an ensemble has `count` 0: no
  instance executes it. Nor one that is answered out of the response cache, whose `detail` is CACHED.
- sequence: `arrival_ns` of the request; `start_ns` = correlation id, or the hash of its text; `compute_start_ns` = when
  the sequence got its slot; `compute_end_ns` = when its request before was done, 0 where there was none; `end_ns` = the
  latest of the three, from when on it waited for its batch; `id` = serial number of the request; `batch` = its place in
  the sequence, from 0; `rows` = slot; `model`, `instance`; `detail` = SequenceFlag.
- sequence name: `id` = a text's hash; `rows` = where in the text this part begins; `count` = bytes of the text;
  `start_ns` to `end_ns` = 32 bytes of it.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

import numpy as np
from numpy.typing import NDArray

Records = NDArray[np.void]
"""A one-dimensional array of EVENT_DTYPE."""

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
    """What a record tells."""

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
    STEP = 11
    SEQUENCE = 12
    SEQUENCE_NAME = 13


class BatchReason(IntEnum):
    """Why a batch left the queue."""

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
    CACHED = 10


class SequenceFlag(IntFlag):
    """What the `detail` of a request of a sequence tells."""

    START = 1
    END = 2
    TEXT = 4
    OWN_ID = 8


class ModelState(IntEnum):
    """Where a version of a model is in its life."""

    UNKNOWN = 0
    LOADING = 1
    READY = 2
    UNLOADING = 3
    UNAVAILABLE = 4


class StatusCode(IntEnum):
    """How a request ended: success, or the status of its error."""

    OK = 0
    UNKNOWN = 1
    INTERNAL = 2
    NOT_FOUND = 3
    INVALID_ARG = 4
    UNAVAILABLE = 5
    UNSUPPORTED = 6
    ALREADY_EXISTS = 7
    CANCELLED = 8
