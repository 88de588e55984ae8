# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""What executions take more after a pause."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.calibrate.pauses import LONGEST, SHORTEST, Round, after_pauses_ns, gaps_ns, mean_gap_ns
from workbench.calibrate.trace import Trace

SERVICE = 100_000


def singles(cost, gaps, *, service=SERVICE):
    """Requests one after the other, each of which takes longer by what its pause costs."""
    starts, ends, now = [], [], 0
    for gap in gaps.tolist():
        pause = gap - SERVICE
        starts.append(now + pause)
        now = starts[-1] + service + cost(pause)
        ends.append(now)
    start = np.array(starts)
    return Round(Trace(start, start, start, np.array(ends), np.ones_like(start)), service)


def steep(pause):
    return 20_000 if pause > SERVICE else 5_000


def test_the_pauses_reach_from_full_load_to_a_tenth_of_it() -> None:
    gaps = gaps_ns(SERVICE, 2000, seed=1) / SERVICE - 1
    assert gaps.min() >= SHORTEST * 0.99
    assert gaps.max() <= LONGEST * 1.01
    assert np.median(gaps) == pytest.approx(np.sqrt(SHORTEST * LONGEST), rel=0.15)
    assert SERVICE * (1 + gaps.mean()) == pytest.approx(mean_gap_ns(SERVICE), rel=0.05)


def test_what_a_pause_costs_is_found_by_its_length() -> None:
    found = after_pauses_ns([singles(steep, gaps_ns(SERVICE, 300, seed=1))])
    below = [extra for pause, extra in found.items() if pause < 0.8 * SERVICE]
    above = [extra for pause, extra in found.items() if pause > 1.3 * SERVICE]
    assert below == pytest.approx([5_000] * len(below))
    assert above == pytest.approx([20_000] * len(above))
    assert len(below) >= 5
    assert len(above) >= 5


def test_a_pause_never_makes_an_execution_shorter_and_a_longer_one_no_cheaper() -> None:
    found = list(after_pauses_ns([singles(lambda pause: -pause // 100, gaps_ns(SERVICE, 300, seed=1))]).values())
    assert found == [0.0] * len(found)


def test_a_stall_does_not_count_as_the_cost_of_a_pause() -> None:
    gaps = gaps_ns(SERVICE, 300, seed=1)
    stalls = iter([10**7] * 3)
    found = after_pauses_ns([singles(lambda pause: next(stalls, 0), gaps)])
    assert max(found.values()) == 0


def test_too_few_pauses_tell_nothing() -> None:
    assert after_pauses_ns([singles(lambda pause: 0, gaps_ns(SERVICE, 9, seed=1))]) == {}


def test_a_phase_in_which_the_machine_is_slower_is_not_the_cost_of_a_pause() -> None:
    speeds = (1.0, 1.35, 1.0, 1.35, 1.35, 1.0, 1.35, 1.35)
    rounds = [
        singles(steep, gaps_ns(SERVICE, 60, seed=seed), service=round(SERVICE * speed))
        for seed, speed in enumerate(speeds)
    ]
    found = after_pauses_ns(rounds)
    below = [extra for pause, extra in found.items() if pause < 0.8 * SERVICE]
    assert below == pytest.approx([5_000] * len(below))
    assert max(found.values()) == 20_000


def test_a_phase_that_begins_within_a_round_is_not_the_cost_of_a_pause() -> None:
    def slower(pause: int) -> int:
        return steep(pause) + 35_000

    costs = (steep, slower, steep, steep, slower, steep, slower, steep)
    found = after_pauses_ns([singles(cost, gaps_ns(SERVICE, 60, seed=seed)) for seed, cost in enumerate(costs)])
    assert max(found.values()) == 20_000


def test_a_phase_that_ends_before_the_pauses_does_not_hide_what_they_cost() -> None:
    bursts = (SERVICE, 1.35 * SERVICE, SERVICE, 1.35 * SERVICE, SERVICE, 1.35 * SERVICE, SERVICE, SERVICE)
    rounds = [
        Round(singles(steep, gaps_ns(SERVICE, 60, seed=seed)).trace, service_ns)
        for seed, service_ns in enumerate(bursts)
    ]
    assert max(after_pauses_ns(rounds).values()) == 20_000
