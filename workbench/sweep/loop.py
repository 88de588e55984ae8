# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The loop of a sweep, ask, measure, tell: here, one after the other, or elsewhere, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Final

from workbench.sweep.strategy import Proposal, Strategy
from workbench.sweep.trial import Trial

_LOOK_S: Final = 0.05
"""How often a waiting loop looks for the stop button."""


def measured_here(strategy: Strategy, attempt: Callable[[Proposal], Trial]) -> Iterator[Trial]:
    """Trials in the order in which they were asked for."""
    while (proposal := strategy.ask()) is not None:
        trial = attempt(proposal)
        strategy.tell(trial)
        yield trial


def measured_elsewhere(
    strategy: Strategy, submit: Callable[[Proposal], Future[Trial]], *, workers: int
) -> Iterator[Trial]:
    """Trials as they come; `workers` are under way as long as the strategy has something to propose."""
    pending: set[Future[Trial]] = set()
    try:
        while True:
            while len(pending) < workers and (proposal := strategy.ask()) is not None:
                pending.add(submit(proposal))
            if not pending:
                return
            done, pending = wait(pending, timeout=_LOOK_S, return_when=FIRST_COMPLETED)
            for future in done:
                trial = future.result()
                strategy.tell(trial)
                yield trial
    finally:
        for future in pending:
            future.cancel()
