# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What the load generator writes down: one record for each request, one for each look of its observer.

Times are nanoseconds since the start of the run. The layouts are those of `native/src/load/recorder.h`.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

RECORD_DTYPE: Final = np.dtype(
    [("intended_ns", "<i8"), ("sent_ns", "<i8"), ("done_ns", "<i8"), ("status", "<u4"), ("spare", "<u4")]
)
"""`done_ns` is 0 where no answer came; `status` is 0 for success, else one more than the C interface's code."""

OBSERVATION_DTYPE: Final = np.dtype([("at_ns", "<i8"), ("late_ns", "<u4"), ("in_flight", "<u4")])
"""`late_ns`: how much later than asked for the observer woke; `in_flight`: requests the served side held."""

Records: TypeAlias = NDArray[Any]
Observations: TypeAlias = NDArray[Any]

STATUS_NAMES: Final = (
    "OK",
    "UNKNOWN",
    "INTERNAL",
    "NOT_FOUND",
    "INVALID_ARG",
    "UNAVAILABLE",
    "UNSUPPORTED",
    "ALREADY_EXISTS",
    "CANCELLED",
)
"""Names of `status`, by value."""
