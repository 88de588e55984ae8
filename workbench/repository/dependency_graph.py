# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which ensembles run on which models."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock


class DependencyGraph:
    """The ensembles that are wanted, and the models of their steps.

    Threads: any.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._steps: dict[str, tuple[str, ...]] = {}

    def put(self, ensemble: str, models: Iterable[str]) -> None:
        """The steps of `ensemble` run on `models`."""
        with self._lock:
            self._steps[ensemble] = tuple(dict.fromkeys(models))

    def remove(self, ensemble: str) -> None:
        """The ensemble is not wanted any more; nothing where it never was one."""
        with self._lock:
            self._steps.pop(ensemble, None)

    def models(self, ensemble: str) -> tuple[str, ...]:
        """The models of its steps; none where it is no ensemble that is wanted."""
        with self._lock:
            return self._steps.get(ensemble, ())

    def users(self, model: str) -> tuple[str, ...]:
        """The ensembles that a model is a step of, also by way of other ensembles; each after those within it."""
        order: list[str] = []
        with self._lock:
            self._visit(model, {model}, order)
        return tuple(reversed(order[:-1]))

    def _visit(self, model: str, seen: set[str], order: list[str]) -> None:
        for ensemble, models in self._steps.items():
            if model in models and ensemble not in seen:
                seen.add(ensemble)
                self._visit(ensemble, seen, order)
        order.append(model)
