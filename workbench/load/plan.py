# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What is sent with each number of a run, drawn before the run: which sample, of which sequence."""

from __future__ import annotations

from collections.abc import Sequence as Several
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.errors import InvalidArgumentError

PLAN_DTYPE: Final = np.dtype([("sequence", "<u8"), ("sample", "<u4"), ("flags", "<u4")])
"""The layout of `native/src/load/request_plan.h`."""

START: Final = 1
END: Final = 2
LENGTHS: Final = ("constant", "uniform", "geometric")


@dataclass(frozen=True, slots=True)
class Sequences:
    """Requests in sequences, which take turns: each next request belongs to the next of those in flight.

    Args:
        in_flight: how many sequences are open at a time.
        length: requests of one, in the mean; samples that a file lays out as streams decide it themselves.
        lengths: how lengths are drawn: `constant`, `uniform` (the mean and up to `spread` of it more or less), or
            `geometric` (each request is the last with the same chance).
        spread: see `lengths`.
        first_id: correlation id of the first; the others follow.
    """

    in_flight: int = 4
    length: int = 20
    lengths: str = "constant"
    spread: float = 0.2
    first_id: int = 1

    def __post_init__(self) -> None:
        if min(self.in_flight, self.length, self.first_id) < 1:
            raise InvalidArgumentError("in_flight, length and first_id of sequences are positive")
        if self.lengths not in LENGTHS:
            raise InvalidArgumentError(f"lengths are one of {', '.join(LENGTHS)}, not {self.lengths!r}")
        if not 0 <= self.spread <= 1:
            raise InvalidArgumentError(f"spread is a share between 0 and 1, not {self.spread}")

    def draw(self, count: int, random: np.random.Generator) -> NDArray[np.int64]:
        """Lengths of `count` sequences, drawn from `random`, in requests: an int64 array of one dimension."""
        if self.lengths == "geometric":
            return random.geometric(1 / self.length, count).astype(np.int64)
        if self.lengths == "uniform":
            low, high = (max(1, round(self.length * share)) for share in (1 - self.spread, 1 + self.spread))
            return random.integers(low, high + 1, count)
        return np.full(count, self.length, np.int64)


def draw_plan(
    weights: NDArray[np.float64],
    sequences: Sequences | None,
    streams: Several[Several[int]],
    *,
    count: int,
    seed: int,
) -> NDArray[Any]:
    """The plan of `count` requests; empty where each of them is the only sample there is.

    Args:
        weights: of the samples. Where they are alike, samples take turns.
        sequences: how requests make up sequences.
        streams: sample numbers of whole sequences.
        count: requests. The last of each sequence ends it, so that a run leaves none open.
        seed: of what is drawn.
    """
    if len(weights) == 1 and sequences is None:
        return np.empty(0, PLAN_DTYPE)
    random = np.random.default_rng(seed)
    plan = np.zeros(count, PLAN_DTYPE)
    plan["sample"] = _samples(weights, count, random)
    if sequences is not None:
        for slot in range(min(sequences.in_flight, count)):
            _fill_slot(plan[slot :: sequences.in_flight], slot, sequences, streams, random)
    return plan


def ends_of_open_sequences(plan: NDArray[Any], sent: int) -> NDArray[Any]:
    """The plan that ends what the first `sent` requests of a plan left open: one last request of each such sequence.

    A run that outlasts its plan goes round; as in `native/src/load/request_plan.h`, the sequences of each round have
    ids of their own.
    """
    if not len(plan):
        return plan
    rounds, count = divmod(sent, len(plan))
    under_way = plan[:count][plan["sequence"][:count] != 0]
    ended = under_way["sequence"][(under_way["flags"] & END) != 0]
    left = under_way[~np.isin(under_way["sequence"], ended)]
    ids, first = np.unique(left["sequence"], return_index=True)
    ends = np.zeros(len(ids), PLAN_DTYPE)
    known = plan["sequence"][plan["sequence"] != 0]
    ends["sequence"] = ids + np.uint64(rounds * (int(known.max()) - int(known.min()) + 1) if len(ids) else 0)
    ends["sample"] = left["sample"][first]
    ends["flags"] = END
    return ends


def _samples(weights: NDArray[np.float64], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    if np.all(weights == weights[0]):
        return np.arange(count) % len(weights)
    return random.choice(len(weights), count, p=weights / weights.sum())


def _fill_slot(
    steps: NDArray[Any], slot: int, sequences: Sequences, streams: Several[Several[int]], random: np.random.Generator
) -> None:
    """One after the other the sequences of one of those in flight; slot s has numbers s, s + in_flight, ..."""
    lengths = _lengths(len(steps), slot, sequences, streams, random)
    ends = np.minimum(np.cumsum(lengths), len(steps))
    starts = np.concatenate(([0], ends[:-1]))
    kept = starts < len(steps)
    starts, ends = starts[kept], ends[kept]
    numbers = slot + sequences.in_flight * np.arange(len(starts))
    steps["sequence"] = np.repeat(sequences.first_id + numbers, ends - starts)
    steps["flags"][starts] |= START
    steps["flags"][ends - 1] |= END
    for number, start, end in zip(numbers, starts, ends, strict=True) if streams else ():
        steps["sample"][start:end] = streams[int(number) % len(streams)][: end - start]


def _lengths(
    steps: int, slot: int, sequences: Sequences, streams: Several[Several[int]], random: np.random.Generator
) -> NDArray[np.int64]:
    """Lengths enough for as many steps."""
    if not streams:
        return sequences.draw(steps, random)
    numbers = slot + sequences.in_flight * np.arange(steps)
    sizes = np.array([len(stream) for stream in streams], np.int64)
    return sizes[numbers % len(streams)]
