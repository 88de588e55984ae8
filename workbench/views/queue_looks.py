# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Looks at the queue of a model by priority level, kept for a window."""

from __future__ import annotations

from collections import deque

import numpy as np

from workbench.views.facts import QueueSource, Source
from workbench.views.queues import NO_BINS, NO_SAMPLES, queue_bins
from workbench.views.records import Records


class QueueLooks:
    """One thread calls it."""

    def __init__(self, source: Source, *, window_ns: int, bin_ns: int) -> None:
        self._source = source if isinstance(source, QueueSource) else None
        self._window_ns = window_ns
        self._bin_ns = bin_ns
        self._samples: deque[Records] = deque()
        self._sampled_ns = 0

    def samples(self) -> Records:
        """All looks of the window."""
        return np.concatenate([NO_SAMPLES, *self._samples])

    def look(self, now_ns: int) -> Records:
        """The bins of queue lengths that changed since the last look."""
        if self._source is None:
            return NO_BINS
        if len(told := self._source.queue_samples(self._sampled_ns)):
            self._samples.append(told)
        while self._samples and self._samples[0]["when_ns"].max() < now_ns - self._window_ns:
            self._samples.popleft()
        first = max(self._sampled_ns, now_ns - self._window_ns) // self._bin_ns
        recent = [one for one in self._samples if one["when_ns"].max() >= first * self._bin_ns]
        self._sampled_ns = now_ns
        told = np.concatenate([NO_SAMPLES, *recent]) if recent else NO_SAMPLES
        return queue_bins(told, bin_ns=self._bin_ns, first=first, last=now_ns // self._bin_ns)
