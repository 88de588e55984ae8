# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""The lifecycle of models: load, reload, unload, reconfigure."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from workbench.config import ModelConfig
from workbench.errors import ConfigError, InvalidArgumentError, UnavailableError, WorkbenchError
from workbench.repository.composition import Composition
from workbench.repository.configuration import ConfigOverride, GivenConfig, Override
from workbench.repository.drain import Drain
from workbench.repository.engine import Engine
from workbench.repository.ensemble_loads import EnsembleLoads
from workbench.repository.lanes import Lanes
from workbench.repository.live import needs_another_model
from workbench.repository.loader import LoadedVersion, Loader, Plan
from workbench.repository.moves import Moves
from workbench.repository.namespaces import use_full_names
from workbench.repository.places import Places
from workbench.repository.source import ModelFolder, Sources
from workbench.repository.status import UNLOADED, IndexEntry, ModelStates

LOG: Final = logging.getLogger("workbench.repository")
_CUT_S: Final = 0.2
"""How long a model may take to drain once its sequences are ended."""

NO_FILES: Final[Mapping[str, bytes]] = {}

Edit = Callable[[ModelConfig], ModelConfig]


class ModelRepository:
    """The models of one server.

    Work on one model is done in the order in which it was asked for. A model that is loaded again serves until the
    new one is ready; then the old one answers what it took and is closed in the background.

    Args:
        sources: where the models lie.
        engine: runs the models.
        loader: makes them.
        load_threads: how many models are loaded at once.

    Threads: any.
    """

    def __init__(self, sources: Sources, *, engine: Engine, loader: Loader, load_threads: int = 4) -> None:
        self._places = Places(sources)
        self._engine = engine
        self._loader = loader
        self._states = ModelStates()
        self._lanes = Lanes(load_threads)
        self._drain = Drain()
        self._composition = Composition()
        self._ensembles = EnsembleLoads(
            self._composition, self._states, self._lanes, read=self._read, load=self._load, revise=self._revise,
            withdraw=self._withdraw,
        )  # fmt: skip
        self._moves = Moves()

    @property
    def sources(self) -> Sources:
        """Where the models lie now."""
        return self._places.sources

    def register(self, path: str | Path, names: Mapping[str, str]) -> None:
        """Take models of a further folder, as `Places.register`."""
        self._places.register(path, names)

    def unregister(self, path: str | Path) -> None:
        """Take no more models of a folder, as `Places.unregister`."""
        self._places.unregister(path)

    def load(self, name: str, *, config: ConfigOverride | None = None, files: Mapping[str, bytes] = NO_FILES) -> None:
        """Make a model ready; nothing happens where it is and neither its files nor its configuration changed.

        Args:
            name: the model.
            config: replaces the file's configuration wholly: text, JSON, a mapping or a message.
            files: with `config`, replace all files of the model, by `<version>/<path>`.

        Raises:
            NotFoundError: no repository has the model.
            ConfigError: the configuration is not legal, missing beside files, or a file's path leads out of the folder.
            LoadError: the model can not be made ready; what served before still does.
        """
        if config is None and files:
            message = f"load of {name!r}: files come with a configuration that says what they are for; give config="
            raise ConfigError(message)
        override = None if config is None else Override(config, files)
        for full in self.sources.full_names(name) if override is None else (name,):
            self._load_with_steps(full, override)

    def _load_with_steps(self, name: str, override: Override | None) -> None:
        self._composition.ask_for(name)
        try:
            self._ensembles.load_steps(name, override)
            self._lanes.submit(name, self._load, name, override).result()
        finally:
            self._ensembles.revise_users(name)

    def load_all(self, names: Iterable[str]) -> dict[str, WorkbenchError]:
        """Load several, those that are no ensembles beside each other; the errors of those that failed, by name."""
        names = [full for name in names for full in self.sources.full_names(name)]
        ensembles = [name for name in names if self._ensembles.steps_of(name)]
        futures = {name: self._lanes.submit(name, self._load, name, None) for name in names if name not in ensembles}
        errors = {name: future.exception() for name, future in futures.items()}
        for name in futures:
            self._composition.ask_for(name)
        for name in ensembles:
            try:
                self.load(name)
            except WorkbenchError as exc:
                errors[name] = exc
        return {name: error for name, error in errors.items() if isinstance(error, WorkbenchError)}

    def unload(self, name: str, *, dependents: bool = False, reason: str = UNLOADED) -> None:
        """Take no more requests for a model; those in flight are answered. An unknown name is fine.

        Ensembles that run on the model become unavailable until it is loaded again.

        Args:
            name: the model.
            dependents: unload the models of an ensemble's steps, too, where nobody else needs them.
            reason: what the index tells of it from then on.
        """
        meant = dict.fromkeys((name, *self.sources.full_names(name)))
        left_over = [one for full in meant for one in self._composition.left_over(full)] if dependents else []
        for one in (*meant, *left_over):
            self._ensembles.suspend_users(one)
            self._composition.drop(one)
            self._lanes.submit(one, self._unload, one, reason).result()

    def reconfigure(self, name: str, edit: Edit) -> None:
        """Let `edit` change the configuration that runs: live where the scheduler can follow, else by a reload.

        Raises:
            NotFoundError, UnavailableError: the model is not ready.
            ConfigError, LoadError: the model runs on as it was.
        """
        self._lanes.submit(name, self._reconfigure, name, edit).result()
        self._ensembles.revise_users(name)

    def move_users(self, backend: str) -> tuple[Future[None], ...]:
        """Move every model that runs on `backend` to the shared object that is found now, in the background.

        Returns:
            One future a model: done once the model runs on that object, or with why it stays on the one that it has.
        """
        plans = {name: self._states.plan(name) for name in self._states.names()}
        names = [name for name, plan in plans.items() if plan is not None and plan.completed.backend == backend]
        return self._moves.start(self._lanes.submit(name, self._move, name) for name in names)

    def wait_settled(self, timeout_s: float) -> bool:
        """Wait until what runs in the background, moves and drains, is done; False where the time was too short."""
        return self._moves.wait(timeout_s) and self._drain.wait(timeout_s)

    def names(self) -> tuple[str, ...]:
        """Every model in the sources or ever loaded, sorted."""
        return tuple(sorted({*self.sources.names(), *self._states.names()}))

    def index(self, *, ready: bool = False) -> tuple[IndexEntry, ...]:
        """Every version of every model with its state; with `ready` only those that take requests."""
        return self._states.index(self.sources.names(), ready=ready)

    def serving(self, name: str) -> tuple[LoadedVersion, ...]:
        """The versions of a model that take requests; none where the model is unknown."""
        return self._states.serving(name)

    def version(self, name: str, version: int = -1) -> LoadedVersion:
        """A version that takes requests; -1 is the highest.

        Raises:
            NotFoundError: there is no such model, or no such version of it.
            UnavailableError: the model is known and not ready.
            InvalidArgumentError: several repositories have the model, and each its own namespace.
        """
        if not self._states.serving(name) and len(names := self.sources.full_names(name)) > 1:
            message = f"model {name!r} is in several repositories; name one of {', '.join(names)}"
            raise InvalidArgumentError(message)
        return self._states.version(name, version)

    def close(self, timeout_s: float) -> bool:
        """Unload every model; False where requests were still in flight after `timeout_s`.

        Sequences that are open may go on until then.
        """
        self._lanes.close()
        for name in self._states.names():
            self._withdraw(name, UNLOADED, keep_sequences=True)
        if not self._drain.wait(timeout_s):
            for model in self._drain.models():
                self._engine.retire(model)
        drained = self._drain.close(_CUT_S)
        self._places.close()
        return drained

    def _load(self, name: str, override: Override | None) -> None:
        try:
            self._places.find(name, override)
        except UnavailableError as exc:
            self._states.refused(name, str(exc))
            raise
        self._carry_out(name, lambda: self._plan(*self._composition.want(name, *self._read(name, override))))

    def _read(self, name: str, override: Override | None) -> tuple[ModelFolder, GivenConfig]:
        folder = self._places.find(name, override)
        given = self._loader.read(folder, override)
        if self.sources.has_namespaces:
            place, names_of = folder.path.parent, self.sources.full_names
            use_full_names(given.config, name=name, repository=place, names_of=names_of)
        return folder, given

    def _plan(self, folder: ModelFolder, given: GivenConfig) -> Plan:
        return self._loader.plan(folder, given, running=self._states.version)

    def _revise(self, name: str) -> None:
        """An ensemble follows the models that it runs on: it becomes ready, is made anew, or is withdrawn."""
        wanted = self._composition.wanted(name)
        if wanted is None:
            return
        try:
            self._carry_out(name, lambda: self._plan(*wanted))
        except WorkbenchError as exc:
            self._withdraw(name, str(exc))

    def _carry_out(self, name: str, make_plan: Callable[[], Plan]) -> None:
        try:
            plan = make_plan()
            if plan == self._states.plan(name):
                return
            self._states.loading(name, plan.versions)
            keep = self._kept(name, plan)
            loaded = self._loader.start(plan, keep=keep)
        except WorkbenchError as exc:
            self._states.refused(name, str(exc))
            raise
        self._publish(name, plan, loaded, keep)

    def _kept(self, name: str, plan: Plan) -> dict[int, LoadedVersion]:
        """Versions that serve and can go on, changed under way."""
        current = self._states.plan(name)
        if current is None:
            return {}
        return {one.version: one for one in self.serving(name) if plan.keeps(current, one.version)}

    def _publish(
        self, name: str, plan: Plan, loaded: tuple[LoadedVersion, ...], kept: Mapping[int, LoadedVersion]
    ) -> None:
        for version in loaded:
            if version.version not in kept:
                self._engine.publish(version.model)
        for old in self._states.ready(name, plan, loaded):
            if old.version in kept:
                continue
            # One whose successor is published is retired by that already.
            if old.version in plan.versions:
                self._drain.add(old.model)
            else:
                self._states.unloading(name, old.version)
                self._retire(name, old, keep_sequences=True)

    def _unload(self, name: str, reason: str) -> None:
        self._withdraw(name, reason)
        if reason != UNLOADED:
            self._states.refused(name, reason)

    def _withdraw(self, name: str, reason: str, *, keep_sequences: bool = False) -> tuple[LoadedVersion, ...]:
        versions = self._states.withdrawn(name, reason=reason)
        for version in versions:
            self._retire(name, version, keep_sequences=keep_sequences)
        return versions

    def _retire(self, name: str, loaded: LoadedVersion, *, keep_sequences: bool) -> None:
        self._engine.retire(loaded.model, keep_sequences=keep_sequences)
        self._drain.add(loaded.model, closed=lambda: self._states.closed(name, loaded.version))

    def _reconfigure(self, name: str, edit: Edit) -> None:
        current = self._states.plan(name)
        if current is None:
            self._states.version(name, -1)
            raise UnavailableError(f"model {name!r} is not ready")
        plan = self._plan(current.folder, GivenConfig(edit(current.config)))
        if needs := needs_another_model(current.config, plan.config):
            LOG.info("model %s is made anew beside the one that serves, since %s can not change under way", name, needs)
        self._carry_out(name, lambda: plan)
        self._composition.want(name, plan.folder, plan.given)

    def _move(self, name: str) -> None:
        current = self._states.plan(name)
        if current is not None:
            self._carry_out(name, lambda: self._plan(current.folder, current.given))
