# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which slice of time the lanes show on paper, so that single batches can be seen."""

from __future__ import annotations

import numpy as np

from workbench.views.view import View

_BATCHES_PER_LANE = 14


def closeup_slice(view: View) -> tuple[int, int]:
    """Start and end, in nanoseconds, of the newest time that holds about 14 batches of the busiest lane."""
    batches = view.batches
    if len(batches) == 0:
        return view.now_ns - view.window_ns, view.now_ns
    end_ns = int(batches["end_ns"].max())
    lanes, counts = np.unique(batches["instance"], return_counts=True)
    busiest = batches[batches["instance"] == lanes[counts.argmax()]]
    starts = np.sort(busiest["start_ns"].astype(np.int64))
    start_ns = int(starts[max(len(starts) - _BATCHES_PER_LANE, 0)])
    return max(start_ns, view.now_ns - view.window_ns), end_ns
