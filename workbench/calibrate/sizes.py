# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which batch sizes are measured, and how often, within the time there is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from workbench.simulate import Line

_DENSE: Final = 16
_TILE: Final = 8
REPETITIONS: Final = 60
FEWEST: Final = 6
SPAN_S: Final = 0.05
"""That the executions of a size span at least: sixty short ones are over before a processor has settled."""
_REQUESTS: Final = 4096
"""Most of a size, where sixty executions are less."""


def is_short(service_ns: float) -> bool:
    """Whether sixty executions are over within 50 ms: then a phase of the machine can last longer than all of them."""
    return service_ns * REPETITIONS < SPAN_S * 1e9


def batch_sizes(largest: int) -> tuple[int, ...]:
    """1 to 16, powers of two, the edges of tiles beyond, and the largest; those that tell most come first.

    Kernels work in tiles: a time that hardly grows up to a multiple of 8 and jumps after it would be missed between
    powers of two.
    """
    powers = [1 << exponent for exponent in range(largest.bit_length()) if 1 << exponent <= largest]
    middles = [3 * power // 2 for power in powers if power >= 2 and 3 * power // 2 <= largest]
    dense = range(1, min(_DENSE, largest) + 1)
    edges = [edge for power in powers if power >= _DENSE for edge in (power + 1, power + _TILE) if edge <= largest]
    return tuple(dict.fromkeys((1, largest, *powers, *middles, *dense, *edges)))


@dataclass(slots=True)
class Budget:
    """Shares out the time. Sizes that do not fit any more are left out, but for 1, the largest, and powers of two."""

    seconds: float
    spent: dict[int, float] = field(default_factory=dict)

    def repetitions(self, size: int, line: Line | None, left: int, *, known: int = 0, share: float = 1.0) -> int:
        """Executions of that size, where `left` bursts are still to come; 0 to leave it out.

        Args:
            size: the next one.
            line: through what is known; None for nothing yet.
            left: bursts that follow, this one included.
            known: executions of that size that were measured before.
            share: of all executions of that size that shall be measured by then.
        """
        if line is None:
            return FEWEST
        expected_s = max(line.at(size), 1.0) / 1e9
        wanted = math.ceil(max(REPETITIONS, min(SPAN_S / expected_s, _REQUESTS / size)) * share) - known
        share_s = (self.seconds - sum(self.spent.values())) / max(left, 1)
        count = min(wanted, int(share_s / expected_s))
        is_needed = size == 1 or size & (size - 1) == 0
        return max(count, FEWEST if is_needed else 0) if count >= FEWEST or is_needed else 0
