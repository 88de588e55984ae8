# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Which models a load brings along, and which an unload takes along: ensembles and the models of their steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.errors import LoadError
from workbench.repository.configuration import GivenConfig
from workbench.repository.dependency_graph import DependencyGraph
from workbench.repository.ensemble import step_models
from workbench.repository.source import ModelFolder

StepsOf = Callable[[str], tuple[str, ...]]
"""The models that the steps of a model run on, by its configuration; none where it is no ensemble."""


class Composition:
    """The ensembles that are wanted, and the models that were asked for by name.

    Threads: any.
    """

    def __init__(self) -> None:
        self._graph = DependencyGraph()
        self._asked_for: set[str] = set()
        self._wanted: dict[str, tuple[ModelFolder, GivenConfig]] = {}

    def want(self, name: str, folder: ModelFolder, given: GivenConfig) -> tuple[ModelFolder, GivenConfig]:
        """A model is to be loaded like this, which is returned; of an ensemble it is remembered."""
        if models := step_models(given.config):
            self._graph.put(name, models)
            self._wanted[name] = (folder, given)
        else:
            self._graph.remove(name)
            self._wanted.pop(name, None)
        return folder, given

    def wanted(self, name: str) -> tuple[ModelFolder, GivenConfig] | None:
        """How an ensemble was to be loaded; None where it is not wanted any more."""
        return self._wanted.get(name)

    def ask_for(self, name: str) -> None:
        """A model was loaded by its own name: it stays when an ensemble goes."""
        self._asked_for.add(name)

    def drop(self, name: str) -> None:
        """A model is not wanted any more."""
        self._graph.remove(name)
        self._wanted.pop(name, None)
        self._asked_for.discard(name)

    def users(self, name: str) -> tuple[str, ...]:
        """The ensembles that run on a model, each after those within it."""
        return self._graph.users(name)

    def left_over(self, name: str) -> tuple[str, ...]:
        """The models that nobody needs once `name` is dropped: its steps' models and theirs, outermost first."""
        found: list[str] = []
        waiting = list(self._graph.models(name))
        gone = {name}
        while waiting:
            model = waiting.pop(0)
            if model in gone or model in self._asked_for or set(self._graph.users(model)) - gone:
                continue
            gone.add(model)
            found.append(model)
            waiting += self._graph.models(model)
        return tuple(found)


def load_order(name: str, steps_of: StepsOf) -> tuple[str, ...]:
    """The models that `name` is composed of, each before those that it is a step of; `name` itself is left out.

    Raises:
        LoadError: an ensemble is composed of itself.
    """
    return tuple(dict.fromkeys(_below(name, steps_of, (name,))))


def _below(name: str, steps_of: StepsOf, way: tuple[str, ...]) -> Iterator[str]:
    for model in steps_of(name):
        if model in way:
            message = f"ensemble {way[0]!r} is composed of itself: {' -> '.join((*way, model))}"
            raise LoadError(message)
        yield from _below(model, steps_of, (*way, model))
        yield model
