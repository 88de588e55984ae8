# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The tallies of the bins of a window, and of all of them together."""

from __future__ import annotations

from typing import Final

from workbench.views.records import NO_RECORDS
from workbench.views.tally import Tally, combined, tally

NOTHING: Final = tally(NO_RECORDS, NO_RECORDS, NO_RECORDS)


class Tallies:
    """One tally a bin, by the bin's number. Not safe for two threads at once.

    Args:
        bins: how many of the newest are kept.
        fewest: how many are kept where there is a limit of requests, however many requests they have.
    """

    def __init__(self, *, bins: int, fewest: int) -> None:
        self._bins = bins
        self._fewest = fewest
        self._parts: dict[int, Tally] = {}
        self._combined: Tally | None = None
        self._limit: int | None = None

    @property
    def limit(self) -> int | None:
        """How many requests the bins that are kept have at most; None for any number."""
        return self._limit

    @limit.setter
    def limit(self, requests: int | None) -> None:
        self._limit = requests
        self._combined = None

    @property
    def byte_size(self) -> int:
        """Bytes of the samples and times that are kept."""
        return sum(part.byte_size for part in self._parts.values())

    def put(self, index: int, part: Tally) -> None:
        """The tally of a bin, for the first time or anew."""
        self._parts[index] = part
        self._combined = None

    def answered_per_bin(self, last: int, *, bins: int) -> float:
        """The mean of the `bins` up to `last`."""
        recent = (self._parts.get(index, NOTHING) for index in range(last - bins + 1, last + 1))
        return sum(part.answered for part in recent) / bins

    def window(self, last: int) -> tuple[int, Tally]:
        """The first of the bins up to `last` that are kept, and the tally of all of them."""
        first = self._first_kept(last)
        if self._combined is None:
            self._parts = {index: part for index, part in self._parts.items() if index >= first}
            self._combined = combined([*self._parts.values(), NOTHING])
        return first, self._combined

    def _first_kept(self, last: int) -> int:
        oldest = last - self._bins + 1
        if self._limit is None:
            return oldest
        requests = 0
        for index in range(last, oldest - 1, -1):
            requests += self._parts.get(index, NOTHING).requests
            if requests > self._limit and last - index >= self._fewest:
                return index + 1
        return oldest
