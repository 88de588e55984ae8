# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The view model: everything a dashboard draws, as values. Made by reducers, drawn by the browser or by matplotlib."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.server import Pool
from workbench.views.batching import BatchSizes
from workbench.views.facts import ModelFacts
from workbench.views.latency import Latency, Split
from workbench.views.memory import Mark
from workbench.views.queues import QUEUE_BIN_DTYPE
from workbench.views.spans import NO_CHAINS, NO_TREES, Chains


@dataclass(frozen=True, slots=True)
class Totals:
    """The figures of a whole window.

    Attributes:
        covered_s: seconds of events behind these figures.
        answered_per_s: successful answers a second.
        offered_per_s: requests that came, a second; those still on their way included.
        refused_per_s: requests that never reached a backend, a second.
        failed_per_s: requests whose execution failed, a second.
        latency: from arrival to last response, of successful requests.
        queue: the wait of the same requests.
        split: their mean time in each step.
        instance_wait_share: part of their wait that is longer than the queue delay: it waited for a free instance.
        sizes: histogram of batch sizes by reason.
        busy: part of the time that each instance executed.
        lost: status code, refused and failed requests with it, the most frequent first.
        priorities: priority, successful requests of it and their mean wait in nanoseconds; empty with one alone.
        steps: of an ensemble, by step: requests, and their mean time waiting and after that in nanoseconds.
        held_ns: of requests of sequences, the mean wait for a slot, and for the request before.
    """

    covered_s: float
    answered_per_s: float = 0.0
    offered_per_s: float = 0.0
    refused_per_s: float = 0.0
    failed_per_s: float = 0.0
    latency: Latency = field(default_factory=Latency)
    queue: Latency = field(default_factory=Latency)
    split: Split = field(default_factory=Split)
    instance_wait_share: float = 0.0
    sizes: BatchSizes = field(default_factory=BatchSizes)
    busy: tuple[float, ...] = ()
    lost: tuple[tuple[int, int, int], ...] = ()
    priorities: tuple[tuple[int, int, float], ...] = ()
    steps: tuple[tuple[int, float, float], ...] = ()
    held_ns: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A window of a model's life, or the news of one since the last look.

    Attributes:
        now_ns: right end of the time axis, on the clock of the events.
        bin_ns: width of a bin; bin n begins at n times it.
        window_ns: width of the time axis.
        facts: the model as configured.
        bins: records of `BIN_DTYPE`, ascending.
        p99_span: bins that share one p99; 0 when too few requests came.
        batches: executions to draw, event records.
        requests: requests whose wait is drawn, event records.
        batch_total: executions that `batches` was chosen from.
        whole_from_ns: from here on `batches` has no gap.
        pools: the pools now.
        pool_bins: records of `POOL_BIN_DTYPE`.
        marks: fallbacks and their like.
        totals: figures of the window; None in news that bring none.
        sentence: what is slow and why.
        dropped: events that were lost before they could be read, so far.
        chains: where the requests that are drawn stand in their sequences.
        trees: records of `TREE_DTYPE`: an ensemble's requests, with those of their steps.
        queue_bins: records of `QUEUE_BIN_DTYPE`: how many waited at each priority level.
        encoded: tables of batches and requests for the browser by their bases, made by the first view that shows them.
    """

    now_ns: int
    bin_ns: int
    window_ns: int
    facts: ModelFacts
    bins: NDArray[np.void]
    p99_span: int
    batches: NDArray[Any]
    requests: NDArray[Any]
    batch_total: int
    whole_from_ns: int
    pools: tuple[Pool, ...]
    pool_bins: NDArray[np.void]
    marks: tuple[Mark, ...]
    totals: Totals | None
    sentence: str = ""
    dropped: int = 0
    chains: Chains = NO_CHAINS
    trees: NDArray[np.void] = field(default_factory=lambda: NO_TREES)
    queue_bins: NDArray[np.void] = field(default_factory=lambda: np.empty(0, QUEUE_BIN_DTYPE))
    encoded: dict[tuple[int, int], tuple[bytes, bytes]] = field(default_factory=dict)

    @property
    def used_pools(self) -> tuple[int, ...]:
        """Numbers of the pools that ever held something, at most four; a pool that nobody uses says nothing."""
        used = (
            number for number, pool in enumerate(self.pools) if pool.peak_byte_size or pool.fallbacks or pool.failures
        )
        return tuple(used)[:4]

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in this window."""
        return len(self.batches) == 0 and not (self.bins["answered"].any() or self.bins["refused"].any())
